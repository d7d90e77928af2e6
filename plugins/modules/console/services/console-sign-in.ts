import { randomUUID } from 'node:crypto'
import { Problem } from '../../../../src/plugin/index.ts'
import { inAttempts, isLoopback, type ModuleCradle, mailAddress, recordAudit } from '../../../../src/plugin/module.ts'
import {
  findInvitation,
  findLink,
  membershipsOf,
  type OpenedLink,
  putLink,
  takeInvitation,
  takeLink,
} from '../link-rows.ts'
import { hashOf, isSecret, newSecret } from '../secrets.ts'
import type { SignedIn } from '../site.ts'
import type sessionsFactory from './console-sessions.ts'

interface SignInServices extends ModuleCradle {
  readonly consoleSessions: ReturnType<typeof sessionsFactory>
}

const LINK_MINUTES = 15

/** Sign-in by links that hold once, and by accepted invitations. */
export default function consoleSignIn(services: SignInServices) {
  const { config, database, consoleSessions, log, moduleHooks, translator } = services

  return { assertSafe, look, use, newLink, mailLinks, switchTo }

  /** @throws Problem 403 on a public host without https: cookies and links could be read on the way */
  function assertSafe(text: string): void {
    const { protocol, hostname } = new URL(config.baseUrl)
    if (protocol !== 'https:' && !isLoopback(hostname.replace(/^\[|\]$/g, ''))) {
      throw new Problem(403, text, { title: 'Forbidden' })
    }
  }

  /** Returns the workspace and person of a link or invitation, without using it. */
  async function look(secret: string): Promise<OpenedLink | undefined> {
    if (!isSecret(secret)) return undefined
    const hash = hashOf(secret)
    const [link, invitation] = await Promise.all([
      findLink(database.batchedLookup, hash),
      findInvitation(database.batchedLookup, hash),
    ])
    return link ?? invitation
  }

  /** Opens a session. @returns its secret; undefined if the link is unknown, used or expired */
  async function use(secret: string, agent: string): Promise<string | undefined> {
    const found = await look(secret)
    if (found === undefined) return undefined
    const hash = hashOf(secret)
    return inAttempts(['taken'], () =>
      database.transaction(found.tenantId, async (tx) => {
        const personId = found.isInvitation ? await takeInvitation(tx, hash, randomUUID()) : await takeLink(tx, hash)
        if (personId === undefined) return undefined
        if (found.isInvitation) recordAudit(tx, { actor: `person:${personId}` }, 'person.joined', personId)
        return consoleSessions.open(tx, { personId, method: 'link', mfa: false, agent })
      }),
    )
  }

  /** @returns the address of a new sign-in link of a member */
  async function newLink(tenantId: string, personId: string): Promise<string> {
    const secret = newSecret()
    await putLink(database.forTenant(tenantId), hashOf(secret), personId, LINK_MINUTES)
    return addressOf(secret)
  }

  /** E-mails a link for each workspace of the address, after the response, which says the same in every case. */
  function mailLinks(email: string, lang: string): void {
    if (!moduleHooks.sendsLetters() || mailAddress(email) === undefined) return
    sendLinks(email, lang).catch((error) => log.error({ err: error }, 'a sign-in link could not be e-mailed'))
  }

  async function sendLinks(email: string, lang: string): Promise<void> {
    for (const { tenantId, personId, workspace } of await membershipsOf(database.lookup, email)) {
      const secret = newSecret()
      const t = (key: string) =>
        translator.translate(lang, 'console', key, { workspace, address: addressOf(secret), minutes: LINK_MINUTES })
      await database.transaction(tenantId, async (tx) => {
        await putLink(tx, hashOf(secret), personId, LINK_MINUTES)
        const letter = { to: email.toLowerCase(), subject: t('letter.linkSubject'), text: t('letter.link'), lang }
        await moduleHooks.sendLetter(tx, letter)
      })
    }
  }

  /** Opens a session in another workspace of the member, as recently authenticated as this one. @returns its secret */
  async function switchTo(me: SignedIn, tenantId: string, agent: string): Promise<string | undefined> {
    const memberships = await membershipsOf(database.lookup, me.person.email)
    if (!memberships.some((one) => one.tenantId === tenantId)) return undefined
    const { person, method, principal, authenticatedAt } = me
    return database.transaction(tenantId, async (tx) =>
      consoleSessions.open(tx, { personId: person.id, method, mfa: principal.mfa, agent, authenticatedAt }),
    )
  }

  function addressOf(secret: string): string {
    return `${config.baseUrl}/console/sign-in/${secret}`
  }
}
