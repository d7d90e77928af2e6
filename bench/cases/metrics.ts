import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Case } from '../bench.ts'
import { makeRequest } from '../http.ts'
import { median } from '../pair.ts'
import { cpuSeconds, freePort } from '../processes.ts'

/** Interval of the reported figure; Prometheus' default is a minute. */
const INTERVAL_MS = 5000
/** The measurement scrapes more often by this factor, because one scrape in 5 s is less than the difference of two slices. */
const MORE_OFTEN = 100
const CONNECTIONS = 16

/** Cost of scraping for cached reads: one gateway, alternately scraped and not. */
const scraped: Case = {
  name: 'scraping',
  figures: [{ name: 'share-of-a-processor-for-scraping', unit: '%' }],
  async run({ data, load, startGateway, isQuick }) {
    const metricsPort = await freePort()
    const { pid, port } = await startGateway({ METRICS_PORT: String(metricsPort) })
    const requests = data.passports['6k'].map((id) =>
      makeRequest('GET', `/passport/${id}`, { Accept: 'application/ld+json' }),
    )
    const seconds = isQuick ? 0.1 : 3
    const slice = async (isScraped: boolean) => {
      const before = cpuSeconds(pid) ?? Number.NaN
      let scrapes = 0
      let isOver = !isScraped
      const scraping = async () => {
        for (; !isOver; scrapes += 1) {
          await scrape(metricsPort)
          await sleep(INTERVAL_MS / MORE_OFTEN)
        }
      }
      const answering = load
        .run({ port, requests, connections: CONNECTIONS, limit: { seconds }, status: 200 })
        .finally(() => {
          isOver = true
        })
      const [{ requests: answers }] = await Promise.all([answering, scraping()])
      return { cpu: (cpuSeconds(pid) ?? Number.NaN) - before, answers, scrapes }
    }
    await slice(false)
    await slice(true)
    const costs: number[] = []
    for (let round = 0; round < (isQuick ? 1 : 12); round += 1) {
      const isFirst = round % 2 === 0
      const [one, other] = [await slice(isFirst), await slice(!isFirst)]
      const [busy, plain] = isFirst ? [one, other] : [other, one]
      costs.push((busy.cpu - (busy.answers * plain.cpu) / plain.answers) / busy.scrapes)
    }
    return [(median(costs) / (INTERVAL_MS / 1000)) * 100]
  },
}

function scrape(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/metrics', agent: false, timeout: 5000 }, (res) => {
      res.resume()
      res.on('end', () => (res.statusCode === 200 ? resolve() : reject(new Error(`Status ${res.statusCode}.`))))
    }).on('error', reject)
  })
}

export default [scraped]
