import { extname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Cradle } from '../cradle.ts'
import { jsonPieces } from '../domain/json-pieces.ts'
import { Problem } from '../domain/problem.ts'
import { isRecord, type JsonRecord } from '../domain/record.ts'
import type { Content, Schema } from '../domain/schema.ts'
import { yieldTurn } from '../domain/yielding.ts'
import { WorkThread } from '../plugin/work-thread.ts'
import { revocationsAmong } from '../verify/revocation.ts'
import { concludeSeal, examineSeal, type SealFindings } from '../verify/seal.ts'
import type { Check } from '../verify/verification.ts'
import { findEarlier, findSeal, type MasterData, type SealRow } from './seal-statements.ts'
import { ownerOfKey } from './tenant-keys.ts'
import type { SealToExamine } from './threads/seal.ts'

declare module '../cradle.ts' {
  interface Cradle {
    sealAudit: ReturnType<typeof sealAudit>
  }
}

/** Larger documents would block the main thread. */
const MAX_AT_ONCE = 131_072

/** Public verification of seals made here (specification 4.5, audit/verify). */
export default function sealAudit({ config, database, sealCa }: Cradle) {
  const thread = new WorkThread<SealToExamine, SealFindings>(
    new URL(`./threads/seal${extname(import.meta.filename)}`, import.meta.url),
    { maxWaiting: 20, maxWait: 20_000, maxDuration: 10_000, maxHeap: 256 },
  )

  return { verify }

  /**
   * Verifies a seal. Uses no stored salts: they would let callers guess masked values by trial.
   * @param countSlowWork called before verifying a large document in a separate thread
   * @throws Problem 400 for missing parameters; 429, 503 for a large document
   */
  async function verify(
    request: Schema<'SealToVerify'>,
    countSlowWork?: () => Promise<void>,
  ): Promise<Content<'SealVerification'>> {
    const { payload, signature, publicKey } = readRequest(request)
    const proof = isRecord(payload.proof) ? payload.proof : {}
    const owner = await ownerOfKey(database, publicKey)
    if (owner === undefined) {
      return report([{ name: 'key', ok: false, detail: 'No workspace of this gateway has or had this key.' }])
    }
    // Values next to the document complete the proof, and must not contradict it.
    const whole: JsonRecord = { signatureValue: signature, publicKeyPem: publicKey, ...proof }
    const isGiven = whole.signatureValue === signature && whole.publicKeyPem === publicKey
    const given: Check[] = isGiven
      ? []
      : [{ name: 'form', ok: false, detail: 'signature and publicKey differ from those in payload.proof.' }]
    const findings = await examine(payload, whole, owner.revoked, countSlowWork)
    const isSigned = findings.checks.some(({ name, ok }) => name === 'signature' && ok === true)
    const known = isSigned ? await compare(owner.tenantId, payload, whole, findings) : []
    return report([...given, ...findings.checks, ...known], findings, publicKey)
  }

  /** Reloads seal CAs before rejecting a certificate: another process may have added one. */
  async function examine(
    payload: JsonRecord,
    proof: JsonRecord,
    revoked: ReadonlyMap<string, Date>,
    countSlowWork?: () => Promise<void>,
  ): Promise<SealFindings> {
    const timestampCa = config.tsaCa
    let text = ''
    for (const piece of jsonPieces(payload)) {
      text += piece
      if (text.length > MAX_AT_ONCE) await yieldTurn()
    }
    const isLarge = text.length > MAX_AT_ONCE
    if (isLarge) await countSlowWork?.()
    const examineFor = (sealCa: string) =>
      isLarge
        ? thread.run({ text, proof, sealCa, timestampCa, revoked })
        : examineSeal({ ...payload, proof }, { sealCa, timestampCa, revocations: revocationsAmong(revoked) })
    const pemBefore = await sealCa.pemAsRead()
    const findings = await examineFor(pemBefore)
    if (findings.checks.find(({ name }) => name === 'certificate')?.ok !== false) return findings
    const now = await sealCa.pem()
    return now === pemBefore ? findings : examineFor(now)
  }

  async function compare(
    tenantId: string,
    payload: JsonRecord,
    { merkleRoot, signatureValue, verificationMethod }: JsonRecord,
    { subject }: SealFindings,
  ): Promise<Check[]> {
    const [session, root, id] = [database.batchedFor(tenantId), String(merkleRoot), subject?.id ?? '']
    const row = await findSeal(session, root, id)
    if (row === undefined || row.signature !== signatureValue) {
      return [{ name: 'key', ok: false, detail: 'The key belongs to this gateway, but did not make this seal.' }]
    }
    const later = row.is_current
      ? ''
      : ` A later seal replaced this one. Current passport: ${config.baseUrl}/passport/${id}.`
    return [
      { name: 'key', ok: true, detail: `This gateway made the seal.${later}` },
      row.is_bound
        ? {
            name: 'issuer',
            ok: true,
            detail: `The workspace seals for the economic operator ${subject?.operator.regId}.`,
          }
        : { name: 'issuer', ok: false, detail: 'The workspace is no longer bound to this economic operator.' },
      `${config.baseUrl}/passport/${id}#key-1` === verificationMethod
        ? await registerCheck(payload, row, () => findEarlier(session, root, id))
        : wrongRegister('The addresses in the document are not on this gateway.'),
    ]
  }
}

const wrongRegister = (detail: string): Check => ({ name: 'register', ok: false, detail })

/** Compares unsealed names with those registered now, or at any time during the seal. */
async function registerCheck(
  document: JsonRecord,
  { status, ...current }: SealRow,
  earlier: () => Promise<readonly MasterData[]>,
): Promise<Check> {
  const now = differing(document, current)
  const isEarlier = now !== undefined && (await earlier()).some((state) => differing(document, state) === undefined)
  if (now !== undefined && !isEarlier) {
    return wrongRegister(`${now} is not sealed and differs from the register. Fetch the passport again.`)
  }
  const moved = differs(document.status, status) ? `; the current status is ${status}` : ''
  const names = isEarlier ? 'match the register at the time of this seal' : 'match the register'
  return { name: 'register', ok: true, detail: `The names ${names}. The status is not sealed${moved}.` }
}

function differing(document: JsonRecord, { operator, facility }: MasterData): string | undefined {
  const stated: [string, unknown, JsonRecord][] = [
    ['economicOperator', document.economicOperator, operator],
    ['manufacturingFacility', document.manufacturingFacility, facility ?? {}],
  ]
  for (const [place, value, registered] of stated) {
    for (const [name, presented] of Object.entries(isRecord(value) ? value : {})) {
      const isSealed = place === 'economicOperator' && (name === 'id' || name === 'regId')
      if (
        name !== '@type' &&
        !isSealed &&
        !ADDRESS.has(name) &&
        !isDeepStrictEqual(presented, registered[name] ?? null)
      ) {
        return `${place}.${name}`
      }
    }
  }
  return undefined
}

/** Addresses are not compared: responses would let callers guess hidden ones by trial. */
const ADDRESS: ReadonlySet<string> = new Set(['streetAddress', 'city', 'postalCode'])

function readRequest({ payload, signature, publicKey }: Schema<'SealToVerify'>) {
  const proof = isRecord(payload.proof) ? payload.proof : {}
  const chosen = {
    signature: signature === undefined ? proof.signatureValue : withPlainLineEnds(signature),
    publicKey: publicKey === undefined ? proof.publicKeyPem : withPlainLineEnds(publicKey),
  }
  if (!isText(chosen.signature) || !isText(chosen.publicKey)) {
    throw new Problem(400, 'Missing cryptographic parameter: payload, signature, and publicKey are required')
  }
  return { payload, signature: chosen.signature, publicKey: chosen.publicKey }
}

function report(checks: readonly Check[], findings?: SealFindings, publicKey?: string): Content<'SealVerification'> {
  const revocation = checks.find(({ name }) => name === 'revocation')
  // Unknown revocation leaves the result open.
  const failure = checks.find(({ ok }) => ok === false) ?? (revocation?.ok === null ? revocation : undefined)
  const { certificate, genTime, masked = [] } = findings ?? {}
  const { verdict } = concludeSeal(checks)
  const certificateCheck = checks.find(({ name }) => name === 'certificate')
  const timestampCheck = checks.find(({ name }) => name === 'timestamp')
  const hasTimestamp = genTime !== undefined || timestampCheck?.ok === false
  return {
    verified: verdict === 'valid' && masked.length === 0,
    verdict,
    message:
      failure?.detail ??
      (masked.length === 0 ? 'This gateway made the seal, and it covers this content.' : partly(masked)),
    checks: checks.map(({ name, ok, detail }) => ({ name, ok, detail })) as Content<'SealVerification'>['checks'],
    ...(certificate === undefined
      ? {}
      : {
          certificate: {
            ...certificate.shown,
            chainValid: certificateCheck?.ok === true,
            keyMatchesProof: certificate.publicKeyPem === publicKey,
          },
        }),
    ...(hasTimestamp
      ? {
          timestamp: {
            present: true,
            genTime: genTime ?? null,
            timeAuthenticated: timestampCheck?.ok === true,
            note: timestampCheck?.detail ?? '',
          },
        }
      : {}),
  }
}

// Specification 4.5: every leaf is recomputed from its value.
const partly = (masked: readonly string[]) =>
  `This gateway made the seal, and it is valid for the shown values. ${masked.join(', ')} ${masked.length === 1 ? 'is' : 'are'} masked; "verified" needs every value, which the owner's document has.`

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

const differs = (value: unknown, expected: string): boolean => value !== undefined && value !== expected

const withPlainLineEnds = (text: string): string => text.replaceAll('\r\n', '\n')
