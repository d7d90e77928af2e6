import { randomInt } from 'node:crypto'
import { deflateSync, gzipSync } from 'node:zlib'
import type { Cradle } from '../cradle.ts'
import { isUuid } from '../domain/identifiers.ts'
import type { Issuer } from '../domain/issuer.ts'
import { negotiate } from '../domain/negotiate.ts'
import { notFound } from '../domain/problem.ts'
import { etagOf, type WireRendition } from '../renditions/rendition.ts'
import { type Credential, type StatusPlace, statusListUrl, tokenStatusListUrl } from './credential.ts'
import { signDataIntegrity } from './data-integrity.ts'
import { noIssuer } from './issuers.ts'
import {
  allotStatusPlace,
  findStatusList,
  holdStatusList,
  keepStatusList,
  LIST_PLACES,
  type StatusSubject,
  type StoredList,
  statusPlace,
  takeStatusChanges,
} from './status-list-statements.ts'
import { signCompact, signVcJwt } from './vc-jwt.ts'

const ATTEMPTS = 24
/** Short validity, so that outdated lists cannot be replayed for long; re-signed after half of it. */
const VALID_MS = 24 * 3600 * 1000
const RESIGN_AFTER_MS = VALID_MS / 2

type Form = 'vc+jwt' | 'data-integrity' | 'token'

const CONTENT_TYPES: Readonly<Record<Form, string>> = {
  'vc+jwt': 'application/vc+jwt',
  'data-integrity': 'application/vc+ld+json',
  token: 'application/statuslist+jwt',
}

const BITSTRING_FORMS = [
  { name: 'vc+jwt', mediaTypes: ['application/vc+jwt'] },
  { name: 'data-integrity', mediaTypes: ['application/vc+ld+json', 'application/vc'] },
]

declare module '../cradle.ts' {
  interface Cradle {
    statusLists: ReturnType<typeof statusLists>
  }
}

interface RequestedList {
  readonly tenantId: string
  /** Absent for the first. */
  readonly list?: number | undefined
}

/**
 * Status lists of credentials. Each passport and unit has one random place in both list formats; the database syncs its bit with the
 * status.
 */
export default function statusLists({ database, issuers }: Cradle) {
  return { placeOf, bitstring, token }

  async function placeOf(tenantId: string, subject: StatusSubject): Promise<StatusPlace> {
    const session = database.forTenant(tenantId)
    for (let attempt = 0, entries = LIST_PLACES; attempt < ATTEMPTS; attempt += 1) {
      const { place, floor } = await statusPlace(session, subject)
      if (place !== undefined) return place
      await allotStatusPlace(session, subject, floor + randomInt(entries))
      if (attempt > 0) entries = Math.min(entries * 2, 2 ** 30)
    }
    throw new Error(`No place in the status list for ${subject.kind} ${subject.id}.`)
  }

  /**
   * Returns a W3C Bitstring Status List, as a JWT unless `accept` requests an embedded proof.
   * @throws Problem 404 for an unknown workspace, one without a key, or an empty list
   */
  function bitstring(requested: RequestedList, accept: string | undefined): Promise<WireRendition> {
    const isEmbedded = negotiate(accept, BITSTRING_FORMS)?.name === 'data-integrity'
    return listOf(requested, isEmbedded ? 'data-integrity' : 'vc+jwt')
  }

  function token(requested: RequestedList): Promise<WireRendition> {
    return listOf(requested, 'token')
  }

  async function listOf({ tenantId, list = 0 }: RequestedList, form: Form): Promise<WireRendition> {
    const issuer = isUuid(tenantId) ? await issuers.current(tenantId) : undefined
    if (issuer === undefined) throw noIssuer()
    const name = { tenantId, list, form }
    const found = await findStatusList(database.lookup, name, RESIGN_AFTER_MS)
    if (found === undefined) throw notFound('Status list not found in this workspace.')
    const state = `${issuer.verificationMethod} ${issuer.name}`
    const { current } = found
    const { body, etag } = current?.state === state ? current : await resignList(issuer, name, state)
    return { body: Buffer.from(body), etag, contentType: CONTENT_TYPES[form] }
  }

  function resignList(
    issuer: Issuer,
    { tenantId, list, form }: Required<RequestedList> & { readonly list: number; readonly form: Form },
    state: string,
  ): Promise<StoredList> {
    return database.transaction(tenantId, async (tx) => {
      await holdStatusList(tx, list)
      const found = await findStatusList(tx, { tenantId, list, form }, RESIGN_AFTER_MS)
      if (found?.current?.state === state) return found.current
      const revoked = await takeStatusChanges(tx, list)
      const now = new Date()
      const body = await signed(issuer, { form, list, revoked }, now)
      const made = { state, body, etag: etagOf(Buffer.from(body)) }
      keepStatusList(tx, { list, form, ...made }, now)
      return made
    })
  }
}

interface Bits {
  readonly form: Form
  readonly list: number
  readonly revoked: readonly number[]
}

async function signed(issuer: Issuer, { form, list, revoked }: Bits, now: Date): Promise<string> {
  const bytes = Buffer.alloc(LIST_PLACES / 8)
  const until = new Date(now.getTime() + VALID_MS)
  if (form === 'token') {
    // Token Status List, section 4.1: least significant bit first.
    for (const index of revoked) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7))
    return signCompact(
      { alg: 'ES256', typ: 'statuslist+jwt', kid: issuer.verificationMethod },
      {
        iss: issuer.url,
        sub: tokenStatusListUrl(issuer.url, list),
        iat: Math.floor(now.getTime() / 1000),
        exp: Math.floor(until.getTime() / 1000),
        ttl: 300,
        status_list: { bits: 1, lst: deflateSync(bytes).toString('base64url') },
      },
      issuer,
    )
  }
  // W3C Bitstring Status List 1.0, section 3.3: most significant bit first.
  for (const index of revoked) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (0x80 >> (index & 7))
  const url = statusListUrl(issuer.url, list)
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
