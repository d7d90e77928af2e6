import type { PassportStatus, UnitStatus } from '../../../src/plugin/index.ts'
import { isUuid, type Session, type Statement, type Transaction } from '../../../src/plugin/module.ts'
import type { LinkSide } from './link-rows.ts'

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

export async function findOfferableUnit(session: Session, unitId: string): Promise<Offerable | undefined> {
  const [unit] = await session.run<Offerable>(OFFERABLE, [unitId])
  return unit
}

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

/** Withdraws an earlier offer of the subject. Fails with `23505` if another came in between. */
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

export type OfferState = 'OPEN' | 'ACCEPTED' | 'WITHDRAWN' | 'EXPIRED'

const HOLD: Statement = {
  name: 'hold-offer',
  text: `select h.passport_id as "passportId", h.unit_id as "unitId", p.operator_id as "operatorId",
      case when h.accepted_at is not null then 'ACCEPTED' when h.withdrawn_at is not null then 'WITHDRAWN' else 'OPEN' end as state
    from handover h join passport p on p.id = h.passport_id where h.id = $1 for update of h`,
}
const WITHDRAW: Statement = { name: 'withdraw-offer', text: 'update handover set withdrawn_at = $2 where id = $1' }

export async function holdOffer(
  tx: Transaction,
  id: string,
): Promise<(Pick<Offerable, 'passportId' | 'unitId' | 'operatorId'> & { readonly state: OfferState }) | undefined> {
  const [held] = await tx.run<Awaited<ReturnType<typeof holdOffer>> & object>(HOLD, [id])
  return held
}

export const withdrawOffer = (tx: Transaction, id: string): void => tx.write(WITHDRAW, [id, new Date().toISOString()])

export interface Offer {
  readonly tenantId: string
  readonly passportId: string
  readonly unitId: string | null
  readonly productId: string
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

export interface AcceptingSide extends LinkSide {
  readonly regId: string | null
  /** True if a unit with the serial number exists. */
  readonly hasSerial: boolean
}

const SIDE: Statement = {
  name: 'accepting-side',
  text: `select p.id, p.tenant_id as "tenantId", p.operator_id as "operatorId", p.product_id as "productId", p.status,
      o.reg_id as "regId",
      exists (select from battery_unit u where u.passport_id = p.id and u.serial_number = $2) as "hasSerial"
    from passport p left join operator o on o.id = p.operator_id where p.id = $1`,
}

export async function readAcceptance(
  tx: Transaction,
  codeHash: Buffer,
  { passportId, serialNumber }: { readonly passportId: string; readonly serialNumber?: string },
): Promise<{ offer: Offer | undefined; side: AcceptingSide | undefined }> {
  const [[offer], [side]] = await Promise.all([
    tx.run<Offer>(FIND, [codeHash]),
    isUuid(passportId) ? tx.run<AcceptingSide>(SIDE, [passportId, serialNumber?.trim() ?? null]) : [],
  ])
  return { offer, side }
}

/** SQLSTATE of an offer that is no longer open or whose unit has ceased. */
export const CLOSED = 'DP423'

const DONE: Statement = { name: 'close-offer', text: 'select handover_done($1, $2, $3, $4)' }

/** `successorId` is made of the unit. Fails with {@link CLOSED}. */
export const closeUnitOffer = (tx: Transaction, codeHash: Buffer, successorId: string, status: UnitStatus): void =>
  tx.write(DONE, [codeHash, successorId, status, null])

/** Links the passports. Fails with {@link CLOSED}, or as `addLink`. */
export const closePassportOffer = (
  tx: Transaction,
  codeHash: Buffer,
  follower: { readonly passportId: string; readonly rel: 'replaces' | 'derivedFrom'; readonly linkId: string },
): void => tx.write(DONE, [codeHash, follower.passportId, follower.rel, follower.linkId])
