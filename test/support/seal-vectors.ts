import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Revocations, revocationsOf } from '../../src/verify/revocation.ts'

export type Verdict = 'valid' | 'not valid' | 'undecided'

/** A case of the vector file. */
export interface Case {
  readonly name: string
  readonly finding?: string
  readonly document: string
  readonly replace?: readonly (readonly [from: string, to: string, times?: number])[]
  readonly all?: boolean
  readonly trust?: 'sealCa' | 'none'
  /** Replaces the seal CA. */
  readonly sealCa?: string
  /** Lists of revoked certificates, Base64 of DER; absent means unchecked. */
  readonly lists?: readonly string[]
  readonly verdict: Verdict
  /** Verdict of a gateway, which has a register, if different. */
  readonly gateway?: Verdict
  /** Above the limits of a gateway. */
  readonly only?: 'offline'
  readonly why?: string
}

/** Stored data of the gateway that made a seal. */
export interface Made {
  readonly documents: readonly [string]
  readonly passport: { readonly id: string; readonly productId: string }
  readonly operator: { readonly id: string; readonly regId: string; readonly name: string }
  readonly facility: { id: string; gln: string; name: string; activity: string; country: string } | null
  readonly created: string
  readonly metadata: object
  readonly subject: object
  readonly merkleRoot: string
  readonly leaves: object
  readonly publicKeyPem: string
  readonly signature: string
  readonly x5c: readonly string[]
}

export interface Question {
  readonly case: Case
  readonly text: string
  readonly sealCa: string | undefined
  readonly lists: readonly Buffer[] | undefined
}

export const VECTORS = fileURLToPath(new URL('../conformance/seal-vectors.json', import.meta.url))

export const vectors = JSON.parse(readFileSync(VECTORS, 'utf8')) as {
  readonly vectors: readonly { readonly root: string }[]
  readonly sealCa: string
  readonly documents: Readonly<Record<string, string>>
  readonly made: readonly Made[]
  readonly cases: readonly Case[]
  readonly registerCases: readonly Case[]
  readonly authorityCases: readonly Case[]
  readonly revocationCases: readonly Case[]
}
export const everyCase = [
  ...vectors.cases,
  ...vectors.registerCases,
  ...vectors.authorityCases,
  ...vectors.revocationCases,
]

/** The document with its replacements. Throws if one does not match. */
function textOf({ name, document, replace = [], all = false }: Case): string {
  let text = vectors.documents[document] as string
  for (const [from, to, times] of replace) {
    const parts = text.split(from)
    if (all ? parts.length < 2 : parts.length !== 2) throw new Error(`${name}: ${from.slice(0, 80)} does not fit.`)
    text = parts.join(times === undefined ? to : to.repeat(times) + from)
  }
  return text
}

export const questionOf = (one: Case): Question => ({
  case: one,
  text: textOf(one),
  sealCa: one.trust === 'none' ? undefined : (one.sealCa ?? vectors.sealCa),
  lists: one.lists?.map((list) => Buffer.from(list, 'base64')),
})

/** Parses the lists; ignores malformed ones, which the command rejects as an option. */
export function revocationsIn({ lists }: Question): Revocations | undefined {
  if (lists === undefined) return undefined
  const now = new Date()
  const isList = (file: Buffer) => {
    try {
      return revocationsOf(file, now) !== undefined
    } catch {
      return false
    }
  }
  const files = lists
    .filter(isList)
    .map((list) => `-----BEGIN X509 CRL-----\n${list.toString('base64')}\n-----END X509 CRL-----\n`)
  return files.length > 0
    ? revocationsOf(Buffer.from(files.join('')), now)
    : () => ({ state: 'unknown', why: 'there is no list' })
}
