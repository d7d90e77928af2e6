import { createHash, randomInt } from 'node:crypto'
import { deflateSync, gzipSync } from 'node:zlib'
import type { Cradle } from '../cradle.ts'
import { type Credential, statusListUrl, tokenStatusListUrl } from '../domain/credentials/credential.ts'
import { signDataIntegrity } from '../domain/credentials/data-integrity.ts'
import type { Issuer } from '../domain/credentials/issuer.ts'
import { signCompact, signVcJwt } from '../domain/credentials/vc-jwt.ts'
import { isUuid } from '../domain/identifiers.ts'
import { negotiate } from '../domain/negotiate.ts'
import {
  allotStatusPlace,
  findStatusList,
  keepStatusList,
  type StatusSubject,
  statusEntries,
  statusPlace,
} from '../storage/status-lists.ts'
import { noIssuer } from './issuers.ts'
import { etagOf, type WireRendition } from './rendition.ts'

/** W3C Bitstring Status List 1.0, section 2.2: at least 131,072 entries, so that a look-up does not tell which. */
const LEAST_ENTRIES = 131_072
/** How often a free place is looked for; each time among twice as many. */
const ATTEMPTS = 24
/** A list is valid for a day, so that nobody can pass off an old one for long, and signed anew after half of it. */
const VALID_MS = 24 * 3600 * 1000

type Form = 'vc+jwt' | 'data-integrity' | 'token'

const CONTENT_TYPES: Readonly<Record<Form, string>> = {
  'vc+jwt': 'application/vc+jwt',
  'data-integrity': 'application/vc+ld+json',
  token: 'application/statuslist+jwt',
}

/** Forms of the bitstring status list that a caller may ask for. */
const BITSTRING_FORMS = [
  { name: 'vc+jwt', mediaTypes: ['application/vc+jwt'] },
  { name: 'data-integrity', mediaTypes: ['application/vc+ld+json', 'application/vc'] },
]

declare module '../cradle.ts' {
  interface Cradle {
    statusLists: ReturnType<typeof statusLists>
  }
}

/**
 * Whether credentials still hold. Each passport and each unit has one place in both lists of its workspace, drawn at random
 * when it is first issued; the database keeps the bit in step with its status.
 */
export default function statusLists({ database, issuers }: Cradle) {
  return { indexOf, bitstring, token }

  /** The place of a passport or a unit in the lists of its workspace, allotted now if it has none. */
  async function indexOf(tenantId: string, subject: StatusSubject): Promise<number> {
    const session = database.forTenant(tenantId)
    for (let attempt = 0, entries = LEAST_ENTRIES; attempt < ATTEMPTS; attempt += 1) {
      const { index, floor } = await statusPlace(session, subject)
      if (index !== undefined) return index
      await allotStatusPlace(session, subject, floor + randomInt(entries))
      if (attempt > 0) entries = Math.min(entries * 2, 2 ** 30)
    }
    throw new Error(`No place in the status list for ${subject.kind} ${subject.id}.`)
  }

  /**
   * The workspace's W3C Bitstring Status List, as a JWT unless `accept` names the form with an embedded proof.
   * @throws Problem 404 for an unknown workspace, and for one without a key
   */
  function bitstring(tenantId: string, accept: string | undefined): Promise<WireRendition> {
    const isEmbedded = negotiate(accept, BITSTRING_FORMS)?.name === 'data-integrity'
    return list(tenantId, isEmbedded ? 'data-integrity' : 'vc+jwt')
  }

  /** The same bits as an IETF Token Status List. */
  function token(tenantId: string): Promise<WireRendition> {
    return list(tenantId, 'token')
  }

  async function list(tenantId: string, form: Form): Promise<WireRendition> {
    const issuer = isUuid(tenantId) ? await issuers.current(tenantId) : undefined
    if (issuer === undefined) throw noIssuer()
    const { revoked, entries } = await readEntries(tenantId)
    const state = createHash('sha256')
      .update(`${issuer.verificationMethod}\n${issuer.name}\n${entries} ${revoked.join()}`)
      .digest('base64url')
    const place = { tenantId, form, state }
    const asWire = ({ body, etag }: { body: string; etag: string }): WireRendition => ({
      body: Buffer.from(body),
      etag,
      contentType: CONTENT_TYPES[form],
    })
    const stored = await findStatusList(database, place, VALID_MS / 2)
    if (stored !== undefined) return asWire(stored)
    const now = new Date()
    const body = await signed(issuer, form, revoked, entries, now)
    const made = { ...place, body, etag: etagOf(Buffer.from(body)) }
    await keepStatusList(database.forTenant(tenantId), made, now, VALID_MS / 2)
    // What another process has stored meanwhile for the same state is what everybody serves.
    return asWire((await findStatusList(database, place, VALID_MS / 2)) ?? made)
  }

  async function readEntries(tenantId: string): Promise<{ revoked: readonly number[]; entries: number }> {
    const { revoked, highest } = await statusEntries(database, tenantId)
    let entries = LEAST_ENTRIES
    while (highest >= entries) entries *= 2
    return { revoked, entries }
  }
}

async function signed(
  issuer: Issuer,
  form: Form,
  revoked: readonly number[],
  entries: number,
  now: Date,
): Promise<string> {
  const bytes = Buffer.alloc(entries / 8)
  const until = new Date(now.getTime() + VALID_MS)
  if (form === 'token') {
    // Token Status List, section 4.1: the least significant bit of a byte comes first.
    for (const index of revoked) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7))
    return signCompact(
      { alg: 'ES256', typ: 'statuslist+jwt', kid: issuer.verificationMethod },
      {
        iss: issuer.url,
        sub: tokenStatusListUrl(issuer.url),
        iat: Math.floor(now.getTime() / 1000),
        exp: Math.floor(until.getTime() / 1000),
        ttl: 300,
        status_list: { bits: 1, lst: deflateSync(bytes).toString('base64url') },
      },
      issuer,
    )
  }
  // W3C Bitstring Status List 1.0, section 3.3: the most significant bit of a byte comes first.
  for (const index of revoked) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (0x80 >> (index & 7))
  const url = statusListUrl(issuer.url)
  const credential: Credential = {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    id: url,
    issuer: issuer.did,
    validFrom: now.toISOString(),
    validUntil: until.toISOString(),
    credentialSubject: {
      id: `${url}#list`,
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      encodedList: `u${gzipSync(bytes).toString('base64url')}`,
    },
  }
  return form === 'vc+jwt' ? signVcJwt(credential, issuer) : JSON.stringify(await signDataIntegrity(credential, issuer))
}
