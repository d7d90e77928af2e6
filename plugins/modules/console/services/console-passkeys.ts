import { beginningOf, isRecord } from '../../../../src/plugin/index.ts'
import { badRequest, type ModuleCradle, once, recordAudit } from '../../../../src/plugin/module.ts'
import {
  addPasskey,
  findPasskey,
  type ListedPasskey,
  listPasskeys,
  putChallenge,
  removePasskey,
  takeChallenge,
  usePasskey,
} from '../passkey-rows.ts'
import { hashOf, newSecret } from '../secrets.ts'
import { confirmSession } from '../session-rows.ts'
import type { SignedIn } from '../site.ts'
import type sessionsFactory from './console-sessions.ts'

const CEREMONY_SECONDS = 600
const MAX_PASSKEYS = 20
const MAX_RESPONSE_CHARACTERS = 20_000
const MAX_NAME_CHARACTERS = 80
/** Ceremonies begin before a workspace is known. */
const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000'

/** Loaded by the first sign-in page: at rest it is not in memory. */
const webauthn = once(() => import('@simplewebauthn/server'))

type Purpose = 'sign-in' | 'confirm' | 'add'

interface Services extends ModuleCradle {
  readonly consoleSessions: ReturnType<typeof sessionsFactory>
}

/** WebAuthn Level 3: passkeys with user verification, which count as multi-factor authentication. */
export default function consolePasskeys({ config, database, consoleSessions }: Services) {
  const { hostname, origin } = new URL(config.baseUrl)
  /** An IP address has no passkeys (WebAuthn, 5.1.3). */
  const isOn = !/^[\d.]+$|^\[/.test(hostname)
  const everywhere = database.forTenant(NO_WORKSPACE)

  return { isOn, options, newOptions, add, list, remove, signIn, confirm }

  async function challengeFor(purpose: Purpose, personId: string | null): Promise<Buffer<ArrayBuffer>> {
    const challenge = newSecret()
    await putChallenge(everywhere, hashOf(challenge), { purpose, personId }, CEREMONY_SECONDS)
    return Buffer.from(challenge, 'base64url')
  }

  /** True once for each challenge that was made for this purpose and person. */
  function takes(purpose: Purpose, personId: string | null) {
    return async (challenge: string) => {
      const found = await takeChallenge<{ purpose: Purpose; personId: string | null }>(everywhere, hashOf(challenge))
      return found !== undefined && found.purpose === purpose && found.personId === personId
    }
  }

  /** Options for `navigator.credentials.get`; undefined if passkeys are off, or the member has none. */
  async function options(purpose: 'sign-in' | 'confirm', me?: SignedIn): Promise<object | undefined> {
    if (!isOn) return undefined
    const allowed = me === undefined ? [] : await list(me)
    if (me !== undefined && allowed.length === 0) return undefined
    const { generateAuthenticationOptions } = await webauthn()
    return generateAuthenticationOptions({
      rpID: hostname,
      userVerification: 'required',
      allowCredentials: allowed.map(({ id, transports }) => ({ id, transports: [...transports] })),
      challenge: await challengeFor(purpose, me?.person.id ?? null),
      timeout: CEREMONY_SECONDS * 1000,
    })
  }

  async function newOptions(me: SignedIn): Promise<object> {
    const { person, principal } = me
    const { generateRegistrationOptions } = await webauthn()
    return generateRegistrationOptions({
      rpID: hostname,
      rpName: principal.workspace.name,
      userID: Buffer.from(person.id),
      userName: person.email,
      userDisplayName: person.name,
      excludeCredentials: (await list(me)).map(({ id }) => ({ id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      challenge: await challengeFor('add', person.id),
      timeout: CEREMONY_SECONDS * 1000,
    })
  }

  function list({ principal, person }: SignedIn): Promise<ListedPasskey[]> {
    return listPasskeys(database.forTenant(principal.tenantId), person.id)
  }

  /** @throws Problem 400 for a response that is malformed, replayed, or of another site */
  async function add(me: SignedIn, response: string | undefined, name: string): Promise<void> {
    const { person, principal } = me
    if ((await list(me)).length >= MAX_PASSKEYS) throw badRequest(`A person has at most ${MAX_PASSKEYS} passkeys.`)
    const { verifyRegistrationResponse } = await webauthn()
    const verified = await verifyRegistrationResponse({
      response: parsed(response) as never,
      expectedChallenge: takes('add', person.id),
      expectedOrigin: origin,
      expectedRPID: hostname,
      requireUserVerification: true,
    }).catch(refuse)
    if (!verified.verified) throw unusable()
    const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential
    await database.transaction(principal.tenantId, async (tx) => {
      const label = beginningOf(name, MAX_NAME_CHARACTERS) || 'Passkey'
      addPasskey(tx, { id, personId: person.id, publicKey, counter, transports, name: label })
      confirmSession(tx, me.sessionId, true)
      recordAudit(tx, principal, 'person.passkey_added', person.id)
    })
  }

  async function remove({ person, principal }: SignedIn, id: string): Promise<void> {
    await database.transaction(principal.tenantId, async (tx) => {
      if (await removePasskey(tx, id, person.id)) recordAudit(tx, principal, 'person.passkey_removed', person.id)
    })
  }

  /** @returns the secret of a new session. @throws Problem 400 */
  async function signIn(response: string | undefined, agent: string): Promise<string> {
    const { id, personId, tenantIds, newCounter } = await verify(response, 'sign-in', null)
    const [tenantId] = tenantIds
    if (tenantId === undefined) throw unusable()
    return database.transaction(tenantId, async (tx) => {
      if (!(await usePasskey(tx, id, newCounter))) throw unusable()
      return consoleSessions.open(tx, { personId, method: 'passkey', mfa: true, agent })
    })
  }

  /** Renews the authentication of the session. @throws Problem 400 */
  async function confirm({ person, principal, sessionId }: SignedIn, response: string | undefined): Promise<void> {
    const { id, personId, newCounter } = await verify(response, 'confirm', person.id)
    if (personId !== person.id) throw unusable()
    await database.transaction(principal.tenantId, async (tx) => {
      if (!(await usePasskey(tx, id, newCounter))) throw unusable()
      confirmSession(tx, sessionId, true)
    })
  }

  async function verify(text: string | undefined, purpose: Purpose, owner: string | null) {
    const response = parsed(text)
    const found = await findPasskey(database.lookup, response.id)
    if (found === undefined) throw unusable()
    const { personId, publicKey, counter, tenantIds } = found
    const { verifyAuthenticationResponse } = await webauthn()
    const verified = await verifyAuthenticationResponse({
      response: response as never,
      expectedChallenge: takes(purpose, owner),
      expectedOrigin: origin,
      expectedRPID: hostname,
      requireUserVerification: true,
      credential: { id: response.id, publicKey: new Uint8Array(publicKey), counter },
    }).catch(refuse)
    if (!verified.verified) throw unusable()
    return { id: response.id, personId, tenantIds, newCounter: verified.authenticationInfo.newCounter }
  }
}

/** Shape only: the library validates the content. */
function parsed(text = ''): { readonly id: string } {
  if (text.length > MAX_RESPONSE_CHARACTERS) throw unusable()
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value) && typeof value.id === 'string' && value.id.length < 2000) return { ...value, id: value.id }
  } catch {
    // Reported below.
  }
  throw unusable()
}

const refuse = (): never => {
  throw unusable()
}

const unusable = () => badRequest('This passkey could not be used here. Try again, or sign in another way.')
