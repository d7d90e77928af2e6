import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Config } from '../config.ts'
import type { Cradle } from '../cradle.ts'
import { negotiate } from '../domain/negotiate.ts'
import { notAcceptable } from '../domain/problem.ts'
import type { PassportView, Tier } from '../domain/view.ts'
import type { RenderContext, RepresentationPlugin, SignedRepresentation } from '../plugin/contracts.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'
import { ROOT, VERSION } from '../root.ts'
import { executeWithParameters, pack } from '../storage/database.ts'
import { loadPassport, type PassportRow } from '../storage/passport-rows.ts'
import { type StoredRow, toWire, type WireRendition, wire } from './rendition.ts'

/** The representation that answers when nothing else is asked for (specification 4.1). */
export const DEFAULT_REPRESENTATION = 'jsonld'
/** The credential that answers at its identifier: the form that UNTP asks for. */
const DEFAULT_CREDENTIAL = 'untp-vc-jwt'

/** What is kept of a passport beside JSON-LD and signed forms; what comes after is rendered for every reader. */
export const MOST_KEPT_BYTES = 4 * 1024 * 1024
/** Earlier versions whose JSON-LD is kept however large it is. */
const FEWEST_KEPT = 8
// Of values in a table of their own, as large ones are, this reads the length alone.
const KEPT_BYTES = `(select coalesce(sum(coalesce(octet_length(k.body), octet_length(k.bytes))), 0) from rendition k
  where k.passport_id = ? and k.key_number = 0 and k.representation <> '${DEFAULT_REPRESENTATION}')`

/** What a new passport is rendered as. */
export interface NewRendition {
  readonly row: PassportRow
  readonly rendition: WireRendition
}

/** A representation, and what of it: a language where the text depends on one, or the profile of a credential. */
export interface Choice {
  readonly plugin: RepresentationPlugin
  /** The profile that was asked for; undefined where none of ours was. */
  readonly profile: string | undefined
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

declare module '../cradle.ts' {
  interface Cradle {
    renditions: ReturnType<typeof renditions>
  }
}

/**
 * Renders passports, and keeps what the public tier sees: it is rendered when it changes and read a million times.
 * Every process serves the stored bytes, so that signatures and entity tags agree.
 */
export default function renditions({
  database,
  passportViews,
  translator,
  descriptions,
  issuers,
  statusLists,
  plugins,
  config,
}: Cradle) {
  const representations = plugins.representations
  const mediaTypes = plugins.representations.map(({ mediaTypes: [first] }) => first)
  const jsonLd = plugins.representations.find(({ name }) => name === DEFAULT_REPRESENTATION)
  const generation = generationOf(config, plugins)

  return {
    generation,
    choose,
    chooseCredential,
    variantOf,
    ofPublic,
    ofTier,
    store,
    renderNew,
    storeNew,
    forgetEarlier,
    render,
    contextFor,
  }

  /** What the Accept header names, JSON-LD where it names none of ours; undefined where that is not loaded. */
  function choose(accept: string | undefined): Choice | undefined {
    return choiceAmong(representations, accept, DEFAULT_REPRESENTATION)
  }

  /** The same among what is signed, where JSON Web Tokens are the default. */
  function chooseCredential(accept: string | undefined): Choice | undefined {
    const signed = representations.filter(({ isSigned }) => isSigned)
    return choiceAmong(signed, accept, DEFAULT_CREDENTIAL)
  }

  /** Under which a choice is stored: its language or its profile, or nothing where its bytes depend on neither. */
  function variantOf({ plugin, profile }: Choice, language: string): string {
    if (plugin.isSigned === true) return profile ?? ''
    return plugin.localised === true ? language : ''
  }

  /** The stored public rendition of the candidate's current version, made now if it is the first use. */
  async function ofPublic(candidate: Candidate, choice: Choice, language: string): Promise<WireRendition | undefined> {
    const { plugin, profile } = choice
    if (plugin.isSigned === true) return ofSigned(candidate, plugin, profile, 'public')
    const key = [candidate.id, plugin.name, variantOf(choice, language)] as const
    const stored = await findStored(...key)
    if (stored !== undefined) return stored
    const em = database.forTenant(candidate.tenantId)
    const row = await loadPassport(em, candidate.id)
    if (row === undefined || row.status === 'DRAFT') return undefined
    await forgetStale(em, row)
    const rendered = await store(em, row, plugin, language)
    return (await findStored(...key)) ?? rendered
  }

  /** What a tier above the public sees. Only what is signed is stored, because a signature is what costs. */
  async function ofTier(
    candidate: Candidate,
    tier: Tier,
    choice: Choice,
    language: string,
  ): Promise<WireRendition | undefined> {
    const { plugin, profile } = choice
    if (plugin.isSigned === true) {
      return ofSigned(candidate, plugin, profile, plugin.isPublicOnly ? 'public' : tier)
    }
    const row = await loadPassport(database.forTenant(candidate.tenantId), candidate.id)
    return row && render(passportViews.view(row, tier), plugin, language)
  }

  /** What is signed for a tier, by the current key; stored, and made now if it is the first use. */
  async function ofSigned(
    candidate: Candidate,
    plugin: SignedRepresentation,
    profile: string | undefined,
    tier: Tier,
  ): Promise<WireRendition | undefined> {
    if (profile === undefined) {
      throw notAcceptable(`The profiles of ${plugin.mediaTypes[0]} are ${plugin.profiles.join(', ')}.`)
    }
    const em = database.forTenant(candidate.tenantId)
    const keyNumber = await issuers.currentKeyNumber(candidate.tenantId)
    if (keyNumber === undefined) throw notAcceptable('The issuer of this passport has no signing key.')
    const find = async (number: number) => {
      const [row] = await em.execute<StoredRow[]>(
        `select r.body, r.bytes, r.etag, r.content_type from passport p
         join rendition r on r.passport_id = p.id and r.version = p.version and r.representation = ? and r.variant = ?
           and r.generation = ? and r.tier = ? and r.key_number = ?
         where p.id = ?`,
        [plugin.name, profile, generation, tier, number, candidate.id],
      )
      return row && wire(row)
    }
    const stored = await find(keyNumber)
    if (stored !== undefined) return stored
    const row = await loadPassport(em, candidate.id)
    const issuer = await issuers.current(candidate.tenantId)
    if (row === undefined || issuer === undefined) return undefined
    const view = passportViews.view(row, tier)
    const statusIndex = () => statusLists.indexOf(candidate.tenantId, row.id)
    const context = { ...contextFor(plugin, ''), profile, signing: { issuer, statusIndex } }
    const rendered = toWire(plugin, await plugin.render(view, context))
    await forgetStale(em, row, issuer.keyNumber)
    await insert(em, row, plugin, profile, rendered, tier, issuer.keyNumber)
    return (await find(issuer.keyNumber)) ?? rendered
  }

  /** The stored public rendition of a passport's current version, if any. */
  async function findStored(
    passportId: string,
    representation: string,
    variant: string,
  ): Promise<WireRendition | undefined> {
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

  /**
   * Renders for the public tier and stores; whoever was first wins, and the stored bytes are what is served. What would
   * take a passport beyond {@link MOST_KEPT_BYTES} is not stored.
   */
  async function store(
    em: EntityManager,
    row: PassportRow,
    plugin: RepresentationPlugin,
    language: string,
  ): Promise<WireRendition> {
    const rendered = await render(passportViews.view(row, 'public'), plugin, language)
    await insert(em, row, plugin, variantOf({ plugin, profile: '' }, language), rendered, 'public', 0)
    return rendered
  }

  async function insert(
    em: EntityManager,
    row: PassportRow,
    plugin: RepresentationPlugin,
    variant: string,
    { etag, contentType, body, isBinary }: WireRendition,
    tier: Tier,
    keyNumber: number,
  ): Promise<void> {
    // Signatures cost time, and JSON-LD is what events show: both are few, and always kept.
    const isBounded = plugin.isSigned !== true && plugin.name !== DEFAULT_REPRESENTATION
    await em.execute(
      `insert into rendition
         (passport_id, representation, variant, version, generation, etag, content_type, body, bytes, tier, key_number)
       select ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?${isBounded ? ` where ${KEPT_BYTES} + ? <= ${MOST_KEPT_BYTES}` : ''}
       on conflict do nothing`,
      [
        row.id,
        plugin.name,
        variant,
        row.version,
        generation,
        etag,
        contentType,
        isBinary ? null : body.toString(),
        isBinary ? body : null,
        tier,
        keyNumber,
        ...(isBounded ? [row.id, body.length] : []),
      ],
    )
  }

  /** JSON-LD of passports that are new, to be stored by {@link storeNew}. */
  async function renderNew(rows: readonly PassportRow[]): Promise<NewRendition[]> {
    if (jsonLd === undefined) return []
    return Promise.all(
      rows.map(async (row) => ({ row, rendition: await render(passportViews.view(row, 'public'), jsonLd, '') })),
    )
  }

  /** Stores what the transaction's new passports are rendered as, in one statement. */
  async function storeNew(em: EntityManager, renditions: readonly NewRendition[]): Promise<void> {
    if (renditions.length === 0) return
    const { bytes, starts, lengths } = pack(renditions.map(({ rendition }) => rendition.body))
    await executeWithParameters(
      em,
      `insert into rendition (passport_id, representation, variant, version, generation, etag, content_type, body)
       select r.id, $1, '', r.version, $2, r.etag, r.content_type, convert_from(substr($3::bytea, r.start, r.length), 'UTF8')
       from unnest($4::uuid[], $5::int[], $6::text[], $7::text[], $8::int[], $9::int[])
         as r (id, version, etag, content_type, start, length)`,
      [
        DEFAULT_REPRESENTATION,
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
   * Forgets renditions of earlier versions. JSON-LD is kept for a week, because events refer to it by version; of large
   * passports as many as fit {@link MOST_KEPT_BYTES}, and {@link FEWEST_KEPT} in any case.
   * @param latest the JSON-LD of this version, where it was made just now
   */
  async function forgetEarlier(em: EntityManager, row: PassportRow, latest?: WireRendition): Promise<void> {
    const kept = latest === undefined ? row.version : Math.max(FEWEST_KEPT, MOST_KEPT_BYTES / latest.body.length)
    await em.execute(
      `delete from rendition where passport_id = ? and version < ?
         and (representation <> '${DEFAULT_REPRESENTATION}' or created_at < now() - interval '7 days' or version < ?)`,
      [row.id, row.version, Math.floor(row.version - kept)],
    )
  }

  /**
   * Forgets what nobody reads any more: earlier versions, those under an earlier key, and those of other code. A day's
   * grace keeps two releases that run side by side from taking each other's away.
   */
  async function forgetStale(em: EntityManager, row: PassportRow, keyNumber = 0): Promise<void> {
    await forgetEarlier(em, row)
    await em.execute(
      `delete from rendition where passport_id = ?
         and (key_number between 1 and ? or (generation <> ? and created_at < now() - interval '1 day'))`,
      [row.id, keyNumber - 1, generation],
    )
  }

  async function render(view: PassportView, plugin: RepresentationPlugin, language: string): Promise<WireRendition> {
    if (plugin.isSigned === true) throw new Error(`${plugin.name} is signed.`)
    return toWire(plugin, await plugin.render(view, contextFor(plugin, language)))
  }

  /** What a representation is given beside what it renders. */
  function contextFor(plugin: RepresentationPlugin, language: string): RenderContext {
    return {
      lang: language,
      translate: (key, params) => translator.translate(language, plugin.name, key, params),
      mediaTypes,
      describe: (category) => descriptions.of(category, language),
    }
  }
}

function choiceAmong(
  representations: readonly RepresentationPlugin[],
  accept: string | undefined,
  defaultName: string,
): Choice | undefined {
  const negotiated = negotiate(accept, representations)
  const name = negotiated?.name ?? defaultName
  const plugin = representations.find((representation) => representation.name === name)
  if (plugin === undefined) return undefined
  if (plugin.isSigned !== true) return { plugin, profile: '' }
  const asked = negotiated?.parameters.profile ?? plugin.profiles[0]
  return { plugin, profile: plugin.profiles.includes(asked) ? asked : undefined }
}

// The files that decide what is rendered are hashed at start-up, so that neither an edit nor a rolling upgrade can
// serve what other code has rendered.
function generationOf(config: Config, plugins: LoadedPlugins): string {
  const hash = createHash('sha256').update(`${VERSION}\n${config.baseUrl}\n`)
  const folders = plugins.list.filter(({ kind }) => kind !== 'signer').map(({ folder }) => folder)
  const ours = [
    import.meta.dirname,
    join(import.meta.dirname, '../domain'),
    join(ROOT, 'locales'),
    join(ROOT, 'schemas'),
  ]
  for (const folder of [...ours, ...folders]) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && !/\.test\.ts$/.test(entry.name) && !entry.parentPath.includes('node_modules')) {
        hash.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)))
      }
    }
  }
  return hash.digest('base64url').slice(0, 16)
}
