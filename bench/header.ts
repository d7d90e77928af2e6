import { execFile } from 'node:child_process'
import { availableParallelism, loadavg } from 'node:os'
import { promisify } from 'node:util'
import { ROOT, VERSION } from '../src/root.ts'
import type { BenchDatabase } from './pg.ts'

/** Version and environment of a run. */
export const headerOf = async ({ version }: BenchDatabase) => ({
  version: VERSION,
  commit: await commit(),
  node: process.version,
  postgres: version,
  cores: availableParallelism(),
  loadBefore: loadAverage(),
})

export const headline = (header: Awaited<ReturnType<typeof headerOf>>): string =>
  `dpp-gateway ${header.version} (${header.commit}), Node ${header.node}, PostgreSQL ${header.postgres}, ` +
  `${header.cores} cores, load ${header.loadBefore}`

/** Load average of the last minute. */
export const loadAverage = (): number => Math.round((loadavg()[0] ?? Number.NaN) * 100) / 100

async function commit(): Promise<string> {
  const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: ROOT }).then(({ stdout }) => stdout.trim())
  try {
    const isChanged = (await git('status', '--porcelain', '--', 'src', 'plugins', 'migrations')) !== ''
    return `${await git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`
  } catch {
    return 'unknown commit'
  }
}
