import { createPublicKey } from 'node:crypto'
import type { Config } from '../config.ts'
import { Problem } from '../domain/problem.ts'
import { leafOf } from '../verify/certificate.ts'
import { examineSeal, type SealFindings } from '../verify/seal.ts'
import type { Check } from '../verify/verification.ts'
import type { Database } from './database.ts'
import type { PassportViews } from './passport-views.ts'
import type { SealCa } from './seal-ca.ts'
import { fingerprintOf } from './seals.ts'

/** What a submitted document turned out to be. */
export interface SealReport {
  readonly verified: boolean
  /** The first thing that failed, or that all is well. */
  readonly message: string
  readonly checks: (Check & { readonly name: AuditCheck })[]
  readonly certificate?: NonNullable<SealFindings['certificate']> & {
    readonly chainValid: boolean
    readonly keyMatchesProof: boolean
  }
  readonly timestamp?: { present: true; genTime: string | null; timeAuthenticated: boolean; note: string }
}

type AuditCheck = 'form' | 'key' | 'issuer' | 'content' | 'signature' | 'certificate' | 'timestamp'
type Entries = Readonly<Record<string, unknown>>

interface SealRow {
  passport_id: string
  signature: string
  created: string
  is_current: boolean
  product_id: string
  operator_id: string
  reg_id: string
  is_bound: boolean
}

/** Verifies seals that were made here, for anybody (specification 4.5, audit/verify). */
export class SealAudit {
  readonly #config: Config
  readonly #database: Database
  readonly #sealCa: SealCa
  readonly #views: PassportViews

  constructor(dependencies: { config: Config; database: Database; sealCa: SealCa; views: PassportViews }) {
    this.#config = dependencies.config
    this.#database = dependencies.database
    this.#sealCa = dependencies.sealCa
    this.#views = dependencies.views
  }

  /**
   * Salts come from the document and never from the store: an answer for values without salts would let anybody try
   * masked values until one verifies.
   * @throws Problem 400 when payload, signature or public key is missing
   */
  async verify(body: unknown): Promise<SealReport> {
    const { payload, signature, publicKey } = readRequest(body)
    const tenantId = await this.#workspaceOf(publicKey)
    if (tenantId === undefined) {
      return report([{ name: 'key', ok: false, detail: 'No workspace of this node has, or had, this key.' }])
    }
    const proof = entries(payload.proof)
    const given: Check[] = []
    if (differs(proof?.signatureValue, signature) || differs(normalised(proof?.publicKeyPem), publicKey)) {
      given.push({ name: 'form', ok: false, detail: 'signature and publicKey are not those of payload.proof.' })
    }
    const document = {
      ...payload,
      ...(payload.signingPublicKey === undefined ? {} : { signingPublicKey: normalised(payload.signingPublicKey) }),
      proof: { ...proof, signatureValue: signature, publicKeyPem: publicKey },
    }
    const row = await this.#sealOf(tenantId, publicKey, proof?.merkleRoot, payload.id)
    const findings = await examineSeal(document, {
      sealCa: await this.#sealCa.pem(),
      timestampCa: this.#config.tsaCa,
      complete: true,
    })
    const checks = [...given, ...findings.checks, ...this.#compare(document, row)]
    return report(checks, findings, keyIs(publicKey, proof?.x5c))
  }

  async #workspaceOf(publicKey: string): Promise<string | undefined> {
    let fingerprint: string
    try {
      fingerprint = fingerprintOf(publicKey)
    } catch {
      return undefined
    }
    const { rows } = await this.#database.lookup.query<{ tenant_id: string }>({
      name: 'workspace-of-key',
      text: 'select tenant_id from tenant_key where fingerprint = $1',
      values: [fingerprint],
    })
    return rows[0]?.tenant_id
  }

  async #sealOf(tenantId: string, publicKey: string, root: unknown, id: unknown): Promise<SealRow | undefined> {
    if (typeof root !== 'string') return undefined
    const [row] = await this.#database.forTenant(tenantId).execute<SealRow[]>(
      `select s.passport_id, s.signature, s.id = p.seal_id as is_current, p.product_id, p.operator_id, o.reg_id,
         to_char(s.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created,
         exists (select 1 from operator_binding b where b.operator_id = s.operator_id and b.tenant_id = s.tenant_id) as is_bound
       from seal s
         join tenant_key k on k.id = s.key_id
         join passport p on p.id = s.passport_id
         join operator o on o.id = s.operator_id
       where s.merkle_root = ? and k.fingerprint = ? and s.tenant_id = ?
       -- An ingested document may have brought the same seal to another passport of the workspace.
       order by s.passport_id::text = ? desc, s.id = p.seal_id desc limit 1`,
      [root, fingerprintOf(publicKey), tenantId, String(id)],
    )
    return row
  }

  /** The document against the seal store: which passport was sealed, when, for whom. */
  #compare(document: Entries, row: SealRow | undefined): Check[] {
    const proof = document.proof as Entries
    if (row === undefined || row.signature !== proof.signatureValue) {
      return [{ name: 'key', ok: false, detail: 'The key is known here, but it has not made this seal.' }]
    }
    const link = this.#views.digitalLink(row.product_id)
    const expected: [string, unknown, string][] = [
      ['id', document.id, row.passport_id],
      ['productId', document.productId, row.product_id],
      ['@id', document['@id'], link],
      ['digitalLinkUri', document.digitalLinkUri, link],
      ['@type', document['@type'], 'DigitalProductPassport'],
      ['proof.created', proof.created, row.created],
      [
        'proof.verificationMethod',
        proof.verificationMethod,
        `${this.#config.baseUrl}/passport/${row.passport_id}#key-1`,
      ],
    ]
    const wrong = expected.find(([, value, stored]) => differs(value, stored))
    const key: Check =
      wrong === undefined
        ? {
            name: 'key',
            ok: true,
            detail: `The key sealed this passport at ${row.created}${row.is_current ? '' : '; a later seal has replaced this one'}.`,
          }
        : { name: 'key', ok: false, detail: `${wrong[0]} is not that of the passport that was sealed.` }
    return [key, issuerCheck(entries(document.economicOperator) ?? {}, row)]
  }
}

function issuerCheck(declared: Entries, row: SealRow): Check {
  const isOther = differs(declared.id, row.operator_id) || differs(declared.regId, row.reg_id)
  if (isOther)
    return { name: 'issuer', ok: false, detail: 'economicOperator is not the one that the seal was made for.' }
  if (!row.is_bound) {
    return { name: 'issuer', ok: false, detail: 'The workspace is no longer bound to this economic operator.' }
  }
  return { name: 'issuer', ok: true, detail: `The workspace seals for the economic operator ${row.reg_id}.` }
}

function readRequest(body: unknown): { payload: Entries; signature: string; publicKey: string } {
  const { payload: given, signature, publicKey } = entries(body) ?? {}
  const payload = entries(given)
  const proof = entries(payload?.proof)
  const chosen = {
    signature: signature ?? proof?.signatureValue,
    publicKey: publicKey ?? proof?.publicKeyPem ?? keyOf(proof?.x5c),
  }
  if (payload === undefined || !isText(chosen.signature) || !isText(chosen.publicKey)) {
    throw new Problem(400, 'Missing cryptographic parameter: payload, signature, and publicKey are required')
  }
  return { payload, signature: chosen.signature.trim(), publicKey: normalised(chosen.publicKey) as string }
}

function report(checks: Check[], findings?: SealFindings, keyMatchesProof = false): SealReport {
  const failure = checks.find(({ ok }) => ok === false)
  const { certificate, genTime } = findings ?? {}
  const certificateCheck = checks.find(({ name }) => name === 'certificate')
  const timestampCheck = checks.find(({ name }) => name === 'timestamp')
  const hasTimestamp = genTime !== undefined || timestampCheck?.ok === false
  return {
    verified: failure === undefined,
    message: failure?.detail ?? 'The seal was made here and covers this content.',
    checks: checks as SealReport['checks'],
    ...(certificate === undefined
      ? {}
      : { certificate: { ...certificate, chainValid: certificateCheck?.ok === true, keyMatchesProof } }),
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

function keyOf(x5c: unknown): string | undefined {
  try {
    return x5c === undefined ? undefined : leafOf(x5c).publicKey.export({ type: 'spki', format: 'pem' }).toString()
  } catch {
    return undefined
  }
}

const keyIs = (publicKey: string, x5c: unknown): boolean => {
  const key = keyOf(x5c)
  return key !== undefined && createPublicKey(publicKey).equals(createPublicKey(key))
}

const entries = (value: unknown): Entries | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Entries) : undefined

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** A member that is there and says something else. */
const differs = (value: unknown, expected: string): boolean => value !== undefined && value !== expected

/** Lines that end as on another system are the same key; everything else is not. */
const normalised = (pem: unknown): unknown => (typeof pem === 'string' ? pem.replaceAll('\r\n', '\n').trim() : pem)
