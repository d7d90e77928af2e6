import { JsonGuardError } from '../domain/json-guard.ts'
import { isRecord, type JsonRecord } from '../domain/record.ts'
import { contentChecks } from './content.ts'
import { listOf } from './credential-content.ts'
import { examineDataIntegrity } from './data-integrity.ts'
import { MOST_BYTES, type VerifyOptions, withinBudget } from './documents.ts'
import { type Examined, isSecured } from './examined.ts'
import { readJson } from './json.ts'
import { conclude, failed, OF_A_CREDENTIAL, unreadable } from './outcome.ts'
import { examineSdJwtVc } from './sd-jwt-vc.ts'
import { DOCUMENT_LIMITS, verifySealedPassport } from './seal.ts'
import { statusCheck, tokenStatusCheck } from './status.ts'
import { examineVcJwt, readToken } from './vc-jwt.ts'
import type { Check, Verification } from './verification.ts'

const ENVELOPE = 'data:application/vc+jwt,'

/** Says what a document is, and whether it holds. Never throws, whatever it is given. */
export async function verify(text: string, options: VerifyOptions): Promise<Verification> {
  if (Buffer.byteLength(text) > MOST_BYTES) return unreadable(`This has more than ${MOST_BYTES} bytes.`)
  const bounded = { ...options, documents: withinBudget(options.documents) }
  try {
    const trimmed = text.replace(/^\uFEFF/, '').trim()
    return await (/^[[{]/.test(trimmed) ? verifyJson(text, bounded) : verifyToken(trimmed, bounded))
  } catch (error) {
    // Two readers would see two documents; there is nothing that both could be told.
    if (error instanceof JsonGuardError) return conclude('JSON', [failed('form', error.message)])
    throw error
  }
}

async function verifyJson(text: string, options: VerifyOptions): Promise<Verification> {
  let document: unknown
  try {
    // A sealed passport is the largest form; it is read once more by its own rule.
    document = readJson(text, 'This', { ...DOCUMENT_LIMITS, exact: 'integers' })
  } catch (error) {
    if (error instanceof JsonGuardError) throw error
    return unreadable((error as Error).message)
  }
  if (!isRecord(document)) return unknownForm()
  const { type, id } = document
  if (type === 'EnvelopedVerifiableCredential' && typeof id === 'string' && id.startsWith(ENVELOPE)) {
    return verifyToken(id.slice(ENVELOPE.length), options)
  }
  if (document['@type'] === 'DigitalProductPassport') {
    return verifySealedPassport(text, { now: options.now, ...options.seals })
  }
  if (document['@context'] === undefined) return unknownForm()
  return verifyCredential(await examineDataIntegrity(document, options), options)
}

async function verifyToken(text: string, options: VerifyOptions): Promise<Verification> {
  const token = readToken(text.split('~', 1)[0] as string)
  if (token === undefined) return unknownForm()
  if (!text.includes('~')) return verifyCredential(await examineVcJwt(text, token, options), options)
  const examined = await examineSdJwtVc(text, token, options)
  if (!isSecured(examined) || examined.credential === undefined) return conclude(examined.form, examined.checks)
  // The form has both lists beside one another; one of them answers for both.
  const status =
    examined.credential.status === undefined
      ? await statusCheck(examined.credential, options)
      : await tokenStatusCheck(examined.credential, options)
  return concludeWith([...examined.checks, status], examined.form, options)
}

/** Meaning, schema and status of a credential; none is looked at before its issuer is known to stand behind it. */
async function verifyCredential(examined: Examined, options: VerifyOptions): Promise<Verification> {
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
  unreadable('This is none of: sealed passport, vc+jwt, credential with a Data Integrity proof, SD-JWT VC.')
