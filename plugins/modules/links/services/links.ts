import { randomUUID } from 'node:crypto'
import { notFound } from '../../../../src/plugin/index.ts'
import {
  assertOperatorScope,
  badRequest,
  candidatesByKey,
  conflict,
  isAnyGrai,
  isGtin14,
  isLost,
  isOwnAddress,
  isUuid,
  type ModuleCradle,
  noPassport,
  type Principal,
  recordAudit,
  type Session,
  type Transaction,
} from '../../../../src/plugin/module.ts'
import type { components } from '../generated.ts'
import {
  acceptLink,
  addLink,
  CIRCLE,
  findAnyLinkSide,
  findLinkSide,
  type HeldLink,
  holdLink,
  type LinkRow,
  type LinkSide,
  listLinks,
  type NamedSide,
  NOT_PUBLISHED,
  removeLink,
  TOO_MANY_LINKS,
} from '../link-rows.ts'
import { inverseOf } from '../rel.ts'

type Schemas = components['schemas']

/** Links of passports to parts and to the original passport (Regulation (EU) 2024/1781, Article 11(d)). */
export default function links({ config, database, passportLocks }: ModuleCradle) {
  return { list, add, accept, decline, remove }

  /** @throws Problem 403, 404 */
  async function list(principal: Principal, id: string): Promise<Omit<Schemas['LinkList'], 'success'>> {
    if (!isUuid(id)) throw noPassport(id)
    const session = database.forTenant(principal.tenantId)
    const [side, rows] = await Promise.all([findLinkSide(session, id), listLinks(session, id)])
    if (side === undefined) throw noPassport()
    assertOperatorScope(principal, side.operatorId)
    return { count: rows.length, links: rows.map((row) => shown(row, row.passportId === side.id)) }
  }

  /**
   * Links a passport. Links to another workspace stay pending until it accepts.
   * @throws Problem 400, 403, 404; 409 for a draft, circle or duplicate
   */
  async function add(
    principal: Principal,
    id: string,
    input: Schemas['NewLink'],
  ): Promise<Omit<Schemas['OneLink'], 'success'>> {
    const link = await refusing(() =>
      database.transaction(principal.tenantId, async (tx) => {
        const looking = targetOf(tx, principal, input)
        // Errors of the passport precede those of the target.
        looking.catch(() => {})
        const passport = await own(tx, principal, id)
        const target = await looking
        if ('id' in target && target.id === passport.id) throw circle()
        assertPublished(passport)
        if ('id' in target) assertPublished(target)
        const added = newLink(passport, input.rel, target)
        addLink(tx, added)
        const action = added.status === 'PENDING' ? 'link.requested' : 'link.added'
        recordAudit(tx, principal, action, passport.id, detailOf(added))
        passportLocks.evictAll(tx)
        return added
      }),
    )
    return { link: shown(link, true) }
  }

  /** @throws Problem 403, 404; 409 if accepted or circular */
  async function accept(principal: Principal, id: string): Promise<Omit<Schemas['OneLink'], 'success'>> {
    const acceptedAt = new Date().toISOString()
    const link = await refusing(() =>
      database.transaction(principal.tenantId, async (tx) => {
        const held = await lockRequested(tx, principal, id)
        acceptLink(tx, held.id, acceptedAt)
        recordAudit(tx, principal, 'link.accepted', held.targetId as string, detailOf(held))
        passportLocks.evictAll(tx)
        return held
      }),
    )
    return { link: shown({ ...link, status: 'ACCEPTED', acceptedAt }, false) }
  }

  /** @throws Problem as {@link accept} */
  async function decline(principal: Principal, id: string): Promise<void> {
    await database.transaction(principal.tenantId, async (tx) => {
      const held = await lockRequested(tx, principal, id)
      removeLink(tx, held.id)
      recordAudit(tx, principal, 'link.declined', held.targetId as string, detailOf(held))
    })
  }

  /** Removes a link from either side. @throws Problem 403, 404 */
  async function remove(principal: Principal, id: string): Promise<void> {
    await database.transaction(principal.tenantId, async (tx) => {
      const held = await hold(tx, principal, id)
      removeLink(tx, held.id)
      const side = held.tenantId === principal.tenantId ? held.passportId : (held.targetId as string)
      recordAudit(tx, principal, 'link.removed', side, detailOf(held))
      passportLocks.evictAll(tx)
    })
  }

  async function lockRequested(tx: Transaction, principal: Principal, id: string): Promise<HeldLink> {
    const held = await hold(tx, principal, id)
    if (held.tenantId === principal.tenantId) throw noLink()
    if (held.status === 'ACCEPTED') throw conflict('The link was already accepted.', 'LINK_DECIDED')
    return held
  }

  async function hold(tx: Transaction, principal: Principal, id: string): Promise<HeldLink> {
    const held = isUuid(id) ? await holdLink(tx, id) : undefined
    if (held === undefined) throw noLink()
    assertOperatorScope(principal, held.operatorId)
    return held
  }

  async function targetOf(
    tx: Transaction,
    principal: Principal,
    { target, identifier }: Schemas['NewLink'],
  ): Promise<Target> {
    // A UUID needs no lookup, so it shares the round trip of the passport.
    const id = isUuid(target) ? target.toLowerCase() : await idOf(principal, target)
    if (id !== undefined) {
      const side = await findAnyLinkSide(tx, id)
      if (side === undefined) throw notFound('target: no published passport with this id.')
      return side
    }
    if (!isForeignAddress(target)) {
      throw badRequest('target must be the UUID or the address of a passport here, or an https address elsewhere.')
    }
    if (identifier === undefined) throw badRequest('identifier is required for a product elsewhere.')
    return { url: target, identifier }
  }

  async function idOf(principal: Principal, target: string): Promise<string | undefined> {
    const url = URL.parse(target)
    if (url === null || !isOwnAddress(url, config) || url.search !== '' || url.hash !== '') return undefined
    const [, kind, key = '', ...rest] = url.pathname.split('/')
    if (rest.length > 0) return undefined
    if (kind === 'passport') return isUuid(key) ? key.toLowerCase() : undefined
    if (!(kind === '01' && isGtin14(key)) && !(kind === '8003' && isAnyGrai(key))) return undefined
    const found = await candidatesByKey(database, key, undefined, principal.tenantId)
    const published = found.filter(({ status }) => status !== 'DRAFT')
    if (published.length > 1) throw badRequest('target: several passports have this address. Use the UUID of one.')
    return published[0]?.id
  }

  /** True for an external https URL without credentials. */
  function isForeignAddress(target: string): boolean {
    const url = target.startsWith('https://') ? URL.parse(target) : null
    if (url === null || url.username !== '' || url.password !== '') return false
    return !isOwnAddress(url, config)
  }

  function shown(link: LinkRow, isOwn: boolean): Schemas['PassportLink'] {
    const { id, rel, status, passportId, productId, targetId, targetUrl, identifier, askedBy } = link
    const address = (passport: string) => `${config.baseUrl}/passport/${passport}`
    return {
      id,
      rel: isOwn ? rel : inverseOf(rel),
      status,
      isIncoming: !isOwn,
      target: isOwn ? (targetUrl ?? address(targetId as string)) : address(passportId),
      identifier: isOwn ? identifier : productId,
      askedBy,
      createdAt: link.createdAt,
      since: link.acceptedAt,
    }
  }
}

type Target = NamedSide | { readonly url: string; readonly identifier: string }

function newLink(passport: NamedSide, rel: LinkRow['rel'], target: Target): LinkRow {
  const createdAt = new Date().toISOString()
  const isHere = 'id' in target
  const isRequest = isHere && target.tenantId !== passport.tenantId
  return {
    id: randomUUID(),
    tenantId: passport.tenantId,
    passportId: passport.id,
    productId: passport.productId,
    askedBy: passport.legalName,
    rel,
    targetTenantId: isHere ? target.tenantId : null,
    targetId: isHere ? target.id : null,
    targetUrl: isHere ? null : target.url,
    identifier: isHere ? target.productId : target.identifier,
    status: isRequest ? 'PENDING' : 'ACCEPTED',
    createdAt,
    acceptedAt: isRequest ? null : createdAt,
  }
}

/** @throws Problem 403, 404 */
async function own(session: Session, principal: Principal, id: string): Promise<NamedSide> {
  const side = isUuid(id) ? await findAnyLinkSide(session, id) : undefined
  if (side?.tenantId !== principal.tenantId) throw noPassport()
  assertOperatorScope(principal, side.operatorId)
  return side
}

const noLink = () => notFound('Link or link request not found in your workspace.')

const draft = () =>
  conflict(
    'Only published passports are linked (Regulation (EU) 2024/1781, Article 11(d)); this one is a draft.',
    'LINK_TARGET_DRAFT',
  )
const circle = () => conflict('The link would create a cycle, or a chain of more than 1,000 passports.', 'LINK_CIRCLE')

/** @throws Problem 409 for a draft */
export function assertPublished({ status }: Pick<LinkSide, 'status'>): void {
  if (status === 'DRAFT') throw draft()
}

export async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code } = (error ?? {}) as { code?: string }
    if (code === NOT_PUBLISHED) throw draft()
    if (code === CIRCLE) throw circle()
    if (code === TOO_MANY_LINKS)
      throw conflict(
        'Limit of links reached: a passport has at most 100 links, and at most 100 open requests from other workspaces.',
        'LINK_LIMIT_REACHED',
      )
    if (isLost(error, 'taken')) throw conflict('This link already exists or was already requested.', 'LINK_EXISTS')
    throw error
  }
}

const detailOf = ({ id, rel, targetId, targetUrl }: LinkRow) => ({ link: id, rel, target: targetId ?? targetUrl })
