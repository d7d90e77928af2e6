import type { Config } from '../config.ts'
import { isAnyGrai, isGtin14, PRODUCT_ID_MAX_LENGTH } from '../domain/identifiers.ts'
import { badRequest, notFound } from '../domain/problem.ts'
import type { PassportChoice, Rendered } from '../plugin/contracts.ts'
import type { Renditions } from '../publication/renditions.ts'
import type { Database } from '../storage/database.ts'
import { loadPassport } from '../storage/passport-rows.ts'
import type { Caller, Match, RenditionResult, Resolution } from './resolution.ts'

/** A caller together with the path and query as they were sent. */
export type LinkCaller = Caller & { readonly target: string }

interface Redirect<Status extends number> {
  readonly status: Status
  readonly headers: { readonly Location: string }
}

interface Choices {
  readonly status: 300
  readonly body: { error: 'Multiple Choices'; message: string; choices: string[] }
  /** The same for people, where the caller asks for a form that shows it. */
  readonly page?: Rendered
}

const NO_GTIN = 'This is not a GTIN-14: 14 digits with a valid GS1 check digit.'

/** Resolves GS1 Digital Links (AI 01 and AI 8003), and the links of passports whose product id is no GS1 key. */
export class DigitalLinks {
  readonly #baseUrl: string
  readonly #database: Database
  readonly #resolution: Resolution
  readonly #renditions: Renditions

  constructor(dependencies: {
    config: Config
    database: Database
    resolution: Resolution
    renditions: Renditions
  }) {
    this.#baseUrl = dependencies.config.baseUrl
    this.#database = dependencies.database
    this.#resolution = dependencies.resolution
    this.#renditions = dependencies.renditions
  }

  /** `/01/{value}`: a GTIN is answered directly; another value redirects to the passport whose link it is. */
  async resolveGtin(value: string, caller: LinkCaller): Promise<RenditionResult | Choices | Redirect<307>> {
    if (isGtin14(value)) return this.#oneOf(await this.#resolution.byKey(value, 'gtin', caller), caller)
    // What we emit must resolve: a passport with a SKU has the link /01/{sku}.
    const candidates = await this.#ofProduct(value, caller)
    const [candidate, second] = candidates
    if (candidate === undefined) throw badRequest(NO_GTIN)
    return second === undefined ? this.#redirect(307, candidate, caller) : this.#choices(candidates, caller)
  }

  /** `/8003/{grai}`: 14 digits with a valid check digit and up to 16 letters or digits. */
  async resolveGrai(value: string, caller: LinkCaller): Promise<RenditionResult | Choices> {
    if (!isAnyGrai(value)) {
      throw badRequest('This is not a GRAI: 14 digits with a valid GS1 check digit, then up to 16 letters or digits.')
    }
    return this.#oneOf(await this.#resolution.byKey(value, 'grai', caller), caller)
  }

  /**
   * `/01/{gtin}/21/{serial}`: redirects to the passport that the UUID or the serial in its metadata names, among those
   * whose product id the GTIN is. A UUID goes first: whoever issues a passport chooses its serial.
   */
  async resolveSerial(gtin: string, serial: string, caller: LinkCaller): Promise<Redirect<302>> {
    const candidates = await this.#ofProduct(gtin, caller)
    if (candidates.length === 0 && !isGtin14(gtin)) throw badRequest(NO_GTIN)
    const named = candidates.find(({ id }) => id === serial.toLowerCase())
    if (named !== undefined) return this.#redirect(302, named, caller)
    for (const candidate of candidates) {
      if (await this.#hasSerial(candidate, serial)) return this.#redirect(302, candidate, caller)
    }
    throw notFound('There is no public passport at this address.')
  }

  async #ofProduct(productId: string, caller: LinkCaller): Promise<Match[]> {
    return productId.length > PRODUCT_ID_MAX_LENGTH ? [] : this.#resolution.byKey(productId, undefined, caller)
  }

  async #hasSerial(candidate: Match, serial: string): Promise<boolean> {
    const row = await loadPassport(this.#database.forTenant(candidate.tenantId), candidate.id)
    return row !== undefined && (row.metadata.serialNumber === serial || row.metadata['21'] === serial)
  }

  async #oneOf(candidates: readonly Match[], caller: LinkCaller): Promise<RenditionResult | Choices> {
    return candidates.length > 1 ? this.#choices(candidates, caller) : this.#resolution.answer(candidates[0], caller)
  }

  async #choices(matches: readonly Match[], { accept, lang }: LinkCaller): Promise<Choices> {
    const message = 'Several economic operators have a passport for this product.'
    const choices = matches.map((match) => this.#addressOf(match))
    const plugin = this.#renditions.choose(accept)?.plugin
    return {
      status: 300,
      body: { error: 'Multiple Choices', message, choices },
      page: plugin?.renderChoices?.(await this.#forPeople(matches), this.#renditions.contextFor(plugin, lang)),
    }
  }

  /** What a person chooses by: whose passport it is, and what speaks for it. */
  async #forPeople(matches: readonly Match[]): Promise<PassportChoice[]> {
    const tenants = [...new Set(matches.map(({ tenantId }) => tenantId))]
    const found = await Promise.all(
      tenants.map((tenantId) =>
        this.#database.forTenant(tenantId).execute<{ id: string; name: string }[]>(
          `select p.id, o.name from passport p join operator o on o.id = p.operator_id
           where p.id in (select json_array_elements_text(?::json)::uuid)`,
          [JSON.stringify(matches.filter((match) => match.tenantId === tenantId).map(({ id }) => id))],
        ),
      ),
    )
    const names = new Map(found.flat().map(({ id, name }) => [id, name]))
    return matches.map((match) => ({
      href: this.#addressOf(match),
      company: names.get(match.id) ?? match.id,
      isClaimed: match.isClaimed,
      isSealed: match.isSealed,
    }))
  }

  #addressOf({ id }: Match): string {
    return `${this.#baseUrl}/passport/${id}`
  }

  #redirect<Status extends number>(status: Status, candidate: Match, { target }: LinkCaller): Redirect<Status> {
    return { status, headers: { Location: `${this.#addressOf(candidate)}${queryWithoutGrant(target)}` } }
  }
}

/**
 * The query of a target as it was sent, but for a capability token: addresses end up in logs and histories. Every
 * spelling of the name goes, those included that this gateway does not take for a token: `%67rant`, `grant[]`, `GRANT`.
 */
function queryWithoutGrant(target: string): string {
  const start = target.indexOf('?')
  if (start === -1) return ''
  const pairs = target.slice(start + 1).split('&')
  const kept = pairs.filter((pair) => ![...new URLSearchParams(pair).keys()].some(isGrant))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

const isGrant = (name: string) => /^\s*grant\s*(\[|$)/i.test(name)
