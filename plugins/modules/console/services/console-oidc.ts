import type { Configuration, CustomFetch } from 'openid-client'
import { Problem } from '../../../../src/plugin/index.ts'
import { ANYWHERE, conflict, isLost, type ModuleCradle, Outgoing, recordAudit } from '../../../../src/plugin/module.ts'
import { addIdentity, findIdentity, hasIdentity } from '../identity-rows.ts'
import { putChallenge, takeChallenge } from '../passkey-rows.ts'
import { hashOf, isSecret, newSecret } from '../secrets.ts'
import { confirmSession } from '../session-rows.ts'
import type { ConsoleSettings, OidcSettings } from '../settings.ts'
import type { SignedIn } from '../site.ts'
import type sessionsFactory from './console-sessions.ts'

const FLOW_SECONDS = 600
/** Age of an authentication that confirms a session. */
const CONFIRMED_SECONDS = 300
const WITHIN_MS = 10_000
const MAX_BYTES = 262_144
const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000'

/** Begun request, known only to the browser that has its cookie. */
interface Flow {
  readonly purpose: 'sign-in' | 'confirm' | 'connect'
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly personId: string | null
  readonly next: string
}

interface Services extends ModuleCradle {
  readonly consoleSettings: ConsoleSettings | undefined
  readonly consoleSessions: ReturnType<typeof sessionsFactory>
}

/** OpenID Connect Core 1.0: code flow with PKCE (RFC 7636), state, nonce and issuer (RFC 9207). */
export default function consoleOidc({ config, consoleSettings, consoleSessions, database, log }: Services) {
  const oidc = consoleSettings?.oidc
  const callback = `${config.baseUrl}/console/oidc`
  const everywhere = database.forTenant(NO_WORKSPACE)
  let provider: Promise<Configuration> | undefined

  return { name: oidc?.name, begin, end, isConnected }

  async function isConnected({ person, principal }: SignedIn): Promise<boolean> {
    return oidc !== undefined && hasIdentity(database.forTenant(principal.tenantId), person.id, oidc.issuer)
  }

  /** @returns the address of the provider, and the secret for the cookie. @throws Problem 404 if it is off, 503 */
  async function begin(purpose: Flow['purpose'], next: string, me?: SignedIn): Promise<{ to: string; secret: string }> {
    const [client, found] = await Promise.all([import('openid-client'), connected()])
    const secret = newSecret()
    const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()]
    const flow: Flow = { purpose, state, nonce, verifier, personId: me?.person.id ?? null, next }
    await putChallenge(everywhere, hashOf(secret), flow, FLOW_SECONDS)
    const url = client.buildAuthorizationUrl(found, {
      ...{ redirect_uri: callback, scope: 'openid', state, nonce },
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(purpose === 'confirm' ? { prompt: 'login', max_age: String(CONFIRMED_SECONDS) } : {}),
    })
    return { to: url.href, secret }
  }

  /**
   * Ends a begun request.
   * @param query of the callback
   * @returns the next path, and the secret of a new session unless one was confirmed
   * @throws Problem 403 with a key of the texts
   */
  async function end(
    secret: string | undefined,
    query: Readonly<Record<string, string | undefined>>,
    { me, agent }: { readonly me?: SignedIn | undefined; readonly agent: string },
  ): Promise<{ next: string; session?: string }> {
    const flow = isSecret(secret ?? '') ? await takeChallenge<Flow>(everywhere, hashOf(secret ?? '')) : undefined
    if (flow === undefined || oidc === undefined) throw failed()
    const { subject, isMfa } = await identityOf(oidc, flow, query)
    if (flow.purpose === 'sign-in')
      return { next: flow.next, session: await signIn(oidc.issuer, subject, isMfa, agent) }
    // The session must be the one that began the request.
    if (me === undefined || me.person.id !== flow.personId) throw failed()
    const { principal, person, sessionId } = me
    if (flow.purpose === 'confirm') {
      const found = await findIdentity(database.lookup, oidc.issuer, subject)
      if (found?.personId !== person.id) throw failed()
      await database.transaction(principal.tenantId, async (tx) => confirmSession(tx, sessionId, isMfa))
      return { next: flow.next }
    }
    await database
      .transaction(principal.tenantId, async (tx) => {
        addIdentity(tx, oidc.issuer, subject, person.id)
        recordAudit(tx, principal, 'person.updated', person.id, { connected: oidc.issuer })
      })
      .catch((error) => {
        throw isLost(error, 'taken') ? conflict('This account of the provider belongs to a person already.') : error
      })
    return { next: '/console/me?done=connected' }
  }

  async function signIn(issuer: string, subject: string, mfa: boolean, agent: string): Promise<string> {
    const found = await findIdentity(database.lookup, issuer, subject)
    const tenantId = found?.tenantIds[0]
    if (found === undefined || tenantId === undefined) throw new Problem(403, 'oidc.unknown', { title: 'Forbidden' })
    return database.transaction(tenantId, async (tx) =>
      consoleSessions.open(tx, { personId: found.personId, method: 'oidc', mfa, agent }),
    )
  }

  async function identityOf(
    { mfa }: OidcSettings,
    { state, nonce, verifier, purpose }: Flow,
    query: Readonly<Record<string, string | undefined>>,
  ): Promise<{ subject: string; isMfa: boolean }> {
    const [client, found] = await Promise.all([import('openid-client'), connected()])
    const current = new URL(callback)
    for (const [name, value] of Object.entries(query)) if (value !== undefined) current.searchParams.set(name, value)
    const tokens = await client
      .authorizationCodeGrant(found, current, {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
        ...(purpose === 'confirm' ? { maxAge: CONFIRMED_SECONDS } : {}),
      })
      .catch((error) => {
        log.warn({ err: error }, 'a sign-in by the OpenID provider failed')
        throw failed()
      })
    const claims = tokens.claims()
    if (claims === undefined) throw failed()
    const stated = [claims.amr, claims.acr].flat().filter((value) => typeof value === 'string')
    return { subject: claims.sub, isMfa: stated.some((value) => mfa.includes(value)) }
  }

  /** Discovers the provider once; retries after a failure. */
  function connected(): Promise<Configuration> {
    if (oidc === undefined) throw new Problem(404, '', { title: 'Not Found' })
    provider ??= discover(oidc).catch((error) => {
      provider = undefined
      log.error({ err: error }, 'the OpenID provider cannot be reached')
      throw failed()
    })
    return provider
  }

  async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
    const client = await import('openid-client')
    const isPlain = issuer.startsWith('http:')
    return client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      [client.customFetch]: fetchOut,
      ...(isPlain ? { execute: [client.allowInsecureRequests] } : {}),
    })
  }
}

/** Requests of the library by the outbound client. */
const fetchOut: CustomFetch = async (url, { method = 'GET', headers, body }) => {
  const request = { url, headers: Object.fromEntries(new Headers(headers)), withinMs: WITHIN_MS, maxBytes: MAX_BYTES }
  const bytes = body == null ? undefined : Buffer.from(await new Response(body as string).arrayBuffer())
  const answer = await new Outgoing(ANYWHERE).send(method, request, bytes)
  const sent = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, [value].flat().join(', ')]],
  )
  return new Response([204, 304].includes(answer.status) ? null : new Uint8Array(answer.body), {
    status: answer.status,
    headers: sent,
  })
}

const failed = () => new Problem(403, 'oidc.failed', { title: 'Forbidden' })
