import { afterAll, describe, expect, test } from 'vitest'
import { sampleOf } from '../support/exposition.ts'
import { withoutTable } from '../support/faults.ts'
import { createWorkspace, MASTER_KEY, newGtin, startTestGateway, textile } from '../support/gateway.ts'
import { startProcess } from '../support/process.ts'
import { attributesOf, type ReceivedSpan, startTraceReceiver } from '../support/trace-receiver.ts'
import { useGateway } from '../support/use-gateway.ts'
import { webhookClient } from '../support/webhook-client.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

const traces = await startTraceReceiver()
const { gateway, workspace, passports } = await useGateway({
  OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-opens=canary%20key',
  OTEL_SERVICE_NAME: 'gateway-under-test',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
})
afterAll(() => traces.close())

const SOON = { timeout: 60_000, interval: 100 }
const SLOW = { timeout: 180_000 }

const OURS = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const traceparent = `00-${OURS.traceId}-${OURS.spanId}-01`
const ofTrace = () => traces.spans.filter(({ traceId }) => traceId === OURS.traceId)
const named = (name: string) => ofTrace().filter((span) => span.name === name)

/** Names of a span and its ancestors; the caller's is its place. */
function wayOf(span: ReceivedSpan | undefined): string[] {
  if (span === undefined) return []
  if (span.parentSpanId === OURS.spanId) return [span.name, 'caller']
  return [span.name, ...wayOf(traces.spans.find(({ spanId }) => spanId === span.parentSpanId))]
}

describe('a passport that is created, sealed and announced', () => {
  test('is one trace, from the caller to the receiver of the event', SLOW, async () => {
    const receiver = await startReceiver()
    await webhookClient(gateway, workspace.as).given(receiver.url, ['passport.sealed'])
    const headers = { ...workspace.as, traceparent }
    const created = await gateway.request('POST', '/api/v1/passports', {
      headers,
      json: { productId: newGtin(), metadata: textile() },
    })
    const { id } = created.body.passport
    await gateway.request('POST', `/api/v1/passports/${id}/seal`, { headers })
    await expect.poll(() => receiver.received.length, SOON).toBe(1)
    await expect.poll(() => named('process webhook-delivery').length, SOON).toBe(1)

    expect(wayOf(named('createPassport')[0])).toEqual(['createPassport', 'caller'])
    expect(wayOf(named('sign')[0])).toEqual(['sign', 'sealPassport', 'caller'])
    expect(named('transaction').map(wayOf)).toContainEqual(['transaction', 'sealPassport', 'caller'])
    expect(named('batch').map(wayOf)).toContainEqual(['batch', 'createPassport', 'caller'])
    expect(named('batch').map(wayOf)).toContainEqual(['batch', 'transaction', 'sealPassport', 'caller'])
    const [delivery] = named('process webhook-delivery')
    const way = ['process webhook-delivery', 'process passport-event', 'transaction', 'sealPassport', 'caller']
    expect(wayOf(delivery)).toEqual(way)
    expect(receiver.received[0]?.headers.traceparent).toBe(`00-${OURS.traceId}-${delivery?.spanId}-01`)
    await receiver.close()
  })

  test('is described as others describe it, and by whom it was sent', () => {
    const [created] = named('createPassport')
    expect(created?.kind).toBe(2)
    expect(attributesOf(created ?? { attributes: [] })).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/v1/passports',
      'http.response.status_code': 201,
    })
    expect(traces.resource()).toMatchObject({
      'service.name': 'gateway-under-test',
      'deployment.environment.name': 'test',
    })
    expect(traces.headers[0]?.['x-opens']).toBe('canary key')
  })

  test('says nothing that a caller has said, and opens nothing', async () => {
    const { id, productId } = await passports.given()
    const canary = 'canary-of-a-caller'
    const headers = { ...workspace.as, 'x-request-id': canary, traceparent }
    await gateway.request('GET', `/api/v1/passports/${id}`, { headers })
    await gateway.request('GET', `/api/v1/passports/${canary}`, { headers })
    await gateway.request('GET', `/api/v1/passports?search=${canary}`, { headers }).catch(() => {})
    await expect.poll(() => named('getPassport').length, SOON).toBe(2)
    const text = traces.texts.join('\n')
    for (const word of [id, productId, canary, workspace.id, workspace.key, workspace.operatorId, 'canary']) {
      expect([word, text.includes(word)]).toEqual([word, false])
    }
  })
})

test('seals of a shared transaction are each recorded in their own trace', SLOW, async () => {
  const sealed = await Promise.all(Array.from({ length: 6 }, () => passports.given()))
  const traceOf = (index: number) => `${index + 1}`.repeat(32)
  const seal = ({ id }: { id: string }, index: number) =>
    gateway.request('POST', `/api/v1/passports/${id}/seal`, {
      headers: { ...workspace.as, traceparent: `00-${traceOf(index)}-${'e'.repeat(16)}-01` },
    })
  for (const { status } of await Promise.all(sealed.map(seal))) expect(status).toBe(200)
  for (const [index, { id }] of sealed.entries()) {
    const [job] = await gateway.sql<{ traceparent: string }>(
      `select data ->> 'traceparent' as traceparent from pgboss.job
       where name = 'passport-event' and data ->> 'event' = 'passport.sealed' and data -> 'passports' @> $1`,
      [JSON.stringify([{ id }])],
    )
    expect(job?.traceparent.slice(3, 35)).toBe(traceOf(index))
  }
})

test('an invalid traceparent starts a new trace, and unsampled ones are not recorded', SLOW, async () => {
  const { id } = await passports.given()
  const before = traces.spans.length
  const read = (header: string) =>
    gateway.request('GET', `/api/v1/passports/${id}`, { headers: { ...workspace.as, traceparent: header } })
  const unsampled = `00-${'c'.repeat(32)}-${'d'.repeat(16)}-00`
  for (const header of [
    'x'.repeat(4000),
    `${traceparent}, ${traceparent}`,
    `00-${'0'.repeat(32)}-${'d'.repeat(16)}-01`,
    unsampled,
  ]) {
    expect((await read(header)).status).toBe(200)
  }
  const since = () => traces.spans.slice(before).filter(({ name }) => name === 'getPassport')
  await expect.poll(() => since().length, SOON).toBe(3)
  expect(since().filter(({ parentSpanId }) => parentSpanId)).toEqual([])
  expect(traces.spans.some(({ traceId }) => traceId === 'c'.repeat(32))).toBe(false)
})

test('the public lane makes no spans', SLOW, async () => {
  const { id } = await passports.given()
  const read = (headers: Record<string, string>) => gateway.request('GET', `/passport/${id}`, { headers })
  const { lane } = gateway.container.cradle.counters
  // Until the public cache responds.
  await expect.poll(() => read({}).then(() => lane.hit), SOON).toBeGreaterThan(0)
  await read({ traceparent: `00-${'e'.repeat(32)}-${'d'.repeat(16)}-01` })
  await gateway.request('GET', '/api/v1/whoami', {
    headers: { ...workspace.as, traceparent: `00-${'f'.repeat(32)}-${'d'.repeat(16)}-01` },
  })
  await expect.poll(() => traces.spans.some(({ traceId }) => traceId === 'f'.repeat(32)), SOON).toBe(true)
  expect(traces.spans.some(({ traceId }) => traceId === 'e'.repeat(32))).toBe(false)
})

describe('a receiver that does not take traces', () => {
  test.each(['fails', 'hangs', 'is closed'] as const)(
    '%s: requests are answered, and the end comes',
    SLOW,
    async (mode) => {
      const receiver = await startTraceReceiver()
      if (mode === 'is closed') await receiver.close()
      else receiver.mode = mode
      const lost = await startTestGateway({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, METRICS_PORT: '0' })
      const { as } = await createWorkspace(lost)
      await expect.poll(() => sampleOf(lost, 'dpp_trace_spans_total', { result: 'lost' }), SOON).toBeGreaterThan(0)
      expect((await lost.request('GET', '/api/v1/whoami', { headers: as })).status).toBe(200)
      await lost.close()
      await receiver.close()
    },
  )
})

test('a line of the log says which request and which trace it belongs to, and the process ends', SLOW, async () => {
  traces.mode = 'hangs'
  const running = await startProcess({
    ...{ DATABASE_URL: gateway.databaseUrl, MASTER_KEY, RATE_LIMITS: 'off', DEMO: 'off', LOG_LEVEL: 'info' },
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
  })
  await running.printed('dpp-gateway is ready at')
  const { id } = await passports.given()
  await withoutTable(gateway, 'passport', () =>
    fetch(`${running.url}/api/v1/passports/${id}`, {
      headers: { ...workspace.as, traceparent, 'x-request-id': 'request-1' },
    }).then((answer) => answer.text()),
  )
  const line = (await running.printed(/"requestId"/)).split('\n').find((one) => one.includes('"requestId"'))
  expect(JSON.parse(line ?? '')).toMatchObject({
    requestId: 'request-1',
    operationId: 'getPassport',
    traceId: OURS.traceId,
  })
  expect(await running.end('SIGTERM')).toBe(0)
  traces.mode = 'ok'
})

test('off, neither Prometheus nor OpenTelemetry is loaded', SLOW, async () => {
  const running = await startProcess({
    DATABASE_URL: gateway.databaseUrl,
    MASTER_KEY,
    DEMO: 'off',
    NODE_OPTIONS: '--import ./test/support/loaded-modules.mjs',
  })
  afterAll(() => running.end('SIGKILL'))
  await running.printed('dpp-gateway is ready at')
  await (await fetch(`${running.url}/health`)).text()
  const loaded = running.output()
  // Negative control.
  expect(loaded).toContain('node_modules/pino')
  expect(loaded).not.toContain('node_modules/@opentelemetry')
  expect(loaded).not.toContain('node_modules/prom-client')
  expect(await running.end('SIGTERM')).toBe(0)
})
