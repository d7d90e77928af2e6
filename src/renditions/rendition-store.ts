import type { Cradle } from '../cradle.ts'
import type { Reader } from '../domain/audience.ts'
import type { Principal } from '../domain/principal.ts'
import type { PassportRow } from '../passports/passport-columns.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'
import type { Candidate } from '../resolution/candidates.ts'
import { isDiskFull, isPassing } from '../storage/database-errors.ts'
import type { Call, Session } from '../storage/statement.ts'
import type { Transaction } from '../storage/transaction.ts'
import { generationsOf } from './generation.ts'
import type { Choice, PublicRequest } from './negotiated-format.ts'
import type { CachedRendition } from './public-cache.ts'
import { packed, stored, type WireRendition, wire } from './rendition.ts'
import {
  findOwnRenditions,
  MAX_STORED_BYTES,
  type Maybe,
  type Name,
  type PublicRow,
  renditionStatements,
  type StoredRow,
  type Subject,
  type Variant,
} from './rendition-statements.ts'

const MIN_STORED_VERSIONS = 8

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

/** The code of a process does not change. Gateways of one process share it, as in tests. */
const generations = new Map<string, ReturnType<typeof generationsOf>>()

function loadedGenerations(baseUrl: string, { list, modules }: LoadedPlugins): ReturnType<typeof generationsOf> {
  const key = JSON.stringify([baseUrl, list, modules.map(({ name, isRendered }) => [name, isRendered])])
  const known = generations.get(key) ?? generationsOf(baseUrl, { list, modules })
  generations.set(key, known)
  return known
}

/** Stored renditions, each of one version and one of {@link generationsOf}. */
export default function renditionStore({ config, plugins, database, publicCache, renditionDictionaries }: Cradle) {
  const generationOf = loadedGenerations(config.baseUrl, plugins)
  const defaultName = plugins.defaultRepresentation?.name ?? ''
  const statements = renditionStatements(plugins.levels)
  const readPublic = publicReads(database.publicLookup)
  const readPrimary = publicReads(database.lookup)

  return { generationOf, find, findPublic, findOwn, keep, insertDefault, deleteEarlier }

  /**
   * Finds the rendition of the only public subject with this value.
   * @returns undefined if absent, ambiguous or not stored
   */
  async function findPublic(request: PublicRequest): Promise<CachedRendition | undefined> {
    const { column, choice, variant } = request
    const representation = choice.plugin.name
    const key = `${column} ${choice.isSigned} ${representation} ${variant}`
    let [row, another] = await readPublic(key, request)
    // A replica may not have the change yet. If the primary is unavailable, it is the best there is.
    if (row !== undefined && database.hasReplica && publicCache.changedRecently(row)) {
      ;[row, another] = await readPrimary(key, request).catch(() => [row, another])
    }
    if (row === undefined || another !== undefined) return undefined
    const { id: passportId, unitId, category } = row
    const rendition = await read(row, { representation, variant })
    return rendition && { passportId, unitId, category, representation, rendition }
  }

  /** Concurrent reads of one format are one statement. */
  function publicReads(session: Session) {
    const select = async (requests: readonly PublicRequest[]): Promise<PublicRow[][]> => {
      const [{ column, choice, variant }] = requests as [PublicRequest]
      const representation = choice.plugin.name
      const kind = { generation: generationOf(representation), representation, variant }
      const values = requests.map(({ value }) => value)
      const rows = await statements.findPublic(session, column, values, choice.isSigned, kind)
      return requests.map((_, index) => rows.filter(({ place }) => place === index + 1))
    }
    return database.batching(select)
  }

  async function findOwn(
    principal: Principal,
    named: { readonly name: Name; readonly value: string },
    { isSigned, plugin: { name: representation } }: Choice,
    { variant, reader }: { readonly variant: string; readonly reader: Reader },
  ): Promise<readonly { readonly candidate: Candidate; readonly rendition: WireRendition | undefined }[]> {
    const kind = { generation: generationOf(representation), representation, variant, reader }
    const rows = await findOwnRenditions(database.batchedFor(principal.tenantId), principal, named, isSigned, kind)
    return Promise.all(rows.map(async (row) => ({ candidate: row, rendition: await read(row, kind) })))
  }

  async function find(
    session: Session,
    subject: Pick<Subject, 'id' | 'unit' | 'record'>,
    kind: Kind,
  ): Promise<WireRendition | undefined> {
    const row = await statements.find(session, subject, { generation: generationOf(kind.representation), ...kind })
    return row && read(row, kind)
  }

  async function read(row: Maybe<StoredRow>, { representation, variant }: Pick<Kind, 'representation' | 'variant'>) {
    return wire(row, row.bytes === null ? undefined : await renditionDictionaries.of(representation, variant))
  }

  /**
   * Stores a rendition and deletes stale ones. Unsigned ones are only served if over {@link MAX_STORED_BYTES} or the disk is full.
   * @returns the first stored rendition, so that all processes serve the same signature
   */
  async function keep(session: Session, { subject, rendition }: Rendition, kind: Kind): Promise<WireRendition> {
    // Signatures are slow and events show the default format: both are few and always stored.
    const isBounded = kind.keyNumber === 0 && kind.representation !== defaultName
    const excludedName = isBounded ? defaultName : undefined
    const generation = generationOf(kind.representation)
    const isPacked = isBounded || rendition.isBinary
    const bytes = isPacked
      ? await packed(rendition.body, await renditionDictionaries.of(kind.representation, kind.variant))
      : null
    // The insert locks the passport, as changes do before they delete renditions. The opposite order deadlocks.
    const inserted = session.run(
      ...statements.inserting(subject, { generation, ...kind }, stored(rendition, bytes), excludedName),
    )
    const deleted = deletions(subject, { generation, ...kind }).map((call) => session.run(...call))
    try {
      const [first] = await Promise.all([find(session, subject, kind), inserted, ...deleted])
      return first ?? rendition
    } catch (error) {
      // Reads continue if the primary is full or unavailable.
      if (kind.keyNumber === 0 && (isDiskFull(error) || isPassing(error))) return rendition
      throw error
    }
  }

  function insertDefault(tx: Transaction, row: PassportRow, rendition: WireRendition): void {
    const kind = { representation: defaultName, variant: '', reader: 'public', keyNumber: 0 } as const
    const generation = generationOf(defaultName)
    tx.write(...statements.inserting(row, { generation, ...kind }, stored(rendition, null), undefined))
  }

  /**
   * Deletes renditions of earlier versions. The public default format is retained for a week, because events refer to it; large passports
   * retain up to {@link MAX_STORED_BYTES}, and at least {@link MIN_STORED_VERSIONS} versions.
   */
  function deleteEarlier(tx: Transaction, row: PassportRow, latest: WireRendition | undefined): void {
    const count =
      latest === undefined ? row.version : Math.max(MIN_STORED_VERSIONS, MAX_STORED_BYTES / latest.body.length)
    tx.write(...statements.deleteEarlier(row, { defaultName, firstStored: Math.floor(row.version - count) }))
  }

  /** A day of grace lets two releases run in parallel. */
  function deletions(subject: Subject, variant: Variant): Call[] {
    return [
      statements.deleteEarlier(subject, { defaultName, firstStored: 0 }),
      statements.deleteStale(subject, variant),
    ]
  }
}
