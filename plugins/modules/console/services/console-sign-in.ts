import { randomUUID } from 'node:crypto'
import { Problem } from '../../../../src/plugin/index.ts'
import { inAttempts, isLoopback, type ModuleCradle } from '../../../../src/plugin/module.ts'
import { findInvitation, findLink, type OpenedLink, putLink, takeInvitation, takeLink } from '../link-rows.ts'
import { hashOf, isSecret, newSecret } from '../secrets.ts'
import type sessionsFactory from './console-sessions.ts'

interface SignInServices extends ModuleCradle {
  readonly consoleSessions: ReturnType<typeof sessionsFactory>
}

const LINK_MINUTES = 15

/** Sign-in by links that hold once, and by accepted invitations. */
export default function consoleSignIn({ config, database, consoleSessions }: SignInServices) {
  return { assertSafe, look, use, newLink, addressOf }

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

  function addressOf(secret: string): string {
    return `${config.baseUrl}/console/sign-in/${secret}`
  }
}
