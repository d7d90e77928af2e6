import { isRecord } from '../../../../src/plugin/index.ts'
import { ANYWHERE, type ModuleCradle, Outgoing, parseGuardedJson, usableText } from '../../../../src/plugin/module.ts'
import { type ProofType, proofTypeOf, type RegistryEntry } from '../registry-entry.ts'
import type { RegistrySettings } from '../settings.ts'

const MAX_ANSWER_BYTES = 1_500_000
const MAX_PROOF_BYTES = 1024 * 1024
const MAX_IDENTIFIER_CHARACTERS = 200
const MAX_REASON_CHARACTERS = 300
/** Temporary rejections (RFC 9110, 15.5; RFC 6585, 4). Rejected credentials must be corrected first. */
const PASSING: readonly number[] = [408, 425, 429]
const REFUSING_US: readonly number[] = [401, 403]

interface RegistryAnswer {
  readonly identifier: string
  /** ISO 8601 in UTC; undefined if not stated. */
  readonly registeredAt: string | undefined
  readonly proof: { readonly type: ProofType; readonly bytes: Buffer } | undefined
  /** Reason for a missing announced proof; the registration is valid regardless. */
  readonly proofProblem: ProofProblem | undefined
}

type Proof = Pick<RegistryAnswer, 'proof' | 'proofProblem'>

interface ProofProblem {
  readonly message: string
  readonly isPassing: boolean
}

/** The message is for the passport owner and contains no secret. */
export class NotRegistered extends Error {
  override name = 'NotRegistered'
  /** True if a retry cannot help. */
  readonly isFinal: boolean

  constructor(message: string, isFinal = false) {
    super(message)
    this.isFinal = isFinal
  }
}

export type Registry = NonNullable<ReturnType<typeof registry>>

/**
 * Passport registry, by the interface of the exploratory CIRPASS-2 registry: that of the European Commission is not public. Undefined if
 * `REGISTRY_URL` is not set.
 */
export default function registry({
  config,
  registrySettings,
}: Pick<ModuleCradle, 'config'> & { readonly registrySettings: RegistrySettings }) {
  if (registrySettings === undefined) return undefined
  const { address: url, token } = registrySettings
  const withinMs = config.bounds.registryTimeout
  const { origin } = new URL(url)
  const outgoing = new Outgoing(ANYWHERE)
  const authorization: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` }

  return { origin, register }

  /**
   * Registers a passport; idempotent.
   * @param known earlier identifier
   * @throws NotRegistered
   */
  async function register(entry: RegistryEntry, known: string | undefined): Promise<RegistryAnswer> {
    const { status, body } = await whole(
      outgoing.post({
        url: `${url}/metadata/v1/registerDPP`,
        headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...authorization },
        body: JSON.stringify(entry),
        withinMs,
        maxBytes: MAX_ANSWER_BYTES,
      }),
    )
    const members = membersOf(body)
    // 409: registered already; this or an earlier response has the identifier.
    const isTaken = (status >= 200 && status < 300) || status === 409
    if (!isTaken) throw new NotRegistered(refusal(status, members), isFinal(status))
    const identifier = usableText(members.registrationId, MAX_IDENTIFIER_CHARACTERS + 1) ?? known
    if (identifier === undefined || identifier.length > MAX_IDENTIFIER_CHARACTERS || !isPrintable(identifier)) {
      throw new NotRegistered(
        status === 409
          ? 'The registry already has the passport, but did not return its identifier.'
          : 'The registry returned no valid registration identifier.',
        status === 409,
      )
    }
    const { proof, proofProblem } = await proofOf(members)
    return { identifier, registeredAt: timeOf(members.registeredAt), proof, proofProblem }
  }

  async function proofOf({ proof, proofUrl }: Readonly<Record<string, unknown>>): Promise<Proof> {
    if (typeof proof === 'string') return toProof(Buffer.from(proof, 'base64'))
    if (proofUrl === undefined || proofUrl === null) return { proof: undefined, proofProblem: undefined }
    const address = typeof proofUrl === 'string' && URL.canParse(proofUrl, url) ? new URL(proofUrl, url) : undefined
    // The token must not be sent to other origins.
    if (address?.origin !== origin) return withoutProof('The address of the proof is not on the registry.')
    try {
      const { status, body } = await whole(
        outgoing.get({ url: address.href, headers: authorization, withinMs, maxBytes: MAX_PROOF_BYTES }),
      )
      if (status === 200) return toProof(body)
      return withoutProof(`The registry responded with ${status} to the request for its proof.`, !isFinal(status))
    } catch (error) {
      if (error instanceof NotRegistered) return withoutProof(error.message, true)
      throw error
    }
  }

  function refusal(status: number, members: Readonly<Record<string, unknown>>): string {
    const reasons = [members.message, members.detail, members.error].map((text) =>
      usableText(text, MAX_REASON_CHARACTERS),
    )
    const reason = reasons.find((text) => text !== undefined)
    const isShown = reason !== undefined && isPrintable(reason) && !(token !== undefined && holds(reason, token))
    const hint = REFUSING_US.includes(status) ? ' Contact the operator of the gateway to correct REGISTRY_TOKEN.' : ''
    return `The registry responded with ${status}${isShown ? `: ${reason}` : '.'}${hint}`
  }
}

/** True if a text contains the secret, even truncated. */
const holds = (text: string, secret: string) => text.includes(secret.slice(0, 8))

async function whole<T>(pending: Promise<T>): Promise<T> {
  try {
    return await pending
  } catch (error) {
    throw new NotRegistered(`The registry gave no complete response: ${reasonOf(error)}`)
  }
}

const reasonOf = (error: unknown) =>
  error instanceof Error && /^(?:No complete response|The response has more than)/.test(error.message)
    ? error.message
    : 'it could not be reached.'

const isFinal = (status: number) => status >= 400 && status < 500 && !PASSING.includes(status)

function membersOf(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const parsed = parseGuardedJson(body)
    return isRecord(parsed) ? parsed : {}
  } catch {
    return {}
  }
}

function toProof(bytes: Buffer): Proof {
  const type = bytes.length > MAX_PROOF_BYTES ? undefined : proofTypeOf(bytes)
  if (type === undefined)
    return withoutProof('The proof of the registry is not a PDF, XML or JSON document, or is too large.')
  return { proof: { type, bytes }, proofProblem: undefined }
}

const withoutProof = (message: string, isPassing = false): Proof => ({
  proof: undefined,
  proofProblem: { message, isPassing },
})

const isPrintable = (text: string) => !/\p{C}/u.test(text)

/** Undefined if invalid or in the future. */
function timeOf(value: unknown): string | undefined {
  const at = typeof value === 'string' && value.length <= 40 ? Date.parse(value) : Number.NaN
  return at > 0 && at <= Date.now() ? new Date(at).toISOString() : undefined
}
