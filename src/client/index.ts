/**
 * Typed client: `import { createDpp } from 'dpp-gateway/client'` or `@dpp-gateway/client`. Requires only `fetch`: Node 20, browsers, Deno,
 * workers.
 */
import { OPERATIONS } from '../generated/client-operations.ts'
import { type Call, type CallOptions, callerOf, type DppOptions } from './call.ts'
import type {
  Answer,
  AnswerIn,
  Documents,
  Item,
  MediaType,
  OperationId,
  OperationRow,
  PagedId,
  Parameters,
} from './contract.ts'
import { itemsOf } from './pages.ts'

export type { CallOptions, Clock, CookieSession, DppOptions } from './call.ts'
export type { ErrorCode } from './contract.ts'
export { DppError, type DppIssue } from './error.ts'
export type { Answer, Documents, Item, OperationId, Parameters }

export type OptionsOf<Id extends OperationId> = Omit<CallOptions, 'accept'> & { readonly accept?: MediaType<Id> }

type AnswerTo<Id extends OperationId, Options> = Options extends { readonly as: 'response' }
  ? Response
  : Options extends { readonly accept: infer Type extends string }
    ? AnswerIn<Id, Type>
    : Answer<Id>

/** Method of an operation; parameters are optional if none is required. */
type Method<Id extends OperationId> =
  Record<never, never> extends Parameters<Id>
    ? <const Options extends OptionsOf<Id> = Record<never, never>>(
        parameters?: Parameters<Id>,
        options?: Options,
      ) => Promise<AnswerTo<Id, Options>>
    : <const Options extends OptionsOf<Id> = Record<never, never>>(
        parameters: Parameters<Id>,
        options?: Options,
      ) => Promise<AnswerTo<Id, Options>>

/** Iterator over a list; fetches pages on demand. */
type Each<Id extends PagedId> =
  Record<never, never> extends Parameters<Id>
    ? (parameters?: Parameters<Id>, options?: PageOptions) => AsyncGenerator<Item<Id>, void, undefined>
    : (parameters: Parameters<Id>, options?: PageOptions) => AsyncGenerator<Item<Id>, void, undefined>

type PageOptions = Omit<CallOptions, 'accept' | 'as' | 'idempotencyKey'>

/** Operations of a gateway by their id. */
export type Dpp = { readonly [Id in OperationId]: Method<Id> } & {
  /** Items of lists: `for await (const passport of dpp.each.listPassports({ category: 'batteries' }))`. */
  readonly each: { readonly [Id in PagedId]: Each<Id> }
}

/**
 * Creates the client of one gateway. Writes that accept an `Idempotency-Key` use one key for all attempts. Rate-limited requests are
 * retried after the requested wait, lost responses only if a repeat is safe.
 * @throws TypeError for invalid options; methods throw {@link DppError}
 */
export function createDpp(options: DppOptions): Dpp {
  const call: Call = callerOf(options)
  const ids = Object.keys(OPERATIONS) as OperationId[]
  const row = (id: OperationId): OperationRow => OPERATIONS[id]
  const methods = ids.map((id) => [
    id,
    async (parameters?: Readonly<Record<string, unknown>>, how?: CallOptions) =>
      (await call(id, parameters, how)).answer,
  ])
  const lists = ids
    .filter((id) => row(id).pages !== undefined)
    .map((id) => [
      id,
      (parameters?: Readonly<Record<string, unknown>>, how?: CallOptions) => itemsOf(call, id, parameters, how),
    ])
  return { ...Object.fromEntries(methods), each: Object.fromEntries(lists) }
}
