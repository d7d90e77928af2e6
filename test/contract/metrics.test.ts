import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startMetricsServer } from '../../src/http/metrics-server.ts'
import { ROOT } from '../../src/root.ts'
import { sampleOf, scrape, scrapedText } from '../support/exposition.ts'
import { useGateway } from '../support/use-gateway.ts'
import { webhookClient } from '../support/webhook-client.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

const { gateway, workspace, passports } = await useGateway({ METRICS_PORT: '0' })
// Inserted before the first scrape, since the database is queried once in five seconds.
await gateway.sql(
  `insert into pgboss.job (name, start_after) values ('registration', now() - interval '90 seconds'),
     ('registration', now() + interval '1 day')`,
)

const SOON = { timeout: 20_000, interval: 50 }
const DOCUMENT = readFileSync(join(ROOT, 'docs/reference/observability.md'), 'utf8')
const GUIDE = readFileSync(join(ROOT, 'docs/guides/monitoring.md'), 'utf8')

const requests = (operation: string, status: string) =>
  sampleOf(gateway, 'dpp_http_request_duration_seconds_count', { operation, status })
const lane = (result: string) => sampleOf(gateway, 'dpp_public_lane_requests_total', { result })
const read = (id: string, headers: Record<string, string> = {}) =>
  gateway.request('GET', `/passport/${id}`, { headers })

describe('counters', () => {
  test('requests by operation and class, in the lane and in the pipeline', async () => {
    const { id } = await passports.given()
    const before = (await requests('resolvePublicPassport', '2xx')) ?? 0
    const answers = []
    for (let count = 0; count < 5; count += 1) answers.push(await read(id))
    expect(await requests('resolvePublicPassport', '2xx')).toBe(before + 5)
    expect((await lane('miss')) ?? 0).toBeGreaterThan(0)
    // Repeated reads of unchanged content are cached.
    await expect.poll(() => read(id).then(() => lane('hit')), SOON).toBeGreaterThan(0)
    await read(id, { 'If-None-Match': answers[0]?.headers.etag ?? '' })
    expect(await requests('resolvePublicPassport', '3xx')).toBe(1)
    expect(await sampleOf(gateway, 'dpp_public_lane_not_modified_total')).toBe(1)

    await passports.get(id)
    await gateway.request('GET', `/api/v1/passports/${id}`)
    await expect.poll(() => requests('getPassport', '2xx'), SOON).toBe(1)
    await expect.poll(() => requests('getPassport', '4xx'), SOON).toBe(1)
  })

  test('unmatched requests have one name, for any path', async () => {
    for (const path of ['/nowhere', '/x'.repeat(50), '/01/canary']) await fetch(`${gateway.origin}${path}`)
    await expect.poll(() => requests('none', '4xx'), SOON).toBeGreaterThanOrEqual(2)
  })

  test('buckets of a histogram grow, and the last has all', async () => {
    const text = await scrapedText(gateway)
    const counts = [...text.matchAll(/_bucket\{operation="getPassport",status="2xx",le="([^"]+)"\} (\d+)/g)]
    expect(counts.length).toBe(15)
    expect(counts.at(-1)?.[1]).toBe('+Inf')
    const values = counts.map(([, , value]) => Number(value))
    expect(values).toEqual(values.toSorted((one, other) => one - other))
    expect(values.at(-1)).toBe(await requests('getPassport', '2xx'))
  })

  test('seals, signatures, deliveries and queues', { timeout: 180_000 }, async () => {
    const receiver = await startReceiver()
    await webhookClient(gateway, workspace.as).given(receiver.url)
    const { id } = await passports.given()
    const seals = (await sampleOf(gateway, 'dpp_seals_total', { result: 'made' })) ?? 0
    await passports.seal(id)
    expect(await sampleOf(gateway, 'dpp_seals_total', { result: 'made' })).toBe(seals + 1)
    expect(await sampleOf(gateway, 'dpp_signatures_total', { plugin: 'local', result: 'made' })).toBeGreaterThan(0)
    await expect
      .poll(() => sampleOf(gateway, 'dpp_webhook_deliveries_total', { result: 'delivered' }), SOON)
      .toBeGreaterThan(0)
    expect(await sampleOf(gateway, 'dpp_webhook_attempts_total', { result: 'taken' })).toBeGreaterThan(0)
    expect(await sampleOf(gateway, 'dpp_database_up')).toBe(1)
    for (const queue of ['passport-event', 'webhook-delivery', 'labels', 'registration', 'mail']) {
      expect([queue, await sampleOf(gateway, 'dpp_queue_jobs', { queue, state: 'ready' })]).toEqual([
        queue,
        expect.any(Number),
      ])
    }
    await receiver.close()
  })

  test('how long the next job of a queue has been due, and no job of later', { timeout: 180_000 }, async () => {
    const due = () => sampleOf(gateway, 'dpp_queue_due_seconds', { queue: 'registration' })
    await expect.poll(due, SOON).toBeGreaterThanOrEqual(90)
    expect(await due()).toBeLessThan(3600)
  })
})

describe('scraped values', () => {
  test('is what docs/reference/observability.md lists: name, type and help', async () => {
    const documented = [...DOCUMENT.matchAll(/^\| `([a-z0-9_]+)` +\| (\w+) +\| (.+?) +\|$/gm)]
      .map(([, name, type, help]) => `${name} ${type} ${help}`)
      .toSorted()
    const scraped = (await scrape(gateway))
      .map(({ name, type, help }) => `${name} ${type.toLowerCase()} ${help}`)
      .toSorted()
    expect(documented).toEqual(scraped)
  })

  test('is what the alarms and queries of docs/guides/monitoring.md use', async () => {
    const expressions = [...GUIDE.matchAll(/```(?:promql|yaml)\n([\s\S]*?)```/g)].map(([, text]) => text).join('\n')
    const used = new Set(expressions.match(/\b(?:dpp|nodejs|process)_[a-z0-9_]+\b/g))
    const names = (await scrape(gateway)).flatMap(({ name, type }) =>
      type === 'HISTOGRAM' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    )
    expect(used.size).toBeGreaterThan(10)
    expect([...used].filter((name) => !names.includes(name))).toEqual([])
  })

  test('follows the conventions of names, and its labels are few and ours', async () => {
    const { operations } = gateway.container.cradle.contract
    for (const { name, type, metrics } of await scrape(gateway)) {
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'COUNTER'])
      for (const { labels = {} } of metrics) {
        for (const [label, value] of Object.entries(labels)) {
          if (label === 'operation') expect(operations.has(value) || value === 'none').toBe(true)
          else if (name.startsWith('dpp_')) {
            expect(['status', 'result', 'pool', 'state', 'queue', 'plugin', 'version', 'commit']).toContain(label)
          }
        }
      }
    }
  })

  test('has nothing that a caller said, or that names whose data it is', async () => {
    const { id, productId } = await passports.given()
    await passports.seal(id)
    await fetch(`${gateway.origin}/api/v1/whoami?canary=secret`, { headers: { ...workspace.as, 'x-canary': 'secret' } })
    const text = await scrapedText(gateway)
    for (const word of [id, productId, workspace.id, workspace.key, workspace.operatorId, 'secret', 'canary']) {
      expect([word, text.includes(word)]).toEqual([word, false])
    }
  })
})

describe('the scrape address', () => {
  test('is a separate port, and the public one has no metrics', async () => {
    expect((await gateway.request('GET', '/metrics')).status).toBe(404)
    const answer = await fetch(`${gateway.metricsOrigin}/metrics`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    expect(new URL(gateway.metricsOrigin ?? '').hostname).toBe('127.0.0.1')
    expect((await fetch(`${gateway.metricsOrigin}/health`)).status).toBe(404)
    expect((await fetch(`${gateway.metricsOrigin}/metrics`, { method: 'POST' })).status).toBe(405)
  })

  test('a port that is taken stops the start, and the message says which', async () => {
    const port = Number(new URL(gateway.metricsOrigin ?? '').port)
    const nothing = { contentType: 'text/plain', render: async () => '' }
    await expect(startMetricsServer({ host: '127.0.0.1', port }, nothing)).rejects.toThrow(
      `METRICS_PORT: ${port} on 127.0.0.1 is in use`,
    )
  })
})
