import { MAX_REQUESTS } from './bounds.ts'
import type { Check } from './check.ts'
import { CHECKS } from './checks/index.ts'
import { Exhausted, Fault, Skipped } from './finding.ts'
import { type Contexts, type Exchange, Probe, type SealTrust, Session, type Target } from './probe.ts'
import { findTarget, type TargetOptions } from './target.ts'
import { Transport } from './transport.ts'

export type Verdict = 'pass' | 'fail' | 'warn' | 'skip'

export interface Result {
  readonly check: Check
  readonly verdict: Verdict
  /** Fault, or reason for skipping. */
  readonly reason?: string
  readonly exchanges: readonly Exchange[]
  readonly durationMs: number
}

export interface Run {
  readonly target: Target
  readonly results: readonly Result[]
  readonly requests: number
  /** Limit that ended the run early. */
  readonly exhausted?: string | undefined
}

export interface RunOptions extends TargetOptions {
  readonly allowLocalhost: boolean
  readonly isWriting: boolean
  /** Groups and checks, by id; all if undefined. */
  readonly only?: readonly string[] | undefined
  readonly maxRequests?: number | undefined
  readonly contexts: Contexts
  readonly sealTrust?: SealTrust
  /** Trusted certificates (PEM), for tests. */
  readonly ca?: string
  readonly tell: (message: string) => void
}

const PROGRESS_INTERVAL_MS = 5000

/** Checks selected by groups such as `gs1`, beginnings of groups such as `en18222`, and ids such as `http.head`. */
export const selected = (only: readonly string[] | undefined): readonly Check[] =>
  only === undefined ? CHECKS : CHECKS.filter(({ id }) => only.some((name) => isSelectedBy(name, id)))

const isSelectedBy = (name: string, id: string) =>
  id === name || (!name.includes('.') && [`${name}.`, `${name}-`].some((beginning) => id.startsWith(beginning)))

/** Names that select nothing. */
export const unknownNames = (only: readonly string[]): string[] =>
  only.filter((name) => !CHECKS.some(({ id }) => isSelectedBy(name, id)))

/**
 * Runs the checks one after the other.
 * @throws Fault if the service does not respond at all, or no passport is known
 */
export async function runChecks(options: RunOptions): Promise<Run> {
  const { url, api, product, passport, allowLocalhost, contexts, sealTrust = {}, tell, ca } = options
  const { maxRequests = MAX_REQUESTS } = options
  const given = [url, api, product, passport].filter((text) => text !== undefined && /^https?:/.test(text))
  const trusted = new Set(given.flatMap((text) => (URL.canParse(String(text)) ? [new URL(String(text)).origin] : [])))
  const transport = new Transport({ trusted, allowLocalhost, ca })
  const session = new Session({ transport, sealTrust, contexts, maxRequests, tell })
  try {
    const target = await findTarget(options, session)
    if (target.passportUrl === undefined && target.productId === undefined && target.dppId === undefined)
      throw new Fault('no passport found. Use the address of a passport or of its product, or add --product.')
    const checks = selected(options.only)
    const results: Result[] = []
    let reported = performance.now()
    for (const check of checks) {
      results.push(await runCheck(check, new Probe(target, session), options.isWriting))
      if (performance.now() - reported < PROGRESS_INTERVAL_MS) continue
      reported = performance.now()
      tell(`${results.length} of ${checks.length} checks, ${session.requests} requests …`)
    }
    return { target, results, requests: session.requests, exhausted: session.exhausted }
  } finally {
    await transport.close()
  }
}

async function runCheck(check: Check, probe: Probe, isWriting: boolean): Promise<Result> {
  const begun = performance.now()
  const end = (verdict: Verdict, reason?: string): Result => {
    const durationMs = Math.round(performance.now() - begun)
    return { check, verdict, exchanges: probe.exchanges, durationMs, ...(reason !== undefined && { reason }) }
  }
  const failed = check.should === true ? 'warn' : 'fail'
  if (check.writes === true && !isWriting) return end('skip', 'it sends writes: add --write')
  try {
    const fault = await check.run(probe)
    return fault === undefined ? end('pass') : end(failed, fault)
  } catch (error) {
    if (error instanceof Exhausted) probe.session.exhausted ??= error.message
    if (error instanceof Skipped) return end('skip', error.message)
    if (error instanceof Fault) return end(failed, error.message)
    throw error
  }
}
