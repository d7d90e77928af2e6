import { isUuid } from '../domain/identifiers.ts'
import type { UnitStatus } from '../domain/unit.ts'
import type { PassportStatus } from '../domain/view.ts'
import type { LinkSide } from './links.ts'
import type { Session, Statement } from './statement.ts'
import type { Transaction } from './transaction.ts'
import { takenSerials } from './units.ts'

// Offers of units and passports to other workspaces. What an acceptance changes in the workspace that made the offer, two
// functions of the database do (migration handovers), for whoever has the code.

/** What an offer may be of: a unit with its passport, or a passport. */
export interface Offerable {
  readonly passportId: string
  readonly unitId: string | null
  readonly operatorId: string
  readonly status: PassportStatus
  readonly hasCeased: boolean
}

const OFFERABLE: Statement = {
  name: 'offerable-unit',
  text: `select u.passport_id as "passportId", u.id as "unitId", u.operator_id as "operatorId", p.status,
      u.ceased_at is not null as "hasCeased"
    from battery_unit u join passport p on p.id = u.passport_id where u.id = $1 and u.tenant_id = app_tenant()`,
}

/** A unit of the workspace, or undefined. */
export async function findOfferableUnit(session: Session, unitId: string): Promise<Offerable | undefined> {
  const [unit] = await session.run<Offerable>(OFFERABLE, [unitId])
  return unit
}

/** An offer that is to be kept. */
interface NewOffer extends Pick<Offerable, 'passportId' | 'unitId'> {
  readonly id: string
  readonly codeHash: Buffer
  readonly forTenantId: string | null
  readonly forRegId: string | null
  readonly createdAt: string
  readonly expiresAt: string
}

const SUPERSEDE: Statement = {
  name: 'supersede-offers',
  text: `update handover set withdrawn_at = $2
    where coalesce(unit_id, passport_id) = $1 and accepted_at is null and withdrawn_at is null`,
}
const ADD: Statement = {
  name: 'add-offer',
  text: `insert into handover (id, tenant_id, passport_id, unit_id, code_hash, for_tenant_id, for_reg_id, created_at, expires_at)
    values ($1, app_tenant(), $2, $3, $4, $5, $6, $7, $8)`,
}

/** Keeps an offer in place of an earlier one of the same thing. Fails with `23505` where another has come in between. */
export function addOffer(tx: Transaction, offer: NewOffer): void {
  tx.write(SUPERSEDE, [offer.unitId ?? offer.passportId, offer.createdAt])
  tx.write(ADD, [
    offer.id,
    offer.passportId,
    offer.unitId,
    offer.codeHash,
    offer.forTenantId,
    offer.forRegId,
    offer.createdAt,
    offer.expiresAt,
  ])
}

/** How an offer stands. */
export type OfferState = 'OPEN' | 'ACCEPTED' | 'WITHDRAWN' | 'EXPIRED'

const HOLD: Statement = {
  name: 'hold-offer',
  text: `select h.passport_id as "passportId", h.unit_id as "unitId", p.operator_id as "operatorId",
      case when h.accepted_at is not null then 'ACCEPTED' when h.withdrawn_at is not null then 'WITHDRAWN' else 'OPEN' end as state
    from handover h join passport p on p.id = h.passport_id where h.id = $1 for update of h`,
}
const WITHDRAW: Statement = { name: 'withdraw-offer', text: 'update handover set withdrawn_at = $2 where id = $1' }

/** An offer of the workspace, held until the transaction ends; undefined where it has none of this id. */
export async function holdOffer(
  tx: Transaction,
  id: string,
): Promise<(Pick<Offerable, 'passportId' | 'unitId' | 'operatorId'> & { readonly state: OfferState }) | undefined> {
  const [held] = await tx.run<Awaited<ReturnType<typeof holdOffer>> & object>(HOLD, [id])
  return held
}

/** Withdraws a held offer. */
export const withdrawOffer = (tx: Transaction, id: string): void => tx.write(WITHDRAW, [id, new Date().toISOString()])

/** What is offered under a code. */
export interface Offer {
  readonly tenantId: string
  readonly passportId: string
  readonly unitId: string | null
  /** Of the passport. */
  readonly productId: string
  /** The unit has ceased. */
  readonly hasCeased: boolean
  readonly forTenantId: string | null
  readonly forRegId: string | null
  readonly state: OfferState
}

const FIND: Statement = {
  name: 'find-offer',
  text: `select tenant_id as "tenantId", passport_id as "passportId", unit_id as "unitId", product_id as "productId",
      has_ceased as "hasCeased", for_tenant_id as "forTenantId", for_reg_id as "forRegId", state from handover_find($1)`,
}

/** A passport that is to follow on what is offered, with the registration id of its operator. */
export type AcceptingSide = LinkSide & { readonly regId: string | null }

const SIDE: Statement = {
  name: 'accepting-side',
  text: `select p.id, p.tenant_id as "tenantId", p.operator_id as "operatorId", p.product_id as "productId", p.status,
      o.reg_id as "regId"
    from passport p left join operator o on o.id = p.operator_id where p.id = $1`,
}

/**
 * What is offered under the code with this hash, by any workspace, held until the transaction ends; the passport that is to
 * follow on it, as the workspace sees it; and whether the serial number is taken there.
 */
export async function readAcceptance(
  tx: Transaction,
  codeHash: Buffer,
  passportId: string,
  serialNumber: string | undefined,
): Promise<{ offer: Offer | undefined; side: AcceptingSide | undefined; isTaken: boolean }> {
  const id = isUuid(passportId) ? passportId : undefined
  const [[offer], [side], taken] = await Promise.all([
    tx.run<Offer>(FIND, [codeHash]),
    id === undefined ? [] : tx.run<AcceptingSide>(SIDE, [id]),
    id === undefined || serialNumber === undefined ? [] : takenSerials(tx, { id, productId: id }, [serialNumber]),
  ])
  return { offer, side, isTaken: taken.length > 0 }
}

/** SQLSTATE of an offer that is not open any more, or whose unit has ceased. */
export const CLOSED = 'DP423'

const DONE: Statement = { name: 'close-offer', text: 'select handover_done($1, $2, $3, $4)' }

/** Moves the unit that was offered: `successorId` is a unit of it. Fails with {@link CLOSED}. */
export const closeUnitOffer = (tx: Transaction, codeHash: Buffer, successorId: string, status: UnitStatus): void =>
  tx.write(DONE, [codeHash, successorId, status, null])

/** Links the passport that was offered with the one that follows on it. Fails with {@link CLOSED}, or as `addLink`. */
export const closePassportOffer = (
  tx: Transaction,
  codeHash: Buffer,
  follower: { readonly passportId: string; readonly rel: 'replaces' | 'derivedFrom'; readonly linkId: string },
): void => tx.write(DONE, [codeHash, follower.passportId, follower.rel, follower.linkId])
