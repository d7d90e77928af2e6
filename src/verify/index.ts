import { readFileSync } from 'node:fs'
import { Problem } from '../domain/problem.ts'
import { isObject } from './credential-content.ts'
import { verifyDataIntegrity } from './data-integrity.ts'
import type { Documents, VerifyOptions } from './documents.ts'
import { conclude, failed } from './outcome.ts'
import { verifySdJwtVc } from './sd-jwt-vc.ts'
import { verifySealedPassport } from './seal.ts'
import { readToken, verifyVcJwt } from './vc-jwt.ts'
import type { Verification } from './verification.ts'

const ENVELOPE = 'data:application/vc+jwt,'

const FORMS = 'application/vc+jwt, application/vc+ld+json;q=0.9, application/dc+sd-jwt;q=0.8, application/ld+json;q=0.7'
const MOST_BYTES = 32 * 1024 * 1024

/**
 * The text of what is to be verified: of a file, an address, or standard input for `-`.
 * @throws Problem when there is none
 */
export async function readSubject(subject: string, documents: Documents): Promise<string> {
  try {
    if (/^https?:\/\//.test(subject)) return await documents.read(subject, FORMS)
    const bytes = readFileSync(subject === '-' ? 0 : subject)
    if (bytes.length > MOST_BYTES) throw new Error(`${subject} has more than ${MOST_BYTES} bytes.`)
    return bytes.toString('utf8')
  } catch (error) {
    throw new Problem(400, (error as Error).message)
  }
}

/** Says what a document is, and whether it holds. */
export async function verify(text: string, options: VerifyOptions): Promise<Verification> {
  const trimmed = text.trim()
  if (trimmed.startsWith('{')) return verifyJson(trimmed, options)
  if (trimmed.includes('~')) return verifySdJwtVc(trimmed, options)
  return readToken(trimmed) === undefined ? unknownForm() : verifyVcJwt(trimmed, options)
}

async function verifyJson(text: string, options: VerifyOptions): Promise<Verification> {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    return conclude('unknown', [failed('form', `This is not JSON: ${(error as Error).message}`)])
  }
  if (!isObject(document)) return unknownForm()
  const { type, id } = document
  if (type === 'EnvelopedVerifiableCredential' && typeof id === 'string' && id.startsWith(ENVELOPE)) {
    return verifyVcJwt(id.slice(ENVELOPE.length), options)
  }
  if (document['@type'] === 'DigitalProductPassport')
    return verifySealedPassport(text, { now: options.now, ...options.seals })
  return document['@context'] === undefined ? unknownForm() : verifyDataIntegrity(text, options)
}

const unknownForm = (): Verification =>
  conclude('unknown', [
    failed('form', 'This is none of: sealed passport, vc+jwt, credential with a Data Integrity proof, SD-JWT VC.'),
  ])
