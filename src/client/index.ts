/**
 * The typed client of a dpp-gateway: `import { createDpp } from 'dpp-gateway/client'`, or `@dpp-gateway/client` on its own.
 * It needs nothing but `fetch`: Node 20, browsers, Deno, workers.
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

/** How a call of one operation is made. */
export type OptionsOf<Id extends OperationId> = Omit<CallOptions, 'accept'> & { readonly accept?: MediaType<Id> }

/** What a call answers with these options. */
type AnswerTo<Id extends OperationId, Options> = Options extends { readonly as: 'response' }
  ? Response
  : Options extends { readonly accept: infer Type extends string }
    ? AnswerIn<Id, Type>
    : Answer<Id>

/** Calls one operation; what has no parameters that are needed may be called without. */
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

/** All that a list has, page by page, as far as the loop goes. */
type Each<Id extends PagedId> =
  Record<never, never> extends Parameters<Id>
    ? (parameters?: Parameters<Id>, options?: PageOptions) => AsyncGenerator<Item<Id>, void, undefined>
    : (parameters: Parameters<Id>, options?: PageOptions) => AsyncGenerator<Item<Id>, void, undefined>

type PageOptions = Omit<CallOptions, 'accept' | 'as' | 'idempotencyKey'>

/** The operations of a gateway by their id. */
export type Dpp = { readonly [Id in OperationId]: Method<Id> } & {
  /** The same lists, item by item: `for await (const passport of dpp.each.listPassports({ category: 'batteries' }))`. */
  readonly each: { readonly [Id in PagedId]: Each<Id> }
}

/**
 * Makes the client of one gateway. Each operation is a method: it takes the parameters of path and query beside `body`, and
 * answers with what the gateway says.
 *
 * Writes of which the contract says that they take an `Idempotency-Key` are sent with one, which is kept over all attempts.
 * What a limit refuses is sent again when the gateway says; an answer that was lost, where nothing can be done twice.
 *
 * @throws TypeError for options that cannot be meant; its methods throw {@link DppError}
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
