import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EntityManager } from '@mikro-orm/postgresql'
import { type Config, ROOT, VERSION } from '../config.ts'
import type { PassportView } from '../domain/view.ts'
import type { RenderContext, RepresentationPlugin } from '../plugin/contracts.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'
import { type Database, executeWithParameters, pack } from './database.ts'
import { loadPassport, type PassportRow } from './passport-rows.ts'
import type { PassportViews } from './passport-views.ts'
import type { Translator } from './translator.ts'

/** The representation that answers when nothing else is asked for (specification 4.1). */
export const DEFAULT_REPRESENTATION = 'jsonld'

/** A passport as it goes over the wire. */
export interface WireRendition {
  readonly body: Buffer
  readonly etag: string
  readonly contentType: string
}

/** What a new passport is rendered as. */
export interface NewRendition {
  readonly row: PassportRow
  readonly rendition: WireRendition
}

/** A passport that may be resolved, before it is known in which form. */
export interface Candidate {
  readonly id: string
  readonly tenantId: string
  readonly operatorId: string
  readonly status: PassportView['status']
  readonly version: number
  readonly category: string | null
}

/**
 * Renders passports, and keeps what the public tier sees: it is rendered when it changes and read a million times.
 * Every process serves the stored bytes, so that signatures and entity tags agree.
 */
export class Renditions {
  readonly #database: Database
  readonly #views: PassportViews
  readonly #translator: Translator
  readonly #mediaTypes: readonly string[]
  readonly #jsonLd: RepresentationPlugin | undefined
  /** Names the code, texts and base address that render; renditions of another generation are not ours to serve. */
  readonly generation: string

  constructor(dependencies: {
    config: Config
    plugins: LoadedPlugins
    database: Database
    views: PassportViews
    translator: Translator
  }) {
    this.#database = dependencies.database
    this.#views = dependencies.views
    this.#translator = dependencies.translator
    this.#mediaTypes = dependencies.plugins.representations.map(({ mediaTypes: [first] }) => first)
    this.#jsonLd = dependencies.plugins.representations.find(({ name }) => name === DEFAULT_REPRESENTATION)
    this.generation = generationOf(dependencies.config, dependencies.plugins)
  }

  /** The language under which a representation is stored: none where its bytes do not depend on one. */
  languageOf(plugin: RepresentationPlugin, language: string): string {
    return plugin.localised === true ? language : ''
  }

  /** The stored public rendition of the candidate's current version, made now if it is the first use. */
  async ofPublic(
    candidate: Candidate,
    plugin: RepresentationPlugin,
    language: string,
  ): Promise<WireRendition | undefined> {
    const key = [candidate.id, plugin.name, this.languageOf(plugin, language)] as const
    const stored = await this.findStored(...key)
    if (stored !== undefined) return stored
    const em = this.#database.forTenant(candidate.tenantId)
    const row = await loadPassport(em, candidate.id)
    if (row === undefined || row.status === 'DRAFT') return undefined
    await this.store(em, row, plugin, language)
    return this.findStored(...key)
  }

  /** The stored public rendition of a passport's current version, if any. */
  async findStored(passportId: string, representation: string, language: string): Promise<WireRendition | undefined> {
    const { rows } = await this.#database.lookup.query<{ body: string; etag: string; content_type: string }>({
      name: 'find-rendition',
      text: `select r.body, r.etag, r.content_type from passport p
        join rendition r on r.passport_id = p.id and r.representation = $2 and r.language = $3 and r.version = p.version
          and r.generation = $4
        where p.id = $1 and p.status <> 'DRAFT'`,
      values: [passportId, representation, language, this.generation],
    })
    const [row] = rows
    return row === undefined
      ? undefined
      : { body: Buffer.from(row.body), etag: row.etag, contentType: row.content_type }
  }

  /** Renders for the public tier and stores; whoever was first wins, and the stored bytes are what is served. */
  async store(em: EntityManager, row: PassportRow, plugin: RepresentationPlugin, language: string): Promise<void> {
    const rendered = await this.render(this.#views.view(row, 'public'), plugin, language)
    await em.execute(
      `insert into rendition (passport_id, representation, language, version, generation, etag, content_type, body)
       values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
      [
        row.id,
        plugin.name,
        this.languageOf(plugin, language),
        row.version,
        this.generation,
        rendered.etag,
        rendered.contentType,
        rendered.body.toString(),
      ],
    )
  }

  /** JSON-LD of passports that are new, to be stored by {@link storeNew}. */
  async renderNew(rows: readonly PassportRow[]): Promise<NewRendition[]> {
    const jsonLd = this.#jsonLd
    if (jsonLd === undefined) return []
    return Promise.all(
      rows.map(async (row) => ({ row, rendition: await this.render(this.#views.view(row, 'public'), jsonLd, '') })),
    )
  }

  /** Stores what the transaction's new passports are rendered as, in one statement. */
  async storeNew(em: EntityManager, renditions: readonly NewRendition[]): Promise<void> {
    if (renditions.length === 0) return
    const { bytes, starts, lengths } = pack(renditions.map(({ rendition }) => rendition.body))
    await executeWithParameters(
      em,
      `insert into rendition (passport_id, representation, language, version, generation, etag, content_type, body)
       select r.id, $1, '', r.version, $2, r.etag, r.content_type, convert_from(substr($3::bytea, r.start, r.length), 'UTF8')
       from unnest($4::uuid[], $5::int[], $6::text[], $7::text[], $8::int[], $9::int[])
         as r (id, version, etag, content_type, start, length)`,
      [
        DEFAULT_REPRESENTATION,
        this.generation,
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

  /** Forgets renditions of earlier versions; JSON-LD is kept for a week, because events refer to it by version. */
  async forgetEarlier(em: EntityManager, row: PassportRow): Promise<void> {
    await em.execute(
      `delete from rendition where passport_id = ? and version < ?
         and (representation <> '${DEFAULT_REPRESENTATION}' or created_at < now() - interval '7 days')`,
      [row.id, row.version],
    )
  }

  /** What a representation is given beside what it renders. */
  contextFor(plugin: RepresentationPlugin, language: string): RenderContext {
    return {
      lang: language,
      translate: (key, params) => this.#translator.translate(language, plugin.name, key, params),
      mediaTypes: this.#mediaTypes,
    }
  }

  async render(view: PassportView, plugin: RepresentationPlugin, language: string): Promise<WireRendition> {
    const rendered = await plugin.render(view, this.contextFor(plugin, language))
    const body = Buffer.from(rendered.body as string)
    return { body, etag: etagOf(body), contentType: rendered.contentType ?? plugin.mediaTypes[0] }
  }
}

// 160 bits of the digest: long enough that no two contents share a tag.
const etagOf = (body: Buffer) => `"${createHash('sha256').update(body).digest().subarray(0, 20).toString('base64url')}"`

// The files that decide what is rendered are hashed at start-up, so that neither an edit nor a rolling upgrade can
// serve what other code has rendered.
function generationOf(config: Config, plugins: LoadedPlugins): string {
  const hash = createHash('sha256').update(`${VERSION}\n${config.baseUrl}\n`)
  const folders = plugins.list.filter(({ kind }) => kind !== 'signer').map(({ folder }) => folder)
  for (const folder of [join(import.meta.dirname, '../domain'), join(ROOT, 'locales'), ...folders]) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && !/\.test\.ts$/.test(entry.name) && !entry.parentPath.includes('node_modules')) {
        hash.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)))
      }
    }
  }
  return hash.digest('base64url').slice(0, 16)
}
