import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../../src/root.ts'
import { preparedDataDir } from '../support/prepared-cluster.ts'
import { freePort, type GatewayProcess, startProcess } from '../support/process.ts'
import { referenceTool } from '../support/reference-tools.ts'
import { fencesOf, follow, freshClone, isNotRun, quickNpm, stepsOf } from '../support/snippets.ts'

// Commands of README and docs are run literally and in order, with the output of `npm start` on a fresh clone.

/** Pages for beginners: the second continues in the terminal of the first. */
const FIRST_DAY = ['docs/guides/first-passport.md', 'docs/guides/first-day.md']
/** In reading order, against one demo; each group is pasted into one terminal. */
const PAGES = [
  ['README.md'],
  FIRST_DAY,
  ['docs/guides/tour.md'],
  ['docs/reference/credentials.md'],
  ['docs/reference/aas.md'],
  ['docs/reference/epcis.md'],
  ['docs/guides/operating.md', 'docs/guides/backup.md', 'docs/guides/keys.md'],
]
/** Covered by other tests. */
const ELSEWHERE = ['docs/guides/add-a-category.md', 'docs/guides/add-a-module.md']
const canFollow = ['openssl', 'jq', 'python3'].every((name) => referenceTool(name) !== undefined)

describe.skipIf(!canFollow)('a reader who pastes the commands of (needs curl, jq, openssl and python3)', () => {
  const clone = freshClone()
  // README uses npm itself.
  const quickPath = quickNpm(clone.folder)
  let gateway: GatewayProcess
  let env: Record<string, string>

  beforeAll(async () => {
    const [port, metrics, receiver] = await Promise.all(
      [freePort(), freePort(), freePort()].map(async (one) => String(await one)),
    )
    // Variables from the first day's page; they do not affect the other pages.
    const variables = Object.fromEntries(startLineOf('docs/guides/first-day.md').map((variable) => variable.split('=')))
    // `trials/start-up` covers the creation of a cluster.
    await preparedDataDir(join(clone.folder, '.data'))
    gateway = await startProcess({ ...variables, PORT: port, METRICS_PORT: metrics, RATE_LIMITS: 'off' }, clone.folder)
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
      const { PATH = '' } = env
      const paths = pages.includes('README.md') ? PATH : `${quickPath}:${PATH}`
      const { followed, stderr } = await follow(pages.flatMap(stepsOf), {
        folder: clone.folder,
        env: { ...env, PATH: paths },
      })
      expect(
        followed.filter(({ shown, printed }) => shown !== printed),
        stderr,
      ).toEqual([])
    },
  )
})

/** Variables with which a page starts the gateway. */
function startLineOf(page: string): string[] {
  const line = fencesOf(page).flatMap(({ text }) => /^((?:[A-Z_]+=\S+ )+)npm start$/m.exec(text)?.[1] ?? [])
  return line.join('').trim().split(' ')
}

test('every other command states why it is not run', () => {
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
