import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import type { Operation } from '../../src/http/contract.ts'
import type { Answer } from './contract-client.ts'
import { type FuzzRequest, fuzzRequests, nastyValue, type Value } from './fuzz-requests.ts'
import { bearer, createWorkspace, type TestGateway } from './gateway.ts'
import { type LongRun, longRun } from './long-runs.ts'
import { type Call, givenSubjects, type Subjects, sampleCalls } from './sample-calls.ts'

/** A request generated from the contract only. */
type OddStep = Omit<FuzzRequest, 'operation'> & { readonly operationId: string }

/** A valid request, possibly with one damaged value. */
interface SampleStep {
  readonly operationId: string
  readonly credential: FuzzRequest['credential']
  /** Selects among the known values for address and body. */
  readonly choice: number
  readonly damage: { readonly at: number; readonly value: unknown } | undefined
}

/** One request of a sequence; it refers to values known before or created by an earlier step. */
type Step = OddStep | SampleStep

/** Life-cycle operations of passports, called more often than others. */
const STORY: ReadonlySet<string> = new Set([
  'createPassport',
  'updatePassport',
  'sealPassport',
  'revisePassport',
  'updatePassportStatus',
  'getPassport',
  'resolvePublicPassport',
  'resolveGs1Gtin',
  'verifySeal',
  'issueGrant',
  'approveGrant',
  'revokeGrant',
  'serializeBatteryUnits',
  'recordBatteryUnitEvent',
  'resolvePublicBatteryUnit',
  'createBatches',
  'createWebhookSubscription',
  'updateWebhookSubscription',
  'captureTraceEvents',
  'captureTraceDocument',
  'importPassports',
  'offerUnitHandover',
  'acceptHandover',
])
/** Maximum steps of a sequence, and sequences per pair of workspaces. The average is half of it. */
const MAX_STEPS = 60
const SEQUENCES = 20
/** Time for shrinking a failure. */
const SHRINKING_MS = 60_000
/** Values remembered per kind; older ones are dropped. */
const MAX_KNOWN = 40

type Known = Partial<Record<keyof Subjects, readonly string[]>>

/** Subject by member of a response. */
const LEARNED: readonly (readonly [kind: string, member: string, subject: keyof Subjects])[] = [
  ['passport', 'id', 'passportId'],
  ['passport', 'productId', 'gtin'],
  ['operator', 'id', 'operatorId'],
  ['facility', 'id', 'facilityId'],
  ['grant', 'id', 'grantId'],
  ['units', 'id', 'unitId'],
  ['units', 'serialNumber', 'unitSerial'],
  ['batches', 'id', 'batchId'],
  ['batches', 'batchNumber', 'batchNumber'],
  ['link', 'id', 'linkId'],
  ['handover', 'id', 'handoverId'],
  ['medium', 'id', 'mediaId'],
  ['subscription', 'id', 'subscriptionId'],
  ['deliveries', 'id', 'deliveryId'],
]
/** Subject by `Location` pattern. */
const PLACES: readonly (readonly [path: string, subject: keyof Subjects])[] = [
  ['/capture/', 'captureId'],
  ['/imports/', 'importId'],
  ['/label-jobs/', 'labelJobId'],
]

/** Parameters of each operation's address. */
const NAMES = sampleCalls(new Proxy({} as Subjects, { get: (_, name) => name, ownKeys: () => [] }))

/** A lone surrogate cannot be percent-encoded; U+FFFD replaces it. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

/** Two workspaces with their own data and that of earlier players. */
export async function givenPlayer(gateway: TestGateway, strange: Known = {}) {
  const { workspaces, contract } = gateway.container.cradle
  const [own, other] = [await createWorkspace(gateway), await createWorkspace(gateway)]
  const { cookie, csrf } = await workspaces.createSession({
    workspaceId: own.id,
    user: 'fuzz',
    role: 'TENANT_ADMIN',
    mfa: true,
  })
  const credentials: Record<FuzzRequest['credential'], Record<string, string>> = {
    owner: own.as,
    auditor: bearer((await workspaces.createKey({ workspaceId: own.id, role: 'AUDITOR' })).key),
    other: other.as,
    session: { cookie, 'x-csrf-token': csrf },
    invalid: bearer('dpp_key_invalid'),
    none: {},
  }
  const operations = new Map([...contract.operations.values()].map((each) => [each.operationId, each]))
  const subjects = await givenSubjects(gateway, own)
  const atFirst = learned(learned(strange, await givenSubjects(gateway, other)), subjects)

  /** Sends the steps in order. Fails at the first response outside the contract. */
  async function play(
    steps: readonly Step[],
    { sends = () => {}, seen = () => {} }: { sends?: (step: Step) => void; seen?: (answer: Answer) => void } = {},
  ): Promise<void> {
    let known = atFirst
    let sealed: Answer['body']
    for (const step of steps) {
      const operation = operations.get(step.operationId)
      if (operation === undefined) throw new Error(`There is no operation ${step.operationId}.`)
      const { path, headers, ...body } =
        'choice' in step ? sampleOf(step, known, sealed) : { ...oddOf(step, operation, known) }
      sends(step)
      const answer = await gateway.request(operation.method, path, {
        ...body,
        headers: { ...headers, ...credentials[step.credential] },
      })
      seen(answer)
      if (answer.status >= 500 && answer.status !== 501)
        throw new Error(`${step.operationId} answered ${answer.status}: ${answer.text}`)
      known = learned(known, subjectsIn(answer))
      if (answer.body?.proof !== undefined) sealed = answer.body
    }
  }

  return { play, known: atFirst }
}

function learned(known: Known, more: Known | Partial<Subjects>): Known {
  const result: Known = { ...known }
  for (const [name, value] of Object.entries(more) as [keyof Subjects, string | readonly string[]][]) {
    const values = [value].flat()
    result[name] = [...(result[name] ?? []).filter((each) => !values.includes(each)), ...values].slice(-MAX_KNOWN)
  }
  return result
}

function subjectsIn({ body, headers }: Answer): Known {
  let known: Known = {}
  for (const [kind, member, subject] of LEARNED) {
    for (const each of [body?.[kind] ?? []].flat()) {
      if (typeof each?.[member] === 'string' && each[member] !== '') known = learned(known, { [subject]: each[member] })
    }
  }
  if (typeof body?.code === 'string' && body.code.startsWith('dpp_handover_')) known.handoverCode = [body.code]
  if (typeof body?.eventId === 'string') known.traceEventId = [body.eventId]
  const { location = '' } = headers
  for (const [path, subject] of PLACES) {
    const at = location.lastIndexOf(path)
    if (at !== -1) known[subject] = [location.slice(at + path.length)]
  }
  return known
}

/** Two out of three times the latest value; otherwise one that may be deleted or foreign. */
const chosenOf = (values: readonly string[], choice: number) =>
  values.at(-1 - (choice % 3 === 0 ? Math.floor(choice / 3) % values.length : 0))

/** Body and address of a sample of the operation, with known values. */
function sampleOf({ operationId, choice, damage }: SampleStep, known: Known, sealed: Answer['body']) {
  const chosen = Object.entries(known).map(([name, values]) => [name, chosenOf(values, choice)])
  const call = sampleCalls(Object.fromEntries(chosen))[operationId] as Call
  const { path, form, file } = call
  const json = operationId === 'verifySeal' && sealed !== undefined ? { payload: sealed } : call.json
  // Dry runs of samples are real in every second request.
  const address = choice % 2 === 0 ? path.replace('?dryRun=true', '') : path
  if (damage === undefined) return { path: address, headers: {}, json, form, file }
  if (file !== undefined) return { path: address, headers: {}, file: { ...file, bytes: cut(file.bytes, damage.at) } }
  if (form !== undefined) return { path: address, headers: {}, form: { ...form, granteeName: String(damage.value) } }
  return { path: address, headers: {}, json: json === undefined ? undefined : damaged(json, damage) }
}

const cut = (bytes: Uint8Array, at: number) => Buffer.concat([bytes.subarray(0, at % bytes.length), randomBytes(3)])

/** The value with one member at any depth replaced or removed. */
function damaged(json: unknown, { at, value }: { readonly at: number; readonly value: unknown }): unknown {
  const copy = structuredClone(json)
  const places: [holder: Record<string, unknown>, name: string][] = []
  const walk = (holder: unknown) => {
    if (typeof holder !== 'object' || holder === null) return
    for (const [name, member] of Object.entries(holder)) {
      places.push([holder as Record<string, unknown>, name])
      walk(member)
    }
  }
  walk(copy)
  const [holder, name] = places[at % places.length] ?? []
  if (holder !== undefined && name !== undefined) {
    // JSON omits it.
    Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return copy
}

function oddOf({ path, query, headers, body }: OddStep, operation: Operation, known: Known) {
  const names = NAMES[operation.operationId]?.path.split('?')[0]?.split('/') ?? []
  let at = 0
  const textOf = (value: Value | undefined, name: string) => {
    if (value === undefined || 'text' in value) return value?.text ?? ''
    const values = known[name as keyof Subjects] ?? [name]
    return chosenOf(values, value.known) ?? ''
  }
  const address = operation.path
    .split('/')
    .map((segment, index) =>
      segment.startsWith('{') ? encoded(textOf(path[at++], names[index] ?? 'passportId')) || '%20' : segment,
    )
    .join('/')
  const required: [string, string][] =
    address === '/request-access' ? [['passport', textOf(path[0], 'passportId')]] : []
  const search = [...required, ...query].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')
  return {
    path: search === '' ? address : `${address}?${search}`,
    headers: { ...headers, ...(body && { 'content-type': body.contentType }) },
    raw: body?.text,
  }
}

/** Sequences over every operation: half nearly well-formed, half odd. */
function sequences(gateway: TestGateway): fc.Arbitrary<Step[]> {
  const { document, operations } = gateway.container.cradle.contract
  const every = [...operations.values()]
  const odd = fuzzRequests(document, every).map(({ operation: { operationId }, ...rest }) => ({ operationId, ...rest }))
  const sample: fc.Arbitrary<SampleStep> = fc.record({
    operationId: fc.oneof(
      ...every.map(({ operationId }) => ({
        weight: STORY.has(operationId) ? 6 : 1,
        arbitrary: fc.constant(operationId),
      })),
    ),
    credential: fc.oneof(
      { weight: 8, arbitrary: fc.constant('owner' as const) },
      { weight: 2, arbitrary: fc.constantFrom('other' as const, 'session' as const) },
      { weight: 1, arbitrary: fc.constantFrom('auditor' as const, 'none' as const) },
    ),
    choice: fc.nat(3 * MAX_KNOWN),
    damage: fc.option(fc.record({ at: fc.nat(1000), value: fc.oneof(fc.constant(undefined), nastyValue) }), {
      freq: 1,
      nil: undefined,
    }),
  })
  return fc.array(fc.oneof<fc.Arbitrary<Step>[]>(sample, odd), { minLength: 1, maxLength: MAX_STEPS, size: 'max' })
}

/**
 * Sends sequences until the request limit or the deadline. A failure is shrunk and thrown as a test to paste. Each
 * round has two new workspaces and the next seed, so that the seed of a failing round repeats it.
 */
export async function fuzz(gateway: TestGateway, bounds: { requests: number; seed: number; minutes?: number }) {
  return longRun('fuzz', bounds, async (run: LongRun) => {
    const statuses = new Map<string, number>()
    const steps = sequences(gateway)
    let strange: Known = {}
    for (let { seed } = bounds; !run.isOver(); seed += 1) {
      const player = await givenPlayer(gateway, strange)
      /** The sequence that failed last is the smallest; later steps are not sent. */
      let failing: readonly Step[] = []
      const property = fc.asyncProperty(steps, async (sequence) => {
        if (run.isOver()) return
        const sent: Step[] = []
        const seen = ({ status }: Answer) => {
          run.count()
          statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1)
        }
        try {
          await player.play(sequence, { sends: (step) => sent.push(step), seen })
        } catch (error) {
          failing = sent
          throw error
        }
      })
      const result = await fc.check(property, { seed, numRuns: SEQUENCES, interruptAfterTimeLimit: SHRINKING_MS })
      if (result.failed) {
        const { message } = result.errorInstance as Error
        throw new Error(`${message}\nSeed ${seed}; as a test:\n\n${testOf(seed, failing)}`)
      }
      strange = player.known
    }
    return statuses
  })
}

const testOf = (seed: number, steps: readonly Step[]) =>
  `test('seed ${seed}', async () => {\n  const { play } = await givenPlayer(gateway)\n  await play(${JSON.stringify(steps, undefined, 2)})\n})`
