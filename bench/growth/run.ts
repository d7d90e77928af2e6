import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from '../../src/root.ts'
import { answersOf } from '../bench.ts'
import { closeServices, makeData, textileCreation } from '../data.ts'
import { bounded, type OnEnd } from '../ending.ts'
import { headerOf, headline, loadAverage } from '../header.ts'
import { type BenchRequest, makeRequest, numbered } from '../http.ts'
import { median } from '../pair.ts'
import { openBenchDatabase } from '../pg.ts'
import { type Server, startGatewayProcess } from '../processes.ts'
import { type Curve, svgOf } from './plot.ts'
import { bytesByTable, bytesOfPassports, bytesPerScan, growTo } from './rows.ts'

const USAGE = `Usage: node bench/growth/run.ts [--sizes N,N,…] [--scans N] [--svg FILE] [--minutes N]

Costs by the number of passports in one workspace: copies of sealed battery passports with 6 kB of JSON-LD, each with a
seal and stored JSON-LD, page and AAS, are inserted by SQL; then requests are sent one after another.

--sizes     numbers of passports, ascending (default: 1000,10000,100000)
--scans     scans of yesterday, inserted at each size (default: 100000)
--svg       file of the plots (default: docs/reference/growth.svg)
--minutes   the run ends after this time (default: 20)
DATABASE_URL may name an empty database. Without it, PostgreSQL runs in a temporary folder.`

const TEMPLATES = 20
const REPEATS = 100
const FORMS = ['application/ld+json', 'text/html', 'application/asset-administration-shell+json']

const say = (message: string) => console.error(message)
const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000' },
    scans: { type: 'string', default: '100000' },
    svg: { type: 'string', default: join(ROOT, 'docs/reference/growth.svg') },
    minutes: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(USAGE)
else await bounded(Number(values.minutes), main)

async function main(onEnd: OnEnd): Promise<number> {
  const sizes = values.sizes.split(',').map(Number)
  const database = await openBenchDatabase()
  onEnd(() => database.close())
  onEnd(closeServices)
  const header = await headerOf(database)
  say(headline(header))
  const gateway = await startGatewayProcess(database.url)
  onEnd(() => gateway.stop())
  const data = await makeData(database, gateway, { count: TEMPLATES, say })
  const templates = data.passports['6k']
  for (const Accept of FORMS) {
    const reads = templates.map((id) => makeRequest('GET', `/passport/${id}`, { Accept, 'Accept-Language': 'en' }))
    await answersOf(gateway, reads, 200)
  }
  const { authorization: Authorization } = data
  const owned = templates.map((id) =>
    makeRequest('GET', `/passport/${id}`, { Authorization, Accept: FORMS[0] as string }),
  )
  const verifications = (await answersOf(gateway, owned, 200)).map(({ body }) =>
    verificationOf(JSON.parse(String(body))),
  )
  const list = Array.from({ length: REPEATS }, () =>
    makeRequest('GET', '/api/v1/passports?limit=100', { Authorization }),
  )

  const curves = new Map<string, [number, number][]>()
  const add = (name: string, size: number, value: number) => {
    curves.set(name, [...(curves.get(name) ?? []), [size, value]])
    say(`  ${size} passports: ${name} ${value.toFixed(2)}`)
  }
  let created = 0
  const scans: Record<number, Awaited<ReturnType<typeof bytesPerScan>>> = {}
  let [count, bytes] = [2 * TEMPLATES, await bytesOfPassports(database)]
  for (const size of sizes) {
    const ids = await growTo(database, data.tenantId, templates, size)
    const grown = await bytesOfPassports(database)
    add('stored per passport, kB', size, (grown - bytes) / (size - count) / 1000)
    ;[count, bytes] = [size, grown]
    const creations = Array.from({ length: REPEATS }, () => {
      created += 1
      return numbered(textileCreation(data), created)
    })
    const uncached = ids
      .slice(-REPEATS)
      .map((id) => makeRequest('GET', `/passport/${id}`, { Accept: FORMS[0] as string }))
    add('create, ms', size, await timeOf(gateway, creations, 201))
    add('uncached resolve, ms', size, await timeOf(gateway, uncached))
    add('page of 100 in the list, ms', size, await timeOf(gateway, list))
    add('audit/verify, ms', size, await timeOf(gateway, [...verifications, ...verifications]))
    const scan = await bytesPerScan(database, data.tenantId, Number(values.scans))
    scans[size] = scan
    add('stored per scan after a day, bytes', size, scan.after)
  }
  const largest = sizes.at(-1) ?? 0
  const tables = await bytesByTable(database, largest)
  const drawn: Curve[] = [...curves].map(([name, points]) => {
    const [title = '', unit = ''] = name.split(', ')
    return { name: title, unit, points }
  })
  const subtitle = `${header.cores} shared cores, PostgreSQL ${header.postgres}, Node ${header.node}, one request at a time, medians; load ${header.loadBefore} to ${loadAverage()}`
  await writeFile(values.svg, svgOf('Cost by number of passports', subtitle, drawn))
  console.log(
    JSON.stringify({ ...header, loadAfter: loadAverage(), curves: Object.fromEntries(curves), tables, scans }, null, 2),
  )
  return 0
}

/** Median time of one request in milliseconds, after a warm-up. */
async function timeOf(gateway: Server, requests: readonly BenchRequest[], status = 200): Promise<number> {
  const times: number[] = []
  for (const request of requests) {
    const began = performance.now()
    await answersOf(gateway, [request], status)
    times.push(performance.now() - began)
  }
  return median(times)
}

function verificationOf(payload: { proof: { signatureValue: string; publicKeyPem: string } }): BenchRequest {
  const body = { payload, signature: payload.proof.signatureValue, publicKey: payload.proof.publicKeyPem }
  return makeRequest('POST', '/api/v1/audit/verify', { 'Content-Type': 'application/json' }, JSON.stringify(body))
}
