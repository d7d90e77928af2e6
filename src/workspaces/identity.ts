import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { importJWK, jwtVerify } from 'jose'
import type { Cradle } from '../cradle.ts'
import { permissionsOf } from '../domain/permissions.ts'
import type { Principal, PrincipalWorkspace } from '../domain/principal.ts'
import { findApiKey, findNodeKey, findWorkspace, type WorkspaceRow } from './credential-statements.ts'

const KEY_FORM = /^dpp_key_([A-Za-z0-9]{8})_([A-Za-z0-9_-]{43})$/
/** True for the format of an API key, even if the key does not exist. */
export const isKeyForm = (token: string): boolean => KEY_FORM.test(token)

const SESSION_AUDIENCE = 'dpp-console'
const SESSION_HOURS = 12

export interface NewSession {
  readonly token: string
  /** `Cookie` header with both cookies. */
  readonly cookie: string
  readonly csrf: string
}

interface SessionKey {
  readonly signerKey: string
  /** Imported once: importing costs more than verifying a signature. */
  readonly publicKey: Awaited<ReturnType<typeof importJWK>>
}

declare module '../cradle.ts' {
  interface Cradle {
    identity: ReturnType<typeof identity>
  }
}

/** Authenticates callers. Queries the database each time, so that revocations apply immediately in every process. */
export default function identity({ config, database, signer }: Cradle) {
  let sessionKey: Promise<SessionKey | undefined> | undefined

  return { fromBearer, fromCookie, stillOf, createSession }

  /** Returns undefined for an invalid, revoked or expired token. */
  async function fromBearer(token: string): Promise<Principal | undefined> {
    return token.startsWith('dpp_key_') ? fromKey(token) : fromSession(token)
  }

  async function fromCookie(token: string): Promise<Principal | undefined> {
    const principal = await fromSession(token)
    return principal === undefined ? undefined : { ...principal, csrf: csrfOf(token) }
  }

  async function fromKey(token: string): Promise<Principal | undefined> {
    const [, id, secret] = KEY_FORM.exec(token) ?? []
    if (id === undefined || secret === undefined) return undefined
    const row = await findApiKey(database, id)
    // Compares unknown keys too, for constant time.
    const isEqual = timingSafeEqual(row?.secret_hash ?? Buffer.alloc(32), hashSecret(secret))
    return row === undefined || !isEqual ? undefined : ofKey(row)
  }

  /**
   * Returns the current principal of a background job; undefined if its key is revoked. Sessions are not stored: only the workspace is
   * validated.
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
    return { ...{ kind: 'session', credentialId: actor, actor, tenantId, role, permissions }, ...workspaceFields(row) }
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
      ...workspaceFields(row),
      mfa: claims.mfa === true,
    }
  }

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
      // Retries after a temporary database failure.
      sessionKey = undefined
      throw error
    })
    const key = await sessionKey
    // Another process may create it at any time.
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
    // The first key wins; other processes leave theirs unused.
    await database.addNodeKey({ purpose: 'session', signerKey, publicJwk })
    const key = await findSessionKey()
    if (key === undefined) throw new Error('The session key was not stored.')
    return key
  }
}

/** Creates an API key; only `secretHash` is stored. */
export function newApiKey(): { id: string; key: string; secretHash: Buffer } {
  const id = base62(8)
  const secret = randomBytes(32).toString('base64url')
  return { id, key: `dpp_key_${id}_${secret}`, secretHash: hashSecret(secret) }
}

// 256 random bits need no slow hash.
const hashSecret = (secret: string) => hash('sha256', secret, 'buffer')

/** Bound to the session: only the holder of the token knows it. */
const csrfOf = (token: string) => hash('sha256', `csrf:${token}`, 'base64url')

function base62(length: number): string {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let text = ''
  // 248 is the largest multiple of 62 in a byte; higher bytes would favour the first letters.
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += alphabet[byte % 62]
  return text
}

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

const workspaceFields = (row: WorkspaceRow) => ({ workspace: workspaceOf(row), operatorId: null, mfa: false })

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
