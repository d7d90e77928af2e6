import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { notFound } from '../../../../src/plugin/index.ts'
import {
  assertOperatorScope,
  assertPermission,
  conflict,
  forbidden,
  inAttempts,
  isUuid,
  type ModuleCradle,
  noPassport,
  noUnit,
  type Principal,
  parseExpiry,
  recordAudit,
  refuseClaimedPrefix,
  type Transaction,
} from '../../../../src/plugin/module.ts'
import type { components } from '../generated.ts'
import {
  type AcceptingSide,
  addOffer,
  CLOSED,
  closePassportOffer,
  closeUnitOffer,
  findOfferableUnit,
  holdOffer,
  type Offer,
  type Offerable,
  type OfferState,
  readAcceptance,
  withdrawOffer,
} from '../handover-rows.ts'
import { findLinkSide, type LinkSide } from '../link-rows.ts'
import { assertPublished, refusing } from './links.ts'

type Schemas = components['schemas']

const USUAL_DAYS = 30
const DAY_MS = 86_400_000
/** 192 random bits; only their hash is stored. */
const CODE = /^dpp_handover_[A-Za-z0-9_-]{32}$/

/**
 * Transfers units and passports between workspaces. After re-use, repurposing or remanufacture another operator is responsible (Regulation
 * (EU) 2023/1542, Article 77(7)).
 */
export default function handovers({ config, database, units, passportLocks, moduleHooks }: ModuleCradle) {
  return { offerUnit, offerPassport, accept, withdraw }

  /** @throws Problem 400, 403, 404; 409 if recycled or a draft */
  async function offerUnit(principal: Principal, unitId: string, input: Schemas['NewHandover'] = {}) {
    return offer(principal, input, async (tx) => {
      const unit = isUuid(unitId) ? await findOfferableUnit(tx, unitId) : undefined
      if (unit === undefined) throw noUnit()
      return unit
    })
  }

  /** @throws Problem as {@link offerUnit} */
  async function offerPassport(principal: Principal, passportId: string, input: Schemas['NewHandover'] = {}) {
    return offer(principal, input, async (tx) => {
      const side = ownSide(isUuid(passportId) ? await findLinkSide(tx, passportId) : undefined, principal)
      return { ...side, passportId: side.id, unitId: null, hasCeased: false }
    })
  }

  async function offer(
    principal: Principal,
    { forWorkspaceId, forRegId, expiresAt }: Schemas['NewHandover'],
    find: (tx: Transaction) => Promise<Offerable>,
  ): Promise<Omit<Schemas['HandoverOffered'], 'success'>> {
    const now = new Date()
    const ends = expiresAt === undefined ? new Date(now.getTime() + USUAL_DAYS * DAY_MS) : parseExpiry(expiresAt, now)
    const id = randomUUID()
    const code = `dpp_handover_${randomBytes(24).toString('base64url')}`
    await inAttempts(['taken'], () =>
      database.transaction(principal.tenantId, async (tx) => {
        const { passportId, unitId, operatorId, status, hasCeased } = await find(tx)
        assertOperatorScope(principal, operatorId)
        assertPublished({ status })
        if (hasCeased) throw ceased()
        addOffer(tx, {
          id,
          passportId,
          unitId,
          codeHash: hashOf(code),
          forTenantId: forWorkspaceId ?? null,
          forRegId: forRegId ?? null,
          createdAt: now.toISOString(),
          expiresAt: ends.toISOString(),
        })
        recordAudit(tx, principal, 'handover.offered', unitId ?? passportId, { handover: id })
      }),
    )
    return { id, code, expiresAt: ends.toISOString() }
  }

  /** @throws Problem 403, 404; 409 if closed */
  async function withdraw(principal: Principal, id: string): Promise<void> {
    await database.transaction(principal.tenantId, async (tx) => {
      const held = isUuid(id) ? await holdOffer(tx, id) : undefined
      if (held === undefined) throw notFound('Offer not found in your workspace.')
      assertOperatorScope(principal, held.operatorId)
      if (held.unitId === null) assertPermission(principal, 'passport:update')
      if (held.state !== 'OPEN') throw closed(held.state)
      withdrawOffer(tx, id)
      recordAudit(tx, principal, 'handover.withdrawn', held.unitId ?? held.passportId, { handover: id.toLowerCase() })
    })
  }

  /**
   * Accepts an offer and updates both sides.
   * @throws Problem 400, 404; 403 for another recipient; 409 if closed, recycled, a duplicate, or under a claimed prefix
   */
  async function accept(
    principal: Principal,
    input: Schemas['HandoverAcceptance'],
  ): Promise<Omit<Schemas['HandoverAccepted'], 'success'>> {
    if (!CODE.test(input.code)) throw noOffer()
    const codeHash = hashOf(input.code)
    // The next attempt reports concurrent changes by name.
    return inAttempts(['gone', 'taken'], () =>
      closing(() =>
        refusing(() =>
          database.transaction(principal.tenantId, async (tx) => {
            const { offer, side } = await readAcceptance(tx, codeHash, input)
            const offered = openOffer(offer, principal)
            const passport = ownSide(side, principal)
            assertPublished(passport)
            assertMeant(offered, passport)
            if (offered.unitId === null) return followOn(tx, principal, passport, offered, input, codeHash)
            if (passport.hasSerial) throw duplicate()
            return takeOver(tx, principal, passport, { ...offered, unitId: offered.unitId }, input, codeHash)
          }),
        ),
      ),
    ).catch(refuseClaimedPrefix)
  }

  function openOffer(offered: Offer | undefined, { tenantId }: Principal): Offer {
    if (offered === undefined) throw noOffer()
    if (offered.tenantId === tenantId)
      throw notMeant('A workspace cannot accept its own offer. Accept it in the receiving workspace.')
    if (offered.forTenantId !== null && offered.forTenantId !== tenantId) {
      throw notMeant('This offer is for another workspace.')
    }
    if (offered.state !== 'OPEN') throw closed(offered.state)
    if (offered.hasCeased) throw ceased()
    return offered
  }

  function assertMeant({ forRegId }: Offer, { regId }: AcceptingSide): void {
    if (forRegId === null || regId === forRegId) return
    throw notMeant('This offer is for an operator with another registration id.')
  }

  async function takeOver(
    tx: Transaction,
    principal: Principal,
    passport: LinkSide,
    offered: Offer & { readonly unitId: string },
    { serialNumber, status = 'REPURPOSED' }: Schemas['HandoverAcceptance'],
    codeHash: Buffer,
  ): Promise<Omit<Schemas['HandoverAccepted'], 'success'>> {
    const predecessorId = offered.unitId
    const unit = await units.addSuccessor(tx, principal, passport, {
      serialNumber,
      predecessor: { id: predecessorId, status },
    })
    closeUnitOffer(tx, codeHash, unit.id, status)
    await moduleHooks.changed(tx, {
      subject: 'unit',
      kind: 'changed',
      ids: [predecessorId],
      tenantId: offered.tenantId,
      moved: [predecessorId],
    })
    recordAudit(tx, principal, 'handover.accepted', unit.id, { predecessor: predecessorId })
    return {
      message: 'The battery unit is transferred; its earlier record links to the new one.',
      unit,
      link: null,
    }
  }

  async function followOn(
    tx: Transaction,
    principal: Principal,
    passport: LinkSide,
    { passportId, productId }: Offer,
    { rel = 'derivedFrom' }: Schemas['HandoverAcceptance'],
    codeHash: Buffer,
  ): Promise<Omit<Schemas['HandoverAccepted'], 'success'>> {
    assertPermission(principal, 'passport:update')
    closePassportOffer(tx, codeHash, { passportId: passport.id, rel, linkId: randomUUID() })
    recordAudit(tx, principal, 'handover.accepted', passport.id, { predecessor: passportId })
    passportLocks.evictAll(tx)
    return {
      message: 'The passports are linked.',
      unit: null,
      link: {
        rel,
        target: `${config.baseUrl}/passport/${passportId}`,
        identifier: productId,
        since: new Date().toISOString(),
      },
    }
  }
}

/** @throws Problem 403, 404 */
function ownSide<Side extends LinkSide>(side: Side | undefined, principal: Principal): Side {
  if (side?.tenantId !== principal.tenantId) throw noPassport()
  assertOperatorScope(principal, side.operatorId)
  return side
}

const STATES: Readonly<Record<Exclude<OfferState, 'OPEN'>, string>> = {
  ACCEPTED: 'The offer was already accepted.',
  WITHDRAWN: 'The offer was withdrawn.',
  EXPIRED: 'The offer has expired.',
}

const closed = (state: Exclude<OfferState, 'OPEN'>) => conflict(STATES[state], 'HANDOVER_CLOSED')
const noOffer = () => notFound('No offer with this code.', 'HANDOVER_INVALID')
const notMeant = (message: string) => forbidden(message, 'HANDOVER_NOT_MEANT')
const duplicate = () => conflict('A unit with this serial already exists for this passport.', 'UNIT_DUPLICATE')
const ceased = () =>
  conflict(
    'The battery has been recycled, and its passport has ended (Regulation (EU) 2023/1542, Article 77(8)).',
    'UNIT_CEASED',
  )

/** Maps an offer closed concurrently to Problem 409. */
async function closing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if ((error as { code?: string } | null)?.code !== CLOSED) throw error
    throw conflict('The offer is no longer open.', 'HANDOVER_CLOSED')
  }
}

const hashOf = (code: string) => createHash('sha256').update(code).digest()
