import { parseArgs } from 'node:util'
import { type BenchData, battery, closeServices, makeData, services } from '../data.ts'
import { bounded, type OnEnd } from '../ending.ts'
import { growTo } from '../growth/rows.ts'
import { headerOf, headline, loadAverage } from '../header.ts'
import { type Answer, type BenchRequest, exchange, makeRequest } from '../http.ts'
import { openBenchDatabase } from '../pg.ts'
import { type Server, startGatewayProcess } from '../processes.ts'

const USAGE = `Usage: node bench/console/run.ts [--passports N] [--repeats N] [--minutes N]

Server time of pages of the console for an owner: median and 95th percentile, one request after another. The workspace has
copies of sealed battery passports with 6 kB of JSON-LD, and drafts.

--passports  passports in the workspace (default: 50000)
--repeats    requests per page (default: 100)
--minutes    the run ends after this time (default: 20)
DATABASE_URL may name an empty database. Without it, PostgreSQL runs in a temporary folder.`

const TEMPLATES = 20
const PAGES = {
  'to do': '/console',
  list: '/console/passports',
  'list, page 30': '/console/passports?page=30',
  'list by name': '/console/passports?sort=title',
  'drafts by product': '/console/passports?status=DRAFT&sort=product',
  'search, frequent word': '/console/passports?q=cell',
  'search, one passport': '/console/passports?q=bench-needle',
  'search, nothing found': '/console/passports?q=absent',
}

interface Services {
  readonly consolePeople: {
    invite(tenantId: string, input: object, by: object): Promise<{ readonly address: string }>
  }
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' }

const say = (message: string) => console.error(message)
const { values } = parseArgs({
  options: {
    passports: { type: 'string', default: '50000' },
    repeats: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(USAGE)
else await bounded(Number(values.minutes), main)

async function main(onEnd: OnEnd): Promise<number> {
  const database = await openBenchDatabase()
  onEnd(() => database.close())
  onEnd(closeServices)
  say(headline(await headerOf(database)))
  // Any address but loopback would need https and a cookie with a prefix.
  const gateway = await startGatewayProcess(database.url, { env: { BASE_URL: 'http://127.0.0.1:3000' } })
  onEnd(() => gateway.stop())
  const data = await makeData(database, gateway, { count: TEMPLATES, say })
  say(`copying to ${values.passports} passports`)
  await growTo(database, data.tenantId, data.passports['6k'], Number(values.passports))
  await database.pool.query(
    `update passport set product_id = 'BENCH-NEEDLE' where id = (select id from passport where seal_id is not null order by id limit 1)`,
  )
  const cookie = await signIn(gateway, (await services(database.url)) as unknown as Services, data.tenantId)
  const get = (path: string) => makeRequest('GET', path, { Cookie: cookie, 'Accept-Encoding': 'br' })
  const started = performance.now()
  assertPage((await exchange(gateway.port, [get('/console/passports')]))[0])
  console.log(`first page, with the copies of all passports: ${(performance.now() - started).toFixed(0)} ms`)
  await database.pool.query('vacuum analyze')
  for (const [name, path] of Object.entries(PAGES)) {
    await measure(gateway, name, get(path))
  }
  const draft = await makeDraft(gateway, data)
  const editor = `/console/passports/${draft}/edit`
  await measure(gateway, 'editor of a battery', get(editor))
  const [page] = await exchange(gateway.port, [get(editor)])
  const form = formIn(page)
  const check = makeRequest('POST', editor, { Cookie: cookie, ...FORM }, form)
  const [checked] = await exchange(gateway.port, [check])
  if (!checked?.headers['content-type']?.startsWith('application/json'))
    throw new Error('The check is not answered with JSON.')
  await measure(gateway, `check of a battery with ${form.split('&').length} fields in the form`, check)
  return 0
}

async function measure({ port }: Server, name: string, request: BenchRequest): Promise<void> {
  const times: number[] = []
  for (let turn = 0; turn < Number(values.repeats) + 5; turn += 1) {
    const at = performance.now()
    assertPage((await exchange(port, [request]))[0])
    if (turn >= 5) times.push(performance.now() - at)
  }
  times.sort((a, b) => a - b)
  const share = (part: number) => (times[Math.min(times.length - 1, Math.floor(part * times.length))] ?? 0).toFixed(1)
  console.log(`${name}: median ${share(0.5)} ms, p95 ${share(0.95)} ms (load ${loadAverage()})`)
}

/** Returns the id of a draft with 60 metadata keys. */
async function makeDraft({ port }: Server, { authorization }: BenchData): Promise<string> {
  const headers = { Authorization: authorization, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ ...battery('25k', 999), draft: true })
  const [answer] = await exchange(port, [makeRequest('POST', '/api/v1/passports', headers, body)])
  if (answer?.status !== 201) throw new Error(`A draft has the status ${answer?.status}: ${answer?.body}`)
  return JSON.parse(answer.body.toString()).passport.id
}

/** Returns the body that the editor sends while a person types. */
function formIn(page: Answer | undefined): string {
  const [form = ''] = /<form[^>]*data-editor.*?<\/form>/s.exec(String(page?.body)) ?? []
  const values = [...form.matchAll(/<(input|textarea)[^>]* name="([^"]*)"[^>]*?(?: value="([^"]*)")?[^>]*>/g)]
  const body = new URLSearchParams(values.map(([, , name = '', value = '']): [string, string] => [name, value]))
  body.set('do', 'live')
  return body.toString()
}

async function signIn({ port }: Server, { consolePeople }: Services, tenantId: string): Promise<string> {
  const person = { email: 'bench@console.example', name: 'Bench', role: 'owner' }
  const { address } = await consolePeople.invite(tenantId, person, { workspace: 'Bench', lang: 'en' })
  const [answer] = await exchange(port, [makeRequest('POST', new URL(address).pathname, FORM, '')])
  const place = answer?.rawHeaders.findIndex((name) => name.toLowerCase() === 'set-cookie') ?? -1
  const cookie = answer?.rawHeaders[place + 1]?.split(';')[0]
  if (place < 0 || cookie === undefined) throw new Error(`The sign-in failed with ${answer?.status}.`)
  return cookie
}

function assertPage(answer: Answer | undefined): void {
  if (answer?.status !== 200) throw new Error(`A page has the status ${answer?.status}.`)
}
