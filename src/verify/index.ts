import { isUtf8 } from 'node:buffer'
import { JsonGuardError } from '../domain/json-guard.ts'
import { isRecord, type JsonRecord } from '../domain/record.ts'
import { contentChecks } from './content.ts'
import { listOf } from './credential-content.ts'
import { examineDataIntegrity } from './data-integrity.ts'
import { MAX_BYTES, type VerifyOptions, withinBudget } from './documents.ts'
import { readJson } from './json.ts'
import { conclude, failed, isUnreadable, OF_A_CREDENTIAL, open, passed, unreadable, unsigned } from './outcome.ts'
import { isSecured, type ParsedCredential } from './parsed-credential.ts'
import { examineSdJwtVc } from './sd-jwt-vc.ts'
import { DOCUMENT_LIMITS, verifySealedPassport } from './seal.ts'
import { statusCheck, tokenStatusCheck } from './status.ts'
import { typesOf, unsignedDocument, unsignedFormat } from './unsigned.ts'
import { examineVcJwt, readToken } from './vc-jwt.ts'
import type { Check, Verification } from './verification.ts'

const ENVELOPE = /^data:application\/v[cp]\+jwt,/
const MAX_PRESENTED = 16

/** Identifies and verifies a document. Never throws. */
export async function verify(content: string | Uint8Array, options: VerifyOptions): Promise<Verification> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  if (bytes.length > MAX_BYTES) return unreadable(`The document has more than ${MAX_BYTES} bytes.`)
  const format = unsignedFormat(bytes)
  if (format !== undefined) return unsigned(format)
  if (!isUtf8(bytes)) return unreadable('The document is not UTF-8 text.')
  const text = typeof content === 'string' ? content : Buffer.from(content).toString()
  const bounded = { ...options, documents: withinBudget(options.documents) }
  try {
    const trimmed = text.replace(/^\uFEFF/, '').trim()
    return await (/^[[{"]/.test(trimmed) ? verifyJson(text, bounded) : verifyToken(trimmed, bounded))
  } catch (error) {
    // Ambiguous: two readers could see two documents.
    if (error instanceof JsonGuardError) return conclude('JSON', [failed('form', error.message)])
    throw error
  }
}

async function verifyJson(text: string, options: VerifyOptions): Promise<Verification> {
  let document: unknown
  try {
    // Sealed passports are the largest format.
    document = readJson(text, 'This', { ...DOCUMENT_LIMITS, exact: 'integers' })
  } catch (error) {
    if (error instanceof JsonGuardError) throw error
    return unreadable((error as Error).message)
  }
  return verifyValue(document, { ...options, text })
}

interface Inner extends VerifyOptions {
  /** Undefined for a part of another document. */
  readonly text?: string
  readonly isHeld?: boolean
}

async function verifyValue(document: unknown, options: Inner): Promise<Verification> {
  const { text, isHeld } = options
  if (typeof document === 'string') return verifyToken(document.trim(), options)
  if (!isRecord(document)) return unknownForm()
  const { type, id } = document
  if (typeof type === 'string' && /^EnvelopedVerifiable(Credential|Presentation)$/.test(type)) {
    return typeof id === 'string' && ENVELOPE.test(id) ? verifyToken(id.replace(ENVELOPE, ''), options) : unknownForm()
  }
  if (document['@type'] === 'DigitalProductPassport') {
    return verifySealedPassport(text ?? JSON.stringify(document), { now: options.now, ...options.seals })
  }
  if (typesOf(document).includes('VerifiablePresentation')) {
    return isHeld ? unknownForm() : verifyPresentation(document, options)
  }
  const form = unsignedDocument(document)
  if (form !== undefined) return unsigned(form)
  if (document['@context'] !== undefined)
    return verifyCredential(await examineDataIntegrity(document, options), options)
  // Request body (W3C VC API).
  const submitted = document.verifiableCredential ?? document.verifiablePresentation
  return submitted === undefined || text === undefined
    ? unknownForm()
    : verifyValue(submitted, { ...options, text: undefined })
}

/** Verifies the credentials. The presenter's signature is not verified; a check reports this. */
async function verifyPresentation(document: JsonRecord, options: VerifyOptions): Promise<Verification> {
  const held = listOf(document.verifiableCredential)
  const form = `presentation of ${held.length} ${held.length === 1 ? 'credential' : 'credentials'}`
  if (held.length === 0) return unsigned(form)
  if (held.length > MAX_PRESENTED) return unreadable(`The presentation has more than ${MAX_PRESENTED} credentials.`)
  const found: Verification[] = []
  for (const one of held) found.push(await verifyValue(one, { ...options, text: undefined, isHeld: true }))
  const verdicts = found.map((one) => (isUnreadable(one) ? 'undecided' : one.verdict))
  const verdict = (['not valid', 'undecided'] as const).find((each) => verdicts.includes(each)) ?? 'valid'
  const checks = found.flatMap((one, index) =>
    one.checks.map((check): Check => {
      const detail = `${held.length === 1 ? one.form : `${index + 1}, ${one.form}`}: ${check.detail}`
      return check.code === 'unreadable' ? open(check.name, detail) : { ...check, detail }
    }),
  )
  const formCheck = passed('form', 'Each credential is verified. The presenter is not.')
  return { form, verdict, valid: verdict === 'valid', checks: [formCheck, ...checks] }
}

async function verifyToken(text: string, options: Inner): Promise<Verification> {
  const token = readToken(text.split('~', 1)[0] as string)
  if (token === undefined) return unknownForm()
  if (typesOf(token.payload).includes('VerifiablePresentation')) {
    return options.isHeld ? unknownForm() : verifyPresentation(token.payload, options)
  }
  if (!text.includes('~')) return verifyCredential(await examineVcJwt(text, token, options), options)
  const examined = await examineSdJwtVc(text, token, options)
  if (!isSecured(examined) || examined.credential === undefined) return conclude(examined.form, examined.checks)
  const status =
    examined.credential.status === undefined
      ? await statusCheck(examined.credential, options)
      : await tokenStatusCheck(examined.credential, options)
  return concludeWith([...examined.checks, status], examined.form, options)
}

/** Checks content and status; requires a verified signature. */
async function verifyCredential(examined: ParsedCredential, options: VerifyOptions): Promise<Verification> {
  const { form, credential, checks } = examined
  const isWrong = checks.some(({ name, ok }) => name === 'content' && ok === false)
  if (credential === undefined || isWrong || !isSecured(examined)) return conclude(form, checks)
  const [content, ...schemas] = await contentChecks(credential, options)
  const status = isStatusList(credential) ? [] : [await statusCheck(credential, options)]
  const [first, ...others] = checks
  return concludeWith([first, content, ...others, ...schemas, ...status] as Check[], form, options)
}

const concludeWith = (checks: readonly Check[], form: string, { allowUnknownStatus }: VerifyOptions) =>
  conclude(form, checks, [
    ...OF_A_CREDENTIAL,
    ...(allowUnknownStatus || !checks.some(({ name }) => name === 'status') ? [] : (['status'] as const)),
  ])

const isStatusList = ({ credentialSubject }: JsonRecord) =>
  isRecord(credentialSubject) && listOf(credentialSubject.type).includes('BitstringStatusList')

const unknownForm = (): Verification =>
  unreadable(
    'Unsupported format. Supported: sealed passport, vc+jwt, credential with a Data Integrity proof, SD-JWT VC.',
  )
