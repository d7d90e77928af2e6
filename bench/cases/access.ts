import { type ChildProcess, spawn } from 'node:child_process'
import { answersOf, type Bench, type Case, cpuOf } from '../bench.ts'
import { makeRequest } from '../http.ts'
import { median } from '../pair.ts'
import { freePort, keepInSight, residentMegabytes } from '../processes.ts'

const CALLERS = 100_000

/** Makes one request per address, so that none reaches a limit. */
const callers = (path: string, count: number, from: number, headers: Record<string, string> = {}) =>
  Array.from({ length: count }, (_, index) => {
    const number = from + index
    const address = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
    return makeRequest('GET', path, { 'X-Forwarded-For': address, ...headers })
  })

/** Returns the median cost of `dearer` minus `cheaper` over alternating rounds, after one warm-up. */
const differenceIn =
  (rounds: number) =>
  async (cheaper: () => Promise<number>, dearer: () => Promise<number>): Promise<number> => {
    const differences: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const [without, with_] = [await cheaper(), await dearer()]
      if (round > 0) differences.push(with_ - without)
    }
    return median(differences)
  }

async function withStore<T>(use: (url: string) => Promise<T>): Promise<T | undefined> {
  const port = await freePort()
  for (const name of ['valkey-server', 'redis-server']) {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '']
    const store = keepInSight(spawn(name, options, { stdio: ['ignore', 'pipe', 'ignore'] }))
    if (!(await isUp(store))) continue
    try {
      return await use(`redis://127.0.0.1:${port}`)
    } finally {
      store.kill()
    }
  }
  return undefined
}

const isUp = (store: ChildProcess) =>
  new Promise<boolean>((resolve) => {
    store.once('error', () => resolve(false))
    store.once('exit', () => resolve(false))
    store.stdout?.on('data', (chunk) => /ready to accept connections/i.test(String(chunk)) && resolve(true))
  })

const pathOf = ({ data }: Bench) => `/passport/${data.passports['6k'][0]}`

const access: Case = {
  name: 'access',
  figures: [
    { name: 'authentication', unit: 'ms' },
    { name: 'limits-in-memory', unit: 'ms' },
    { name: 'limits-in-shared-store', unit: 'ms' },
    { name: 'memory-of-100000-callers', unit: 'MB' },
  ],
  async run(bench) {
    const [rounds, requests, strangers] = bench.isQuick ? [1, 10, 100] : [7, 2000, CALLERS]
    const difference = differenceIn(rounds)
    const cached = pathOf(bench)
    // An unknown parameter bypasses the cache.
    const path = `${cached}?x=1`
    const open = await bench.startGateway()
    // The key sees no more than anonymous callers: the responses have the same bytes.
    const credential = { Authorization: bench.data.narrowAuthorization }
    const anonymous = callers(path, requests, 0)
    const authentication = await difference(
      () => cpuOf(open, anonymous),
      () => cpuOf(open, callers(path, requests, 0, credential)),
    )
    const limited = { RATE_LIMITS: 'on', TRUST_PROXY: '1' }
    let from = 0
    const next = (count: number) => {
      from += count
      return callers(path, count, from)
    }
    const inMemory = await bench.startGateway(limited)
    const memoryCost = await difference(
      () => cpuOf(open, anonymous),
      () => cpuOf(inMemory, next(requests)),
    )
    const storeCost = await withStore(async (url) => {
      const shared = await bench.startGateway({ ...limited, REDIS_URL: url })
      return difference(
        () => cpuOf(open, anonymous),
        () => cpuOf(shared, next(requests)),
      )
    })
    const counting = await bench.startGateway(limited)
    const share = Math.min(strangers, 1000)
    await answersOf(counting, callers(cached, share, 0), 200)
    const before = residentMegabytes(counting.pid) ?? Number.NaN
    for (let at = share; at <= strangers; at += share) await answersOf(counting, callers(cached, share, at), 200)
    const growth = (residentMegabytes(counting.pid) ?? Number.NaN) - before
    return [authentication, memoryCost, storeCost ?? Number.NaN, growth]
  },
}

export default [access]
