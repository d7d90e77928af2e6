import { get } from 'node:http'
import { answersOf, assertEqual, type Case, pairOf } from '../bench.ts'
import { wireRequest } from '../http.ts'
import { freePort } from '../processes.ts'

/** As often as Prometheus does unless it is told otherwise, and more often than that. */
const SCRAPED_EVERY_MS = 5000

/** What it costs the path that is to be fast, that somebody looks. */
const watched: Case = {
  name: 'resolve-with-metrics',
  ours: 'cached public resolve of 6 KB passports while metrics are scraped every five seconds',
  against: 'the same without METRICS_PORT',
  async prepare(bench) {
    const requests = bench.data.passports['6k'].map((id) =>
      wireRequest('GET', `/passport/${id}`, { Accept: 'application/ld+json' }),
    )
    const port = await freePort()
    const [plain, ours] = [await bench.startGateway(), await bench.startGateway({ METRICS_PORT: String(port) })]
    assertEqual(await answersOf(ours, requests, 200), await answersOf(plain, requests, 200))
    await scrape(port)
    // It ends with the gateway, which the case leaves to be stopped.
    const timer = setInterval(() => void scrape(port).catch(() => clearInterval(timer)), SCRAPED_EVERY_MS).unref()
    return pairOf(plain, ours, requests)
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

export default [watched]
