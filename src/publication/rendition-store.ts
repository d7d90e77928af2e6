import type { EntityManager } from '@mikro-orm/postgresql'
import type { Cradle } from '../cradle.ts'
import type { Tier } from '../domain/view.ts'
import { executeWithParameters, pack } from '../storage/database.ts'
import type { PassportRow } from '../storage/passport-rows.ts'
import type { Choice } from './choice.ts'
import { generationOf } from './generation.ts'
import type { CachedRendition } from './public-cache.ts'
import { type StoredRow, type WireRendition, wire } from './rendition.ts'

/** What is kept of a passport beside the default and signed forms; what comes after is rendered for every reader. */
export const MOST_KEPT_BYTES = 4 * 1024 * 1024
/** Earlier versions whose default form is kept however large it is. */
const FEWEST_KEPT = 8
// Of values in a table of their own, as large ones are, this reads the length alone.
const KEPT_BYTES = `(select coalesce(sum(coalesce(octet_length(k.body), octet_length(k.bytes))), 0) from rendition k
  where k.passport_id = ? and k.key_number = 0 and k.representation <> ?)`

/** Where a passport is found: by its id, or by its product id and, where nobody has that, the key in its metadata. */
export type Column = 'id' | 'gtin' | 'grai'

/** What a new passport is rendered as. */
export interface NewRendition {
  readonly row: PassportRow
  readonly rendition: WireRendition
}

/** Which of a passport's renditions: of whom it is signed, if at all, and for which tier. */
interface Variant {
  readonly representation: string
  /** See `variantOf`. */
  readonly variant: string
  readonly tier: Tier
  /** Number of the key that signs; 0 for what is not signed. */
  readonly keyNumber: number
}

declare module '../cradle.ts' {
  interface Cradle {
    renditionStore: ReturnType<typeof renditionStore>
  }
}

/**
 * Renditions in the database, each of one version of a passport and of one {@link generationOf}: what other code has
 * rendered is not ours to serve.
 */
export default function renditionStore({ config, plugins, database }: Cradle) {
  const generation = generationOf(config.baseUrl, plugins)
  const defaultName = plugins.defaultRepresentation?.name ?? ''

  return { generation, find, findPublic, findSigned, insert, insertNew, forgetEarlier, forgetStale }

  /**
   * What the world gets of the one passport that has this value in `column`, with what the access audit needs.
   * @param variant of the choice
   * @returns undefined where no passport or several have it, or it is not stored
   */
  async function findPublic(
    column: Column,
    value: string,
    { isSigned, plugin: { name } }: Choice,
    variant: string,
  ): Promise<CachedRendition | undefined> {
    const { rows } = await database.lookup.query<FoundRow>({
      name: `lane-by-${column}${isSigned ? '-signed' : ''}`,
      text: select(column, isSigned),
      values: [value, generation, name, variant],
    })
    const [row] = rows
    if (rows.length !== 1 || row === undefined || row.etag === null) return undefined
    return { passportId: row.id, category: row.category, representation: name, rendition: wire(row) }
  }

  /** The stored public rendition of a passport's current version, if any. */
  async function find(passportId: string, representation: string, variant: string): Promise<WireRendition | undefined> {
    const { rows } = await database.lookup.query<StoredRow>({
      name: 'find-rendition',
      text: `select r.body, r.bytes, r.etag, r.content_type from passport p
        join rendition r on r.passport_id = p.id and r.representation = $2 and r.variant = $3 and r.version = p.version
          and r.generation = $4
        where p.id = $1 and p.status <> 'DRAFT'`,
      values: [passportId, representation, variant, generation],
    })
    const [row] = rows
    return row && wire(row)
  }

  /** What is signed of a passport's current version, drafts included, if it is stored. */
  async function findSigned(
    em: EntityManager,
    passportId: string,
    { representation, variant, tier, keyNumber }: Variant,
  ): Promise<WireRendition | undefined> {
    const [row] = await em.execute<StoredRow[]>(
      `select r.body, r.bytes, r.etag, r.content_type from passport p
       join rendition r on r.passport_id = p.id and r.version = p.version and r.representation = ? and r.variant = ?
         and r.generation = ? and r.tier = ? and r.key_number = ?
       where p.id = ?`,
      [representation, variant, generation, tier, keyNumber, passportId],
    )
    return row && wire(row)
  }

  /**
   * Stores a rendition of this version; whoever was first wins, and the stored bytes are what is served. What would take a
   * passport beyond {@link MOST_KEPT_BYTES} is not stored.
   */
  async function insert(
    em: EntityManager,
    { id, version }: PassportRow,
    { representation, variant, tier, keyNumber }: Variant,
    { etag, contentType, body, isBinary }: WireRendition,
  ): Promise<void> {
    // Signatures cost time, and the default form is what events show: both are few, and always kept.
    const isBounded = keyNumber === 0 && representation !== defaultName
    await em.execute(
      `insert into rendition
         (passport_id, representation, variant, version, generation, etag, content_type, body, bytes, tier, key_number)
       select ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?${isBounded ? ` where ${KEPT_BYTES} + ? <= ${MOST_KEPT_BYTES}` : ''}
       on conflict do nothing`,
      [
        id,
        representation,
        variant,
        version,
        generation,
        etag,
        contentType,
        isBinary ? null : body.toString(),
        isBinary ? body : null,
        tier,
        keyNumber,
        ...(isBounded ? [id, defaultName, body.length] : []),
      ],
    )
  }

  /** Stores what new passports are as the default form, in one statement. */
  async function insertNew(em: EntityManager, renditions: readonly NewRendition[]): Promise<void> {
    if (renditions.length === 0) return
    const { bytes, starts, lengths } = pack(renditions.map(({ rendition }) => rendition.body))
    await executeWithParameters(
      em,
      `insert into rendition (passport_id, representation, variant, version, generation, etag, content_type, body)
       select r.id, $1, '', r.version, $2, r.etag, r.content_type, convert_from(substr($3::bytea, r.start, r.length), 'UTF8')
       from unnest($4::uuid[], $5::int[], $6::text[], $7::text[], $8::int[], $9::int[])
         as r (id, version, etag, content_type, start, length)`,
      [
        defaultName,
        generation,
        bytes,
        renditions.map(({ row }) => row.id),
        renditions.map(({ row }) => row.version),
        renditions.map(({ rendition }) => rendition.etag),
        renditions.map(({ rendition }) => rendition.contentType),
        starts,
        lengths,
      ],
    )
  }

  /**
   * Forgets renditions of earlier versions. The default form is kept for a week, because events refer to it by version; of
   * large passports as many as fit {@link MOST_KEPT_BYTES}, and {@link FEWEST_KEPT} in any case.
   * @param latest the default form of this version, where it was made just now
   */
  async function forgetEarlier(em: EntityManager, { id, version }: PassportRow, latest?: WireRendition): Promise<void> {
    const kept = latest === undefined ? version : Math.max(FEWEST_KEPT, MOST_KEPT_BYTES / latest.body.length)
    await em.execute(
      `delete from rendition where passport_id = ? and version < ?
         and (representation <> ? or created_at < now() - interval '7 days' or version < ?)`,
      [id, version, defaultName, Math.floor(version - kept)],
    )
  }

  /**
   * Forgets what nobody reads any more: earlier versions, those under a key before `keyNumber`, and those of other code. A
   * day's grace keeps two releases that run side by side from taking each other's away.
   */
  async function forgetStale(em: EntityManager, row: PassportRow, keyNumber = 0): Promise<void> {
    await forgetEarlier(em, row)
    await em.execute(
      `delete from rendition where passport_id = ?
         and (key_number between 1 and ? or (generation <> ? and created_at < now() - interval '1 day'))`,
      [row.id, keyNumber - 1, generation],
    )
  }
}

interface FoundRow extends StoredRow {
  readonly id: string
  readonly category: string | null
}

const COLUMNS = 'p.id, p.tenant_id, p.category, p.version'

/** One row is an answer; two are a choice, which is somebody else's to offer. */
const PASSPORTS: Readonly<Record<Column, string>> = {
  id: `select ${COLUMNS} from passport p where p.id = $1 and p.status <> 'DRAFT'`,
  gtin: byKey('gtin'),
  grai: byKey('grai'),
}

function byKey(column: 'gtin' | 'grai'): string {
  const ofProduct = `from passport p where p.product_id = $1 and p.status <> 'DRAFT'`
  return `select ${COLUMNS} ${ofProduct} union all
    select ${COLUMNS} from passport p where p.${column} = $1 and p.status <> 'DRAFT' and not exists (select 1 ${ofProduct})
    limit 2`
}

const select = (column: Column, isSigned: boolean) => `
  select p.id, p.category, r.body, r.bytes, r.etag, r.content_type from (${PASSPORTS[column]}) p
  left join rendition r on r.passport_id = p.id and r.version = p.version
    and r.generation = $2 and r.representation = $3 and r.variant = $4 and r.tier = 'public' and r.key_number = ${
      isSigned ? '(select k.number from tenant_key k where k.tenant_id = p.tenant_id and k.retired_at is null)' : '0'
    }`
