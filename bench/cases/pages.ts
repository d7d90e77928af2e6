import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '../../src/root.ts'
import { answersOf, type Bench, type Case, cpuOf } from '../bench.ts'
import { type Size, services } from '../data.ts'
import { makeRequest } from '../http.ts'
import { median } from '../pair.ts'
import { residentMegabytes } from '../processes.ts'

const QUICK_PAGES = 3
const ALL_LANGUAGES = readdirSync(join(ROOT, 'locales')).map((file) => file.slice(0, -'.json'.length))

/** Creates a token of an authority: pages for it are never cached. */
async function tokenOf({ database, data }: Bench): Promise<string> {
  const expires = new Date(Date.now() + 86_400_000).toISOString()
  const { grants } = await services(database.url)
  const { token } = await grants.issueAuthority({ scope: 'TENANT', target: data.tenantId, expires })
  return token
}

const pagesOf = (ids: readonly string[], token: string, languages: readonly string[]) =>
  languages.flatMap((lang) =>
    ids.map((id) =>
      makeRequest('GET', `/passport/${id}?lang=${lang}`, { Authorization: `Bearer ${token}`, Accept: 'text/html' }),
    ),
  )

const ids = ({ data, isQuick }: Bench, size: Size) => data.passports[size].slice(0, isQuick ? QUICK_PAGES : undefined)

const rendered: Case = {
  name: 'pages',
  figures: [
    { name: 'page-rendered-6k', unit: 'ms' },
    { name: 'page-rendered-25k', unit: 'ms' },
    { name: 'pdf-rendered-6k', unit: 'ms' },
    { name: 'memory-of-28-languages', unit: 'MB' },
  ],
  async run(bench) {
    const rounds = bench.isQuick ? 1 : 5
    const token = await tokenOf(bench)
    const gateway = await bench.startGateway()
    const sheets = bench.data.passports['6k'].map((id) =>
      makeRequest('GET', `/passport/${id}`, { Authorization: `Bearer ${token}`, Accept: 'application/pdf' }),
    )
    const kinds = [
      pagesOf(ids(bench, '6k'), token, ['en']),
      pagesOf(ids(bench, '25k'), token, ['en']),
      sheets.slice(0, bench.isQuick ? 2 : 20),
    ]
    const times: number[][] = kinds.map(() => [])
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [index, requests] of kinds.entries()) {
        const time = await cpuOf(gateway, requests)
        if (round > 0) times[index]?.push(time)
      }
    }
    return [...times.map(median), await memoryOfLanguages(bench, token, rounds)]
  },
}

/** Returns the additional memory (MB) of a process that rendered in all languages, compared with as many pages in one. */
async function memoryOfLanguages(bench: Bench, token: string, rounds: number): Promise<number> {
  const shown = bench.data.passports['6k'].slice(0, bench.isQuick ? 2 : 20)
  const all = bench.isQuick ? ALL_LANGUAGES.slice(0, 3) : ALL_LANGUAGES
  const differences: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const held: number[] = []
    for (const languages of [all.map(() => 'en'), all]) {
      const server = await bench.startGateway()
      await answersOf(server, pagesOf(shown, token, languages), 200)
      await sleep(bench.restMs)
      held.push(residentMegabytes(server.pid) ?? Number.NaN)
    }
    differences.push((held[1] ?? Number.NaN) - (held[0] ?? Number.NaN))
  }
  return median(differences)
}

export default [rendered]
