import { verify } from '../../../src/plugin/module.ts'
import { Fault, type Finding, Skipped } from './finding.ts'
import type { Probe } from './probe.ts'
import { decodeToken } from './rules/credential.ts'

type Verification = Awaited<ReturnType<typeof verify>>
export type PartName = Verification['checks'][number]['name']

/** States of a valid credential, not faults of the service. */
const STATES: readonly (string | undefined)[] = ['revoked', 'suspended', 'expired', 'notYetValid']

/**
 * Verifies a document by the gateway's verifier, which reads keys and lists within the limits of the run.
 * @throws Skipped for algorithms that the verifier does not support
 */
export function verified(probe: Probe, text: string): Promise<Verification> {
  const unsupported = unsupportedIn(text)
  if (unsupported !== undefined) throw new Skipped(`the verifier does not support ${unsupported}`)
  const documents = {
    async read(url: string, accept: string) {
      const reply = await probe.follow(url, { accept })
      if (reply.status !== 200) throw new Error(`${url} responds with ${reply.status}.`)
      return reply.text
    },
  }
  return verify(text, {
    documents,
    contexts: probe.session.contexts,
    now: new Date(),
    allowUnknownStatus: true,
    seals: probe.session.sealTrust,
  })
}

/** Algorithm of a document that the verifier does not support. */
export function unsupportedIn(text: string): string | undefined {
  const token = decodeToken(text.split('~', 1)[0] ?? '')
  if (token !== undefined) {
    const isDid = text.includes('~') && String(token.payload.iss).startsWith('did:')
    if (isDid) return 'SD-JWTs whose issuer is a DID'
    return ['ES256', 'none'].includes(String(token.header.alg)) ? undefined : `the algorithm ${token.header.alg}`
  }
  const [, suite] = /"cryptosuite"\s*:\s*"([^"]{1,40})"/.exec(text) ?? []
  return suite === undefined || suite === 'ecdsa-jcs-2019' ? undefined : `the cryptosuite ${suite}`
}

/** The failed check of a verification, except states of valid credentials. */
export const wrongIn = ({ checks }: Verification) =>
  checks.find(({ ok, code }) => ok === false && !STATES.includes(code))

/** Result of one part of a verification. @throws Skipped if the part is undecided; Fault */
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
