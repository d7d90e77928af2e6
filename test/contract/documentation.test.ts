import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../../src/root.ts'
import { judge } from '../support/judges.ts'
import { freePort, type GatewayProcess, startProcess } from '../support/process.ts'
import { fencesOf, follow, freshClone, isNotRun, stepsOf } from '../support/snippets.ts'

// What README and docs tell their reader to run is run as it stands, in the order in which it stands, with what `npm start`
// prints on a fresh clone.

/** In the order in which somebody would read them, against one demo. */
const PAGES = [
  'README.md',
  'docs/first-passport.md',
  'docs/tour.md',
  'docs/credentials.md',
  'docs/aas.md',
  'docs/epcis.md',
  'docs/operating.md',
]
/** Run by tests of their own. */
const ELSEWHERE = ['docs/plugins.md']
const canFollow = ['openssl', 'jq', 'python3'].every((name) => judge(name) !== undefined)

describe.skipIf(!canFollow)('who pastes what stands in (needs curl, jq, openssl and python3)', () => {
  const clone = freshClone()
  let gateway: GatewayProcess
  let env: Record<string, string>

  beforeAll(async () => {
    const port = String(await freePort())
    gateway = await startProcess({ PORT: port, RATE_LIMITS: 'off' }, clone.folder)
    const exports = (await gateway.printed('Stop with Ctrl-C')).matchAll(/^ +export (\w+)=(\S+)$/gm)
    env = {
      PATH: String(process.env.PATH),
      PORT: port,
      ...Object.fromEntries([...exports].map(([, name, value]) => [name, value])),
    }
  }, 300_000)
  afterAll(async () => {
    await gateway.end('SIGTERM')
    clone.remove()
  })

  test.each(PAGES)('%s gets what the page shows', { timeout: 600_000 }, async (page) => {
    const { followed, stderr } = await follow(stepsOf(page), { folder: clone.folder, env })
    expect(
      followed.filter(({ shown, printed }) => shown !== printed),
      stderr,
    ).toEqual([])
  })
})

test('every other command says why nobody runs it', () => {
  const pages = [
    'README.md',
    ...readdirSync(join(ROOT, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ]
  const unseen = pages
    .filter((page) => !PAGES.includes(page) && !ELSEWHERE.includes(page))
    .flatMap((page) =>
      fencesOf(page)
        .filter((fence) => !isNotRun(fence))
        .map(({ line }) => `${page}:${line}`),
    )
  expect(unseen).toEqual([])
})
