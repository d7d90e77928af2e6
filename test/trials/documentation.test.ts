import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../../src/root.ts'
import { judge } from '../support/judges.ts'
import { freePort, type GatewayProcess, startProcess } from '../support/process.ts'
import { fencesOf, follow, freshClone, isNotRun, stepsOf } from '../support/snippets.ts'

// What README and docs tell their reader to run is run as it stands, in the order in which it stands, with what `npm start`
// prints on a fresh clone.

/** The first day of somebody who knows no more than these pages: the second goes on in the terminal of the first. */
const FIRST_DAY = ['docs/guides/first-passport.md', 'docs/guides/first-day.md']
/** In the order in which somebody would read them, against one demo; what stands together is pasted into one terminal. */
const PAGES = [
  ['README.md'],
  FIRST_DAY,
  ['docs/guides/tour.md'],
  ['docs/reference/credentials.md'],
  ['docs/reference/aas.md'],
  ['docs/reference/epcis.md'],
  ['docs/guides/operating.md', 'docs/guides/backup.md', 'docs/guides/keys.md'],
]
/** Run by tests of their own. */
const ELSEWHERE = ['docs/guides/add-a-category.md', 'docs/guides/add-a-module.md']
const canFollow = ['openssl', 'jq', 'python3'].every((name) => judge(name) !== undefined)

describe.skipIf(!canFollow)('who pastes what stands in (needs curl, jq, openssl and python3)', () => {
  const clone = freshClone()
  let gateway: GatewayProcess
  let env: Record<string, string>

  beforeAll(async () => {
    const [port, metrics, receiver] = await Promise.all(
      [freePort(), freePort(), freePort()].map(async (one) => String(await one)),
    )
    // As the first day tells its reader to start it; the demo of the other pages does not mind.
    const asked = Object.fromEntries(startLineOf('docs/guides/first-day.md').map((variable) => variable.split('=')))
    gateway = await startProcess({ ...asked, PORT: port, METRICS_PORT: metrics, RATE_LIMITS: 'off' }, clone.folder)
    const exports = (await gateway.printed('Stop with Ctrl-C')).matchAll(/^ +export (\w+)=(\S+)$/gm)
    env = {
      PATH: String(process.env.PATH),
      PORT: port,
      METRICS_PORT: metrics,
      RECEIVER_PORT: receiver,
      ...Object.fromEntries([...exports].map(([, name, value]) => [name, value])),
    }
  }, 300_000)
  afterAll(async () => {
    await gateway.end('SIGTERM')
    clone.remove()
  })

  test.each(PAGES.map((pages) => [pages.join(', '), pages] as const))(
    '%s: what is shown comes',
    { timeout: 600_000 },
    async (_, pages) => {
      const { followed, stderr } = await follow(pages.flatMap(stepsOf), { folder: clone.folder, env })
      expect(
        followed.filter(({ shown, printed }) => shown !== printed),
        stderr,
      ).toEqual([])
    },
  )
})

/** The variables with which a page tells its reader to start the gateway. */
function startLineOf(page: string): string[] {
  const line = fencesOf(page).flatMap(({ text }) => /^((?:[A-Z_]+=\S+ )+)npm start$/m.exec(text)?.[1] ?? [])
  return line.join('').trim().split(' ')
}

test('every other command says why nobody runs it', () => {
  const pages = [
    'README.md',
    ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ]
  const unseen = pages
    .filter((page) => !PAGES.flat().includes(page) && !ELSEWHERE.includes(page))
    .flatMap((page) =>
      fencesOf(page)
        .filter((fence) => !isNotRun(fence))
        .map(({ line }) => `${page}:${line}`),
    )
  expect(unseen).toEqual([])
})
