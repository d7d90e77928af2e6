import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { importJWK, jwtVerify } from 'jose'
import type { Cradle } from '../cradle.ts'
import { permissionsOf } from '../domain/permissions.ts'
import type { Principal, PrincipalWorkspace } from '../domain/principal.ts'
import { findApiKey, findNodeKey, findWorkspace, type WorkspaceRow } from '../storage/credentials.ts'

const KEY_FORM = /^dpp_key_([A-Za-z0-9]{8})_([A-Za-z0-9_-]{43})$/
/** Whether a token has the form of an API key, which says nothing of whether there is such a key. */
export const isKeyForm = (token: string): boolean => KEY_FORM.test(token)

const SESSION_AUDIENCE = 'dpp-console'
const SESSION_HOURS = 12

/** A new session: its token, and the cookies that carry it. */
export interface NewSession {
  readonly token: string
  /** A `Cookie` header with both cookies. */
  readonly cookie: string
  /** For `X-CSRF-Token`. */
  readonly csrf: string
}

/** The node's key for sessions, which never changes once it is there. */
interface SessionKey {
  readonly signerKey: string
  /** Imported, which costs more than to check a signature with it. */
  readonly publicKey: Awaited<ReturnType<typeof importJWK>>
}

declare module '../cradle.ts' {
  interface Cradle {
    identity: ReturnType<typeof identity>
  }
}

/** Finds out who is calling. Every call reads the database, so that a revocation holds at once in every process. */
export default function identity({ config, database, signer }: Cradle) {
  let sessionKey: Promise<SessionKey | undefined> | undefined

  return { fromBearer, fromCookie, stillOf, createSession }

  /** The principal of an API key or session token, or undefined when it is not valid, revoked or expired. */
  async function fromBearer(token: string): Promise<Principal | undefined> {
    return token.startsWith('dpp_key_') ? fromKey(token) : fromSession(token)
  }

  /** The principal of a session cookie; it knows what the CSRF token must be. */
  async function fromCookie(token: string): Promise<Principal | undefined> {
    const principal = await fromSession(token)
    return principal === undefined ? undefined : { ...principal, csrf: csrfOf(token) }
  }

  async function fromKey(token: string): Promise<Principal | undefined> {
    const [, id, secret] = KEY_FORM.exec(token) ?? []
    if (id === undefined || secret === undefined) return undefined
    const row = await findApiKey(database, id)
    // An unknown key is compared too, so that both answers take the same time.
    const isEqual = timingSafeEqual(row?.secret_hash ?? Buffer.alloc(32), hashSecret(secret))
    return row === undefined || !isEqual ? undefined : ofKey(row)
  }

  /**
   * Who asked for work that goes on after the answer, as of now. A key that was revoked meanwhile is nobody any more; of a session
   * the workspace alone is asked, since nothing of it is kept.
   */
  async function stillOf({
    tenantId,
    actor,
    role,
  }: Pick<Principal, 'tenantId' | 'actor' | 'role'>): Promise<Principal | undefined> {
    if (actor.startsWith(KEY_ACTOR)) {
      const row = await findApiKey(database, actor.slice(KEY_ACTOR.length))
      return row?.tenant_id === tenantId ? ofKey(row) : undefined
    }
    const row = await findWorkspace(database, tenantId)
    if (row === undefined) return undefined
    const permissions = permissionsOf(role, null)
    return { ...{ kind: 'session', credentialId: actor, actor, tenantId, role, permissions }, ...ofWorkspace(row) }
  }

  async function fromSession(token: string): Promise<Principal | undefined> {
    const key = token === '' ? undefined : await findSessionKey()
    if (key === undefined) return undefined
    const claims = await jwtVerify(token, key.publicKey, {
      algorithms: ['ES256'],
      issuer: config.baseUrl,
      audience: SESSION_AUDIENCE,
      requiredClaims: ['sub', 'tenant', 'role', 'exp'],
      maxTokenAge: `${SESSION_HOURS}h`,
    }).then(
      ({ payload }) => payload,
      () => undefined,
    )
    if (claims === undefined) return undefined
    const row = await findWorkspace(database, String(claims.tenant))
    if (row === undefined) return undefined
    return {
      kind: 'session',
      credentialId: hash('sha256', token, 'base64url'),
      actor: String(claims.sub),
      tenantId: row.tenant_id,
      role: String(claims.role),
      permissions: permissionsOf(String(claims.role), null),
      ...ofWorkspace(row),
      mfa: claims.mfa === true,
    }
  }

  /** A session token of at most 12 hours, signed by the node's own key. */
  async function createSession(session: {
    tenantId: string
    user: string
    role: string
    mfa: boolean
  }): Promise<NewSession> {
    const { signerKey } = await sessionKeyOrNew()
    const now = Math.floor(Date.now() / 1000)
    const input = [
      { alg: 'ES256', typ: 'JWT' },
      {
        iss: config.baseUrl,
        aud: SESSION_AUDIENCE,
        sub: session.user,
        tenant: session.tenantId,
        role: session.role,
        mfa: session.mfa,
        iat: now,
        exp: now + SESSION_HOURS * 3600,
      },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    const signature = await signer.sign(signerKey, Buffer.from(input))
    const token = `${input}.${Buffer.from(signature).toString('base64url')}`
    const csrf = csrfOf(token)
    return { token, csrf, cookie: `dpp_session=${token}; dpp_csrf=${csrf}` }
  }

  async function findSessionKey() {
    sessionKey ??= readSessionKey().catch((error) => {
      // A database that was away for a moment must not be away for ever.
      sessionKey = undefined
      throw error
    })
    const key = await sessionKey
    // Another process may make it at any time.
    if (key === undefined) sessionKey = undefined
    return key
  }

  async function readSessionKey(): Promise<SessionKey | undefined> {
    const key = await findNodeKey(database, 'session')
    if (key === undefined) return undefined
    return { signerKey: key.signerKey, publicKey: await importJWK(key.publicJwk as never, 'ES256') }
  }

  async function sessionKeyOrNew() {
    const existing = await findSessionKey()
    if (existing !== undefined) return existing
    const signerKey = await signer.createKey('node:session')
    const publicJwk = await signer.publicJwk(signerKey)
    // Whoever comes first wins; the others use that key and leave theirs unused.
    await database.addNodeKey({ purpose: 'session', signerKey, publicJwk })
    const key = await findSessionKey()
    if (key === undefined) throw new Error('The session key was not stored.')
    return key
  }
}

/** A new API key: what its holder gets once, and what is stored. */
export function newApiKey(): { id: string; key: string; secretHash: Buffer } {
  const id = base62(8)
  const secret = randomBytes(32).toString('base64url')
  return { id, key: `dpp_key_${id}_${secret}`, secretHash: hashSecret(secret) }
}

// 256 random bits need no slow hash.
const hashSecret = (secret: string) => hash('sha256', secret, 'buffer')

/** Bound to the session: only who holds the token can know it. */
const csrfOf = (token: string) => hash('sha256', `csrf:${token}`, 'base64url')

function base62(length: number): string {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let text = ''
  // 248 is the largest multiple of 62 in a byte; higher bytes would favour the first letters.
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += alphabet[byte % 62]
  return text
}

/** How the actor of a key begins. */
const KEY_ACTOR = 'api-key:'

const ofKey = (row: NonNullable<Awaited<ReturnType<typeof findApiKey>>>): Principal => ({
  kind: 'key',
  credentialId: row.id,
  actor: `${KEY_ACTOR}${row.id}`,
  tenantId: row.tenant_id,
  workspace: workspaceOf(row),
  role: row.role,
  permissions: permissionsOf(row.role, row.permissions),
  operatorId: row.operator_id,
  mfa: false,
})

const ofWorkspace = (row: WorkspaceRow) => ({ workspace: workspaceOf(row), operatorId: null, mfa: false })

const workspaceOf = (row: WorkspaceRow): PrincipalWorkspace => ({
  id: row.tenant_id,
  name: row.tenant_name,
  subdomain: row.subdomain,
  plan: row.plan,
  subscription: row.subscription,
  passportLimit: row.passport_limit,
  requireMfa: row.require_mfa,
  suspension: row.is_suspended ? { reason: row.suspension_reason } : null,
})
