import type { PagedId } from '../client/contract.ts'
import type { Answer, Item, OperationId, Parameters } from '../client/index.ts'
import { OPERATIONS } from '../generated/client-operations.ts'
import {
  type Command,
  type CommandInput,
  type Option,
  type Options,
  type Outcome,
  printable,
  readRecord,
  segment,
  text,
  UsageError,
} from './command.ts'
import { REMOTE_OPTIONS, remoteOf } from './remote.ts'

/** Parameter of an operation, JSON body member as `body.name`, or Idempotency-Key. */
type Target<Id extends OperationId> =
  | (Exclude<keyof Parameters<Id>, 'body' | 'contentType'> & string)
  | BodyMember<Parameters<Id>>
  | 'idempotencyKey'
type BodyMember<Of> = Of extends { readonly body?: infer Body } ? `body.${NamesOf<Body>}${'' | `.${string}`}` : never
type NamesOf<Of> = Of extends object ? keyof Of & string : never

interface RemoteOption<Id extends OperationId> extends Option {
  readonly fills: Target<Id>
  readonly isNumber?: boolean
}

interface RemoteShape<Id extends OperationId> {
  readonly summary: string
  readonly words?: Readonly<Record<string, Target<Id>>>
  /** Last argument, optional if options fill the body. */
  readonly file?: 'required' | 'optional'
  /** Members to send, if the file may have others. */
  readonly members?: readonly string[]
  readonly options?: Readonly<Record<string, RemoteOption<Id>>>
  readonly notes?: readonly string[]
}

interface RemoteRow<Id extends OperationId> extends RemoteShape<Id> {
  show(answer: Answer<Id>, options: Options): Outcome | Promise<Outcome>
}

interface RemoteListRow<Id extends OperationId> extends RemoteShape<Id> {
  readonly name: string
  readonly columns: Readonly<Record<string, (item: ItemOf<Id>) => unknown>>
  keep?(item: ItemOf<Id>, options: Options): boolean
  readonly filters?: Readonly<Record<string, Option>>
}

type ItemOf<Id extends OperationId> = Id extends PagedId ? Item<Id> : ElementOf<Answer<Id>>
type ElementOf<Of> = { [Name in keyof Of]: Of[Name] extends readonly (infer One)[] ? One : never }[keyof Of]

const FILE = 'FILE|URL|-'
/** Largest page of every list. */
const PAGE_SIZE = 100
const DEFAULT_LIMIT = 30
const PAGING = {
  limit: { value: 'NUMBER', meaning: 'Maximum number of rows', default: String(DEFAULT_LIMIT) },
  all: { meaning: 'No maximum' },
}

export function remote<Id extends OperationId>(operation: Id, row: RemoteRow<Id>): Command {
  return {
    ...commandOf(row),
    async run(input) {
      const { dpp } = remoteOf(input.options, input.env)
      const { idempotencyKey, ...parameters } = await parametersOf(row, input)
      const call = dpp[operation] as (parameters: object, how: object) => Promise<Answer<Id>>
      return row.show(await call(parameters, { idempotencyKey }), input.options)
    },
  }
}

export function remoteList<Id extends OperationId>(operation: Id, row: RemoteListRow<Id>): Command {
  const isPaged = 'pages' in OPERATIONS[operation]
  return {
    ...commandOf(row),
    options: { ...row.options, ...row.filters, ...(isPaged ? PAGING : {}), ...REMOTE_OPTIONS },
    notes: [
      ...(row.notes ?? []),
      `Columns: ${Object.keys(row.columns).join(', ')}; in a pipe separated by tabs, without headings.`,
    ],
    async run(input) {
      const { options } = input
      const { dpp } = remoteOf(options, input.env)
      const max = !isPaged || options.all === true ? Number.POSITIVE_INFINITY : limitOf(options)
      const limit = row.keep === undefined ? Math.min(max, PAGE_SIZE) : PAGE_SIZE
      const parameters = { ...(await parametersOf(row, input)), ...(isPaged ? { limit } : {}) }
      const items: ItemOf<Id>[] = []
      for await (const item of itemsOf(dpp, operation, parameters, isPaged)) {
        if (row.keep?.(item, options) === false) continue
        items.push(item)
        if (items.length >= max) break
      }
      if (input.isTerminal && items.length >= max) input.tell(`Only the first ${max} are listed. For all: --all`)
      return {
        json: { [row.name]: items },
        table: {
          headings: Object.keys(row.columns),
          rows: items.map((item) => Object.values(row.columns).map((cell) => printable(String(cell(item) ?? '')))),
        },
      }
    },
  }
}

async function* itemsOf<Id extends OperationId>(
  dpp: ReturnType<typeof remoteOf>['dpp'],
  operation: Id,
  parameters: object,
  isPaged: boolean,
): AsyncGenerator<ItemOf<Id>> {
  const calls = (isPaged ? dpp.each : dpp) as unknown as Record<string, (parameters: object) => unknown>
  const answer = calls[operation]?.(parameters)
  if (isPaged) yield* answer as AsyncIterable<ItemOf<Id>>
  else yield* Object.values((await answer) as object).find(Array.isArray) as ItemOf<Id>[]
}

function commandOf<Id extends OperationId>({ summary, words = {}, file, options, notes }: RemoteShape<Id>) {
  const last = file === undefined ? [] : [file === 'optional' ? `[${FILE}]` : FILE]
  return { summary, words: [...Object.keys(words), ...last], options: { ...options, ...REMOTE_OPTIONS }, notes }
}

/** @throws UsageError for missing input */
async function parametersOf<Id extends OperationId>(
  { words = {}, file, members, options = {} }: RemoteShape<Id>,
  input: CommandInput,
): Promise<Record<string, unknown>> {
  const filled = Object.entries(words).map(([name, target], index): [string, unknown] => [
    target,
    segment(input.words, name, index),
  ])
  const parameters: Record<string, unknown> = {}
  const name = input.words[filled.length]
  if (file === 'required' && name === undefined) throw new UsageError(`${FILE} is missing.`)
  if (name !== undefined) {
    const record = await readRecord(name)
    parameters.body =
      members === undefined
        ? record
        : Object.fromEntries(members.flatMap((member) => (member in record ? [[member, record[member]]] : [])))
  }
  for (const [option, { fills, isNumber, needed }] of Object.entries<RemoteOption<Id>>(options)) {
    const value = input.options[option]
    if (value === undefined && needed) throw new UsageError(`--${option} is missing.`)
    if (value !== undefined) filled.push([fills, isNumber ? numberOf(option, value) : value])
  }
  for (const [target, value] of filled) fill(parameters, target.split('.'), value)
  return parameters
}

function fill(target: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    target[name] = value
    return
  }
  target[name] ??= {}
  fill(target[name] as Record<string, unknown>, rest, value)
}

function numberOf(option: string, value: string | boolean): number {
  const number = Number(value)
  if (value === '' || !Number.isFinite(number)) throw new UsageError(`--${option} must be a number.`)
  return number
}

function limitOf(options: Options): number {
  const value = text(options, 'limit') ?? String(DEFAULT_LIMIT)
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new UsageError('--limit must be an integer.')
  return Number(value)
}

export function fieldsOf(record: object): string[] {
  const fields = Object.entries(record).flatMap(([name, value]): [string, string][] => {
    if (value === null || value === undefined || name.startsWith('@')) return []
    return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]]
  })
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields.map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}`)
}
