import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { ROOT } from '../../src/root.ts'
import { freePort, type GatewayProcess, startProcess } from './process.ts'

// The database of an earlier version, with its demo, is taken over by what is here: what was served is served, and seals hold.

/** A version that may have left a database somewhere. */
export interface EarlierVersion {
  readonly commit: string
  /** Whether each of its migrations is what it is today. */
  readonly isPromised: boolean
}

/** What became of its database. */
export interface TakenOver {
  readonly documents: number
  readonly seals: number
  /** What is not as it was; empty where all is well. */
  readonly wrong: readonly string[]
}

const MOST_GIT_BYTES = 256 * 1024 * 1024
const ENDED_WITHIN_MS = 30_000

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, maxBuffer: MOST_GIT_BYTES })
const linesOf = (output: Buffer) =>
  output
    .toString()
    .split('\n')
    .filter((line) => line !== '')

/** Every release, and every commit that changed a migration, newest first. */
export function earlierVersions(): EarlierVersion[] {
  const commits = [...linesOf(git('tag', '--list', 'v*')), ...linesOf(git('log', '--format=%h', '--', 'migrations'))]
  const migrationsAt = (commit: string) => linesOf(git('ls-tree', commit, 'migrations/'))
  const today = new Set(migrationsAt('HEAD'))
  return commits.map((commit) => ({ commit, isPromised: migrationsAt(commit).every((line) => today.has(line)) }))
}

/** Runs versions one after the other, each from a folder of its own with the packages of its own lockfile, and takes their databases over. */
export async function openEarlierVersions() {
  const folder = await mkdtemp(join(tmpdir(), 'dpp-earlier-'))
  // For root PostgreSQL runs as another user, who has to pass.
  await chmod(folder, 0o711)
  return {
    takeOver: async (commit: string): Promise<TakenOver> => {
      const [source, dataDir] = [join(folder, commit), join(folder, `${commit}-data`)]
      await mkdir(source)
      execFileSync('tar', ['-x', '-C', source], { input: git('archive', commit), maxBuffer: MOST_GIT_BYTES })
      await install(source, commit)
      try {
        const env = { DATA_DIR: dataDir, RATE_LIMITS: 'off', PORT: String(await freePort()) }
        const before = await served(await startProcess(env, source))
        const now = await served(await startProcess(env), before)
        return compared(before, now)
      } catch (error) {
        return { documents: 0, seals: 0, wrong: [String(error).slice(0, 2000)] }
      } finally {
        await Promise.all([source, dataDir].map((each) => rm(each, { recursive: true, force: true })))
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }

  /** The packages of this lockfile, which are installed once for all versions that have it. */
  async function install(source: string, commit: string): Promise<void> {
    const lockOf = (of: string) => git('rev-parse', `${of}:package-lock.json`).toString().trim()
    const installed = join(folder, `packages-${lockOf(commit)}`)
    if (!existsSync(installed)) {
      await mkdir(installed)
      if (lockOf(commit) === lockOf('HEAD')) {
        execFileSync('cp', ['-al', join(ROOT, 'node_modules'), installed])
      } else {
        for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
          if (existsSync(join(source, file))) await cp(join(source, file), join(installed, file))
        }
        execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: installed, stdio: 'inherit' })
      }
    }
    execFileSync('cp', ['-al', join(installed, 'node_modules'), source])
  }
}

// biome-ignore lint/suspicious/noExplicitAny: documents of any version.
type Document = any

interface Served {
  readonly key: string
  /** Of published passports, as their owner reads them, by their id. */
  readonly documents: ReadonlyMap<string, Document>
  /** Of what is sealed: what the process says of it; undefined where it has no such operation. */
  readonly verdicts: ReadonlyMap<string, string | undefined>
}

/** What a gateway serves, which is ended then. */
async function served(gateway: GatewayProcess, before?: Served): Promise<Served> {
  const read = async (path: string, init: RequestInit = {}): Promise<Document> => {
    const answer = await fetch(`${gateway.url}${path}`, init)
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  try {
    await gateway.printed(before === undefined ? /dpp_key_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}/ : 'is ready')
    const key = before?.key ?? /dpp_key_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}/.exec(gateway.output())?.[0] ?? ''
    const headers = { authorization: `Bearer ${key}`, accept: 'application/ld+json' }
    const { passports } = await read('/api/v1/passports?limit=100', {
      headers: { ...headers, accept: 'application/json' },
    })
    const documents = new Map<string, Document>()
    const verdicts = new Map<string, string | undefined>()
    for (const { id, status } of passports) {
      if (status !== 'ACTIVE') continue
      const payload = await read(`/passport/${id}`, { headers })
      documents.set(id, payload)
      if (typeof payload.digitalSeal !== 'string') continue
      const verified = await fetch(`${gateway.url}/api/v1/audit/verify`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ payload }),
      })
      verdicts.set(id, verified.ok ? ((await verified.json()) as Document).verdict : undefined)
    }
    return { key, documents, verdicts }
  } finally {
    const impatient = setTimeout(() => gateway.process.kill('SIGKILL'), ENDED_WITHIN_MS)
    await gateway.end('SIGTERM')
    clearTimeout(impatient)
  }
}

function compared(before: Served, now: Served): TakenOver {
  const wrong: string[] = before.documents.size === 0 ? ['Nothing was served before.'] : []
  for (const [id, was] of before.documents) {
    const is = now.documents.get(id)
    for (const member of ['id', 'productId', 'status', 'metadata', 'digitalSeal', 'signingPublicKey']) {
      if (!isDeepStrictEqual(is?.[member], was[member])) wrong.push(`${member} of ${id} is another`)
    }
    // A seal that does not say what it is about is of before that was asked.
    const isAsked = was.proof?.subject !== undefined
    if (isAsked && now.verdicts.get(id) !== 'valid') wrong.push(`the seal of ${id} is ${now.verdicts.get(id)}`)
  }
  return { documents: before.documents.size, seals: before.verdicts.size, wrong }
}
