import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { afterEach, expect, test, vi } from 'vitest'
import { startBackgroundJobs } from '../../../src/jobs/background-job.ts'
import type { BackgroundQueue } from '../../../src/plugin/contracts.ts'
import { connected } from '../../../test/support/databases.ts'
import { createWorkspace, type TestWorkspace } from '../../../test/support/gateway.ts'
import { hurry } from '../../../test/support/jobs.ts'
import { standard } from '../../../test/support/reference-tools.ts'
import { givenCapture } from '../../../test/support/sample-calls.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'
import type { Cradle } from './cradle.ts'
import module from './index.ts'

const { gateway, workspace } = await useGateway()
const { boss, outbox } = gateway.container.cradle
const captures = gateway.container.resolve<Cradle['captures']>('captures')
const QUEUE = module.queues[0] as BackgroundQueue
const NEVER = new AbortController().signal

type Json = Record<string, unknown>
let serial = 0
const item = () => `https://example.com/items/captured-${++serial}`
const made = (members: Json = {}): Json => ({
  type: 'ObjectEvent',
  action: 'ADD',
  bizStep: 'commissioning',
  eventTime: new Date(Date.UTC(2026, 0, 1) + 1000 * ++serial).toISOString(),
  eventTimeZoneOffset: '+00:00',
  epcList: [item()],
  ...members,
})
const documentOf = (eventList: readonly unknown[], members: Json = {}) => ({
  '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'],
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: '2026-02-01T00:00:00Z',
  epcisBody: { eventList },
  ...members,
})
const submit = (json: unknown, { as }: Pick<TestWorkspace, 'as'> = workspace, headers: Record<string, string> = {}) =>
  gateway.request('POST', '/api/v1/capture', { headers: { ...as, ...headers }, json })
const read = (id: string, { as }: Pick<TestWorkspace, 'as'> = workspace) =>
  gateway.request('GET', `/api/v1/capture/${id}`, { headers: as })
async function accepted(json: Json, of: Pick<TestWorkspace, 'as'> = workspace): Promise<string> {
  const { status, body, text } = await submit(json, of)
  expect([status, text]).toEqual([202, text])
  return body.captureID
}
const finished = (id: string, of: Pick<TestWorkspace, 'as'> = workspace) =>
  vi.waitFor(
    async () => {
      const { body } = await read(id, of)
      expect(body.running).toBe(false)
      return body
    },
    { timeout: 60_000, interval: 50 },
  )
const eventsOf = async (epc: string, { as }: Pick<TestWorkspace, 'as'> = workspace) =>
  (await gateway.request('GET', `/api/v1/events?MATCH_anyEPC=${encodeURIComponent(epc)}`, { headers: as })).body
    .epcisBody.queryResults.resultsBody.eventList
const count = async (table: string, { id } = workspace) =>
  (
    await gateway.sqlAs<{ count: number }>(id, `select count(*)::int as count from ${table} where tenant_id = $1`, [id])
  )[0]?.count

afterEach(async () => {
  await gateway.sqlAs(workspace.id, 'delete from capture_job')
})

test('a document of more events than one request takes is captured after the answer, whole', async () => {
  const of = await createWorkspace(gateway)
  const last = item()
  const events = [...Array.from({ length: 2_099 }, () => made()), made({ epcList: [last] })]
  const { status, headers, body } = await submit(documentOf(events), of)
  expect([status, headers.location, headers['gs1-capture-error-behaviour'], headers['gs1-epcis-version']]).toEqual([
    202,
    `/api/v1/capture/${body.captureID}`,
    'rollback',
    '2.0.0',
  ])
  expect(body).toMatchObject({ running: true, success: true, errors: [], eventCount: 2_100, judgedCount: 0 })
  const done = await finished(body.captureID, of)
  expect(done).toEqual({
    captureID: body.captureID,
    createdAt: body.createdAt,
    finishedAt: expect.any(String),
    running: false,
    success: true,
    captureErrorBehaviour: 'rollback',
    errors: [],
    eventCount: 2_100,
    judgedCount: 2_100,
  })
  expect(await count('trace_event', of)).toBe(2_100)
  expect(await count('capture_piece', of)).toBe(0)
  expect(await eventsOf(last, of)).toHaveLength(1)
  expect((await finished(await accepted(documentOf(events), of), of)).success).toBe(true)
  expect(await count('trace_event', of)).toBe(2_100)
})

test('nothing is stored where one event is wrong, and every place is named', async () => {
  const before = await count('trace_event')
  const events = Array.from({ length: 1_200 }, () => made())
  const wrong = events.with(1_100, made({ eventTimeZoneOffset: 'CET' })).with(1_150, made({ epcList: [] }))
  const { success, errors } = await finished(await accepted(documentOf(wrong)))
  expect(success).toBe(false)
  expect(errors).toEqual([
    {
      type: 'epcisException:ValidationException',
      title: expect.any(String),
      detail: expect.stringMatching(/^\/epcisBody\/eventList\/1100\/eventTimeZoneOffset: /),
    },
    {
      type: 'epcisException:ValidationException',
      title: 'NO_ITEMS',
      detail: '/epcisBody/eventList/1150: The event has no item. Add at least one identifier.',
    },
  ])
  expect(await count('trace_event')).toBe(before)
  expect(await count('capture_piece')).toBe(0)
})

test('an event that is in two parts of a document is found', async () => {
  const twice = made({ eventID: 'urn:uuid:6b1fa1c4-6d5f-4d6b-9f0e-0e3b2c1d0f11' })
  const events = Array.from({ length: 1_001 }, () => made())
  const { success, errors } = await finished(await accepted(documentOf([twice, ...events, twice])))
  expect(success).toBe(false)
  expect(errors[0]).toMatchObject({ title: 'DUPLICATE_EVENT', detail: expect.stringMatching(/\/1002\/eventID: /) })
})

test.each<[string, unknown, Record<string, string>, number, string]>([
  ['nothing', undefined, {}, 400, '/type'],
  ['a text', 'EPCISDocument', {}, 400, 'object'],
  ['an event', { ...made(), '@context': [] }, {}, 400, '/type'],
  ['no event', documentOf([]), {}, 400, '/epcisBody/eventList'],
  ['more events than a job takes', documentOf(Array.from({ length: 10_001 }, () => 0)), {}, 400, '10001 events'],
  ['what is around them is wrong', documentOf([made()], { schemaVersion: 2 }), {}, 400, '/schemaVersion'],
  ['a credential', { type: ['VerifiableCredential'], credentialSubject: [made()] }, {}, 400, '/type'],
  [
    'an event is too large',
    documentOf([made({ 'x:y': Array.from({ length: 300 }, () => 'x'.repeat(4_000)) })]),
    {},
    400,
    '/epcisBody/eventList/0',
  ],
  ['half of it wanted', documentOf([made()]), { 'GS1-Capture-Error-Behaviour': 'proceed' }, 400, 'behaviour'],
])('is rejected immediately: %s', async (_, json, headers, status, place) => {
  const before = await count('capture_job')
  const answer = await submit(json, workspace, headers)
  expect([answer.status, answer.text.toLowerCase()]).toEqual([status, expect.stringContaining(place.toLowerCase())])
  expect(await count('capture_job')).toBe(before)
})

test('deep nesting and too many members are rejected before any validation', async () => {
  const deep = Array.from({ length: 40 }).reduce<unknown>((inner) => [inner], 1)
  expect((await submit(documentOf([{ deep }]))).status).toBe(400)
  const late = await finished(await accepted(documentOf([made({ 'x:deep': [[1]] }), 'nothing'])))
  expect(late.errors[0].detail).toMatch(/^\/epcisBody\/eventList\//)
})

test('an interrupted job is repeated, and stores each event once', async () => {
  const of = await createWorkspace(gateway)
  await boss.offWork(QUEUE.name)
  const id = await accepted(documentOf(Array.from({ length: 1_100 }, () => made())), of)
  const stopped = AbortSignal.abort(new Error('killed'))
  await expect(captures.work(of.id, id, stopped)).rejects.toThrow('killed')
  expect(await count('trace_event', of)).toBe(0)
  const both = await Promise.allSettled([captures.work(of.id, id, NEVER), captures.work(of.id, id, NEVER)])
  expect(both.map(({ status }) => status).toSorted()).toContain('fulfilled')
  expect(await finished(id, of)).toMatchObject({ success: true, judgedCount: 1_100 })
  expect(await count('trace_event', of)).toBe(1_100)
  await captures.work(of.id, id, NEVER)
  expect(await count('trace_event', of)).toBe(1_100)
  const { wake } = await startBackgroundJobs(QUEUE, captures, gateway.container.cradle)
  outbox.onAdded(QUEUE.name, wake)
})

test('a document that was accepted is captured, though the database failed it again and again', async () => {
  await connected(gateway.databaseUrl, (owner) =>
    owner.query(`create function away() returns trigger language plpgsql as
      $$ begin raise exception 'away' using errcode = 'cannot_connect_now'; end $$;
      create trigger away before insert on trace_event for each statement execute function away()`),
  )
  const id = await accepted(documentOf([made()]))
  const triedAgain = async () => {
    await hurry(gateway, QUEUE.name, { jobId: id })
    return gateway.sql(`select retry_count >= 3 as tried from pgboss.job where data->>'jobId' = $1`, [id])
  }
  await expect.poll(triedAgain).toEqual([{ tried: true }])
  expect((await read(id)).body.running).toBe(true)
  await connected(gateway.databaseUrl, (owner) => owner.query('drop function away cascade'))
  const isRunning = async () => {
    await hurry(gateway, QUEUE.name, { jobId: id })
    return (await read(id)).body.running
  }
  await expect.poll(isRunning).toBe(false)
  expect((await read(id)).body).toMatchObject({ success: true, errors: [] })
})

test('a failing job is abandoned with a reason, and stores nothing', async () => {
  const id = await givenCapture(gateway, workspace.id)
  await captures.abandon(workspace.id, id)
  expect(await finished(id)).toMatchObject({
    success: false,
    errors: [
      { type: 'epcisException:ImplementationException', detail: expect.stringContaining('Send the document again') },
    ],
  })
})

test('a workspace without quota is informed, and its job is not retried', async () => {
  const of = await createWorkspace(gateway)
  await gateway.container.cradle.workspaces.set(of.id, { rowLimit: 500 })
  const { success, errors } = await finished(
    await accepted(documentOf(Array.from({ length: 1_001 }, () => made())), of),
    of,
  )
  expect([success, errors[0].type]).toEqual([false, 'epcisException:CaptureLimitExceededException'])
  expect(await count('trace_event', of)).toBe(0)
})

test('a workspace has a limit of pending captures, and lists them page by page', async () => {
  const of = await createWorkspace(gateway)
  const ids = []
  for (let open = 0; open < 4; open += 1) ids.unshift(await givenCapture(gateway, of.id))
  const refused = await submit(documentOf([made()]), of)
  expect([refused.status, refused.body.code]).toEqual([409, 'CAPTURE_LIMIT_REACHED'])
  const list = async (query: string) => gateway.request('GET', `/api/v1/capture${query}`, { headers: of.as })
  const first = await list('?perPage=3')
  expect(first.body.map(({ captureID }: Json) => captureID)).toEqual(ids.slice(0, 3))
  const [, next = ''] = /<([^>]+)>; rel="next"/.exec(String(first.headers.link)) ?? []
  const second = await gateway.request('GET', next, { headers: of.as })
  expect(second.body.map(({ captureID }: Json) => captureID)).toEqual(ids.slice(3))
  expect(second.headers.link).toBeUndefined()
  expect((await list('')).body).toHaveLength(4)
})

test('the same Idempotency-Key gets the same capture, whatever comes with it', async () => {
  const of = await createWorkspace(gateway)
  const jobs = () => count('capture_job', of)
  const send = (json: Json, key: string) => submit(json, of, { 'idempotency-key': key })
  const sent = documentOf(Array.from({ length: 1_001 }, () => made()))
  const first = await send(sent, 'load 1')
  expect([first.status, first.headers['idempotent-replayed']]).toEqual([202, undefined])
  expect(first.headers.location).toBe(`/api/v1/capture/${first.body.captureID}`)
  for (const json of [sent, documentOf([made()])]) {
    const again = await send(json, 'load 1')
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([202, first.text, 'true'])
    for (const name of ['location', 'gs1-capture-error-behaviour', 'gs1-epcis-version'] as const)
      expect(again.headers[name]).toBe(first.headers[name])
  }
  expect(await jobs()).toBe(1)
  await finished(first.body.captureID, of)
  expect(await count('trace_event', of)).toBe(1_001)
  const other = await send(documentOf([made()]), 'load 2')
  expect(other.body.captureID).not.toBe(first.body.captureID)
  expect(await jobs()).toBe(2)
})

test('a key is free again when too many captures waited, and keeps the refusal of what is wrong', async () => {
  const of = await createWorkspace(gateway)
  const send = (json: Json, key: string) => submit(json, of, { 'idempotency-key': key })
  for (let open = 0; open < 4; open += 1) await givenCapture(gateway, of.id)
  const refused = await send(documentOf([made()]), 'waits')
  expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
    409,
    'CAPTURE_LIMIT_REACHED',
    '2',
  ])
  await gateway.sqlAs(of.id, 'delete from capture_job')
  const taken = await send(documentOf([made()]), 'waits')
  expect([taken.status, taken.headers['idempotent-replayed']]).toEqual([202, undefined])
  const wrong = documentOf([made()], { schemaVersion: 2 })
  const [answered, repeated] = [await send(wrong, 'wrong'), await send(wrong, 'wrong')]
  expect([repeated.status, repeated.headers['idempotent-replayed'], repeated.body.errors]).toEqual([
    400,
    'true',
    answered.body.errors,
  ])
})

test('captures of another workspace are neither visible nor processed', async () => {
  const other = await createWorkspace(gateway)
  const id = await givenCapture(gateway, workspace.id)
  expect((await read(id, other)).status).toBe(404)
  expect((await gateway.request('GET', '/api/v1/capture', { headers: other.as })).body).toEqual([])
  await captures.work(other.id, id, NEVER)
  await captures.abandon(other.id, id)
  expect((await read(id)).body.running).toBe(true)
})

test('expired captures are deleted', async () => {
  const id = await givenCapture(gateway, workspace.id, { expiresIn: '-1 second' })
  expect((await read(id)).status).toBe(404)
})

const REST = standard('epcis/epcis-rest-openapi.json')
test.skipIf(REST === undefined)('a capture is what the REST bindings of EPCIS 2.0 describe', async () => {
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'rest', ...JSON.parse(readFileSync(REST as string, 'utf8')) })
  const validateJob = ajv.compile({ $ref: 'rest#/components/schemas/CaptureJob/allOf/0' })
  const validateError = ajv.compile({ $ref: 'rest#/components/schemas/RFC7807ProblemResponseBody' })
  const running = await givenCapture(gateway, workspace.id)
  const right = await accepted(documentOf([made()]))
  const wrong = await accepted(documentOf([made({ epcList: [] })]))
  const bodies = [(await read(running)).body, await finished(right), await finished(wrong)]
  for (const body of bodies) expect([validateJob(body), validateJob.errors]).toEqual([true, null])
  const errors = bodies.flatMap((body) => body.errors)
  expect(errors).toHaveLength(1)
  for (const error of errors) expect([validateError(error), validateError.errors]).toEqual([true, null])
})
