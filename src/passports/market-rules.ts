import type { Cradle } from '../cradle.ts'
import { computeRetention, type Retention } from '../domain/availability.ts'
import { type Metadata, textIn } from '../domain/metadata.ts'
import { conflict } from '../domain/problem.ts'
import type { Transaction } from '../storage/transaction.ts'
import type { PassportRow } from './passport-columns.ts'
import { outcomeOf } from './passport-writes.ts'

type Services = Pick<Cradle, 'config' | 'plugins'>
type State = Pick<PassportRow, 'status' | 'metadata'>

/**
 * Rejects demoting or deleting a retained passport, or shortening its retention (Regulation (EU) 2024/1781, Articles 9(2)(i) and 11(e)).
 * @param after undefined if deleted
 * @throws Problem 409
 */
export async function assertStays(
  services: Services,
  tx: Transaction,
  before: PassportRow,
  after: State | undefined,
): Promise<void> {
  const { retentionGuard } = services.config
  if (retentionGuard === 'off') return
  const leaves = after === undefined || (before.status !== 'DRAFT' && after.status === 'DRAFT')
  const { retentionUntil } = before
  if (leaves && retentionGuard === 'on' && retentionUntil !== null && Date.parse(retentionUntil) > Date.now()) {
    throw retained(`until ${retentionUntil}:`)
  }
  const retention = currentRetention(services, before.metadata)
  if (retention === undefined || !(leaves || currentRetention(services, after.metadata) === undefined)) return
  const outcome = await outcomeOf(tx, before.id)
  // Unpublished drafts may go; retention tied to units ends with the last one.
  if (before.status === 'DRAFT' && !outcome.wasPublished) return
  if (retention.until === null && outcome.hasCeased) return
  const end = retention.until === null ? 'until its last unit has been recycled' : `until ${retention.until}`
  throw retained(`${end} (${retention.act}): the period cannot be shortened, and`)
}

/** Fixes the level once the product is on the market, even in drafts (EN 18219). @throws Problem 409 */
export async function assertLevel(tx: Transaction, before: PassportRow, after: Pick<State, 'metadata'>): Promise<void> {
  const level = ({ granularity = 'model' }: Metadata) => JSON.stringify(granularity)
  if (level(before.metadata) === level(after.metadata)) return
  if (before.status === 'DRAFT' && !(await outcomeOf(tx, before.id)).wasPublished) return
  throw levelFixed()
}

function currentRetention({ config, plugins }: Services, metadata: Metadata): Retention | undefined {
  const category = plugins.categories.get(textIn(metadata, 'category') ?? '')
  return computeRetention(metadata, category?.availability, {
    now: new Date(),
    evenBefore: config.retentionGuard === 'on',
  })
}

const retained = (until: string) =>
  conflict(`This passport is under retention ${until} it cannot be deleted or reverted to draft.`, 'PASSPORT_RETAINED')

const levelFixed = () =>
  conflict(
    'metadata.granularity: the level of a passport, model, batch or item, is fixed once the product is on the market (EN 18219; Regulation (EU) 2024/1781, Article 9(2)(d)). Issue a separate passport for another level.',
    'LEVEL_FIXED',
  )
