import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Case } from '../bench.ts'
import { wireRequest } from '../http.ts'
import { median } from '../pair.ts'
import { cpuSeconds, freePort } from '../processes.ts'

/** More often than most are asked; Prometheus' own default is a minute. */
const USUALLY_MS = 5000
/** So much more often it is asked here, because one answer every five seconds is lost in what two slices differ by. */
const MORE_OFTEN = 100
const CONNECTIONS = 16

/** What it costs the path that is to be fast, that somebody looks: one gateway, asked for its metrics and left alone in turn. */
const scraped: Case = {
  name: 'scraping',
  figures: [{ name: 'share-of-a-processor-for-scraping', unit: '%' }],
  async run({ data, load, startGateway, isQuick }) {
    const metricsPort = await freePort()
    const { pid, port } = await startGateway({ METRICS_PORT: String(metricsPort) })
    const requests = data.passports['6k'].map((id) =>
      wireRequest('GET', `/passport/${id}`, { Accept: 'application/ld+json' }),
    )
    const seconds = isQuick ? 0.5 : 3
    /** Processor seconds of the gateway in a slice, for so many answers and scrapes. */
    const slice = async (isScraped: boolean) => {
      const before = cpuSeconds(pid) ?? Number.NaN
      let scrapes = 0
      let isOver = !isScraped
      const scraping = async () => {
        for (; !isOver; scrapes += 1) {
          await scrape(metricsPort)
          await sleep(USUALLY_MS / MORE_OFTEN)
        }
      }
      const answering = load.run({ port, requests, connections: CONNECTIONS, seconds, status: 200 }).finally(() => {
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
      const [asked, left] = isFirst ? [one, other] : [other, one]
      costs.push((asked.cpu - (asked.answers * left.cpu) / left.answers) / asked.scrapes)
    }
    return [(median(costs) / (USUALLY_MS / 1000)) * 100]
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
