import { verify } from '../../../src/plugin/module.ts'
import { Fault, type Finding, Skipped } from './finding.ts'
import type { Probe } from './probe.ts'

type Verification = Awaited<ReturnType<typeof verify>>
export type PartName = Verification['checks'][number]['name']

/** States of a valid credential, not faults of the service. */
const STATES: readonly (string | undefined)[] = ['revoked', 'suspended', 'expired', 'notYetValid']

/** Verifies a document by the gateway's verifier, which reads keys and lists within the limits of the run. */
export function verified(probe: Probe, text: string): Promise<Verification> {
  const documents = {
    async read(url: string, accept: string) {
      const reply = await probe.follow(url, { accept })
      if (reply.status !== 200) throw new Error(`${url} responds with ${reply.status}.`)
      return reply.text
    },
  }
  return verify(text, { documents, contexts: probe.session.contexts, now: new Date(), allowUnknownStatus: true })
}

/** Result of one part of a verification. @throws Skipped if the part is undecided */
export async function partOf(probe: Probe, text: string, name: PartName): Promise<Finding> {
  const { form, checks } = await verified(probe, text)
  const parts = checks.filter((check) => check.name === name)
  const wrong = parts.find(({ ok }) => ok === false)
  if (wrong !== undefined) {
    if (STATES.includes(wrong.code)) throw new Skipped(wrong.detail)
    throw new Fault(`${form}: ${wrong.detail}`)
  }
  const open = parts.find(({ ok }) => ok === null)
  const reason =
    open?.detail ?? (parts.length === 0 ? `the verification of ${form} does not reach this part` : undefined)
  if (reason !== undefined) throw new Skipped(reason)
  return undefined
}
