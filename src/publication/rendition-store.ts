import type { Cradle } from '../cradle.ts'
import type { Reader } from '../domain/audience.ts'
import type { Principal } from '../domain/principal.ts'
import type { Candidate } from '../storage/candidates.ts'
import { isDiskFull } from '../storage/database-errors.ts'
import type { PassportRow } from '../storage/passport-rows.ts'
import {
  findOwnRenditions,
  findPublicRenditions,
  findRendition,
  forgetEarlierRenditions,
  forgetStaleRenditions,
  insertingRendition,
  MAX_KEPT_BYTES,
  type Name,
  type Subject,
  type Variant,
} from '../storage/renditions.ts'
import type { Call, Session } from '../storage/statement.ts'
import type { Transaction } from '../storage/transaction.ts'
import { generationOf } from './generation.ts'
import type { Choice, PublicRequest } from './negotiated-format.ts'
import type { CachedRendition } from './public-cache.ts'
import { stored, type WireRendition, wire } from './rendition.ts'

/** Earlier versions whose default form is kept however large it is. */
const FEWEST_KEPT = 8

/** What a version is rendered as. */
interface Rendition {
  readonly subject: Subject
  readonly rendition: WireRendition
}

type Kind = Omit<Variant, 'generation'>

declare module '../cradle.ts' {
  interface Cradle {
    renditionStore: ReturnType<typeof renditionStore>
  }
}

/**
 * Renditions in the database, each of one version of a passport, of a unit or of a batch and of one {@link generationOf}: what other
 * code has rendered is not ours to serve.
 */
export default function renditionStore({ config, plugins, database }: Cradle) {
  const generation = generationOf(config.baseUrl, plugins)
  const defaultName = plugins.defaultRepresentation?.name ?? ''

  return { generation, find, findPublic, findOwn, keep, insertDefault, forgetEarlier }

  /**
   * What the world gets of the one passport, or of the unit or batch, that has this value in `column`, with what the access audit needs.
   * @returns undefined where nothing or several have it, or it is not stored
   */
  async function findPublic({ column, value, choice, variant }: PublicRequest): Promise<CachedRendition | undefined> {
    const { isSigned, plugin } = choice
    const representation = plugin.name
    const kind = { generation, representation, variant }
    const [row, another] = await findPublicRenditions(database, column, value, isSigned, kind)
    if (row === undefined || another !== undefined) return undefined
    const { id: passportId, unitId, category } = row
    const rendition = wire(row)
    return rendition && { passportId, unitId, category, representation, rendition }
  }

  /**
   * Two at most of the passports that the value names and for whose operators the caller may act, with the rendition of
   * each for `reader` where it is stored.
   */
  async function findOwn(
    principal: Principal,
    named: { readonly name: Name; readonly value: string },
    { isSigned, plugin: { name: representation } }: Choice,
    { variant, reader }: { readonly variant: string; readonly reader: Reader },
  ): Promise<readonly { readonly candidate: Candidate; readonly rendition: WireRendition | undefined }[]> {
    const kind = { generation, representation, variant, reader }
    const rows = await findOwnRenditions(database.batchedFor(principal.tenantId), principal, named, isSigned, kind)
    return rows.map((row) => ({ candidate: row, rendition: wire(row) }))
  }

  /** The stored rendition of the current version, if any, of those that `session` may see. */
  async function find(
    session: Session,
    subject: Pick<Subject, 'id' | 'unit' | 'batch'>,
    kind: Kind,
  ): Promise<WireRendition | undefined> {
    const row = await findRendition(session, subject, { generation, ...kind })
    return row && wire(row)
  }

  /**
   * Stores a rendition of this version, and forgets what nobody reads any more. What would take a passport or a unit beyond
   * {@link MAX_KEPT_BYTES} is not stored, and nothing is where the disk is full: it is served all the same, unless it is signed.
   * @returns what is served: whoever was first wins, so that all processes serve the same signature
   */
  async function keep(session: Session, { subject, rendition }: Rendition, kind: Kind): Promise<WireRendition> {
    // Signatures cost time, and the default form is what events show: both are few, and always kept.
    const isBounded = kind.keyNumber === 0 && kind.representation !== defaultName
    const beside = isBounded ? defaultName : undefined
    const forgotten = forgetting(subject, kind.keyNumber).map((call) => session.run(...call))
    const inserted = session.run(...insertingRendition(subject, { generation, ...kind }, stored(rendition), beside))
    try {
      const [kept] = await Promise.all([find(session, subject, kind), inserted, ...forgotten])
      return kept ?? rendition
    } catch (error) {
      if (kind.keyNumber === 0 && isDiskFull(error)) return rendition
      throw error
    }
  }

  /** Stores the default form of a new version for the public. */
  function insertDefault(tx: Transaction, row: PassportRow, rendition: WireRendition): void {
    const kind = { generation, representation: defaultName, variant: '', reader: 'public', keyNumber: 0 } as const
    tx.write(...insertingRendition(row, kind, stored(rendition), undefined))
  }

  /**
   * Forgets renditions of earlier versions. The public default form is kept for a week, because events refer to it by
   * version; of large passports as many as fit {@link MAX_KEPT_BYTES}, and {@link FEWEST_KEPT} in any case.
   * @param latest the default form of this version, where it was made just now
   */
  function forgetEarlier(tx: Transaction, row: PassportRow, latest: WireRendition | undefined): void {
    const kept = latest === undefined ? row.version : Math.max(FEWEST_KEPT, MAX_KEPT_BYTES / latest.body.length)
    tx.write(...forgetEarlierRenditions(row, { defaultName, keptFrom: Math.floor(row.version - kept) }))
  }

  /**
   * What nobody reads any more: earlier versions, those under a key before `keyNumber`, and those of other code. A day's
   * grace keeps two releases that run side by side from taking each other's away.
   */
  function forgetting(subject: Subject, keyNumber: number): Call[] {
    return [
      forgetEarlierRenditions(subject, { defaultName, keptFrom: 0 }),
      forgetStaleRenditions(subject, keyNumber, generation),
    ]
  }
}
