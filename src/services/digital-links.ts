import type { Config } from '../config.ts'
import { isGtin14, mod10Valid, PRODUCT_ID_MAX_LENGTH } from '../domain/identifiers.ts'
import { badRequest, notFound } from '../domain/problem.ts'
import type { Database } from './database.ts'
import { loadPassport } from './passport-rows.ts'
import type { Candidate } from './renditions.ts'
import type { Caller, RenditionResult, Resolution } from './resolution.ts'

/** A caller together with the path and query as they were sent. */
export type LinkCaller = Caller & { readonly target: string }

interface Redirect<Status extends number> {
  readonly status: Status
  readonly headers: { readonly Location: string }
}

interface Choices {
  readonly status: 300
  readonly body: { error: 'Multiple Choices'; message: string; choices: string[] }
}

/** Resolves GS1 Digital Links (AI 01 and AI 8003), and the links of passports whose product id is no GS1 key. */
export class DigitalLinks {
  readonly #baseUrl: string
  readonly #database: Database
  readonly #resolution: Resolution

  constructor({ config, database, resolution }: { config: Config; database: Database; resolution: Resolution }) {
    this.#baseUrl = config.baseUrl
    this.#database = database
    this.#resolution = resolution
  }

  /** `/01/{value}`: a GTIN is answered directly; another value redirects to the passport whose link it is. */
  async resolveGtin(value: string, caller: LinkCaller): Promise<RenditionResult | Choices | Redirect<307>> {
    if (isGtin14(value)) return this.#oneOf(await this.#resolution.byKey(value, caller), caller)
    // What we emit must resolve: a passport with a SKU has the link /01/{sku}.
    const candidates = value.length > PRODUCT_ID_MAX_LENGTH ? [] : await this.#resolution.byKey(value, caller)
    const [candidate, second] = candidates
    if (candidate === undefined) throw badRequest('This is not a GTIN-14: 14 digits with a valid GS1 check digit.')
    return second === undefined ? this.#redirect(307, candidate, caller) : this.#choices(candidates)
  }

  /** `/8003/{grai}`: 14 digits with a valid check digit and up to 16 letters or digits. */
  async resolveGrai(value: string, caller: LinkCaller): Promise<RenditionResult | Choices> {
    if (!/^[0-9]{14}[A-Za-z0-9]{0,16}$/.test(value) || !mod10Valid(value.slice(0, 14))) {
      throw badRequest('This is not a GRAI: 14 digits with a valid GS1 check digit, then up to 16 letters or digits.')
    }
    return this.#oneOf(await this.#resolution.byKey(value, caller), caller)
  }

  /** `/01/{gtin}/21/{serial}`: redirects to the passport that the UUID or the serial in its metadata names. */
  async resolveSerial(gtin: string, serial: string, caller: LinkCaller): Promise<Redirect<302>> {
    const candidates = gtin.length > PRODUCT_ID_MAX_LENGTH ? [] : await this.#resolution.byKey(gtin, caller)
    if (candidates.length === 0 && !isGtin14(gtin)) {
      throw badRequest('This is not a GTIN-14: 14 digits with a valid GS1 check digit.')
    }
    for (const candidate of candidates) {
      if (candidate.id === serial.toLowerCase() || (await this.#hasSerial(candidate, serial))) {
        return this.#redirect(302, candidate, caller)
      }
    }
    throw notFound('There is no public passport at this address.')
  }

  async #hasSerial(candidate: Candidate, serial: string): Promise<boolean> {
    const row = await loadPassport(this.#database.forTenant(candidate.tenantId), candidate.id)
    return row !== undefined && (row.metadata.serialNumber === serial || row.metadata['21'] === serial)
  }

  async #oneOf(candidates: readonly Candidate[], caller: LinkCaller): Promise<RenditionResult | Choices> {
    return candidates.length > 1 ? this.#choices(candidates) : this.#resolution.answer(candidates[0], caller)
  }

  #choices(candidates: readonly Candidate[]): Choices {
    return {
      status: 300,
      body: {
        error: 'Multiple Choices',
        message: 'Several economic operators have a passport for this product.',
        choices: candidates.map(({ id }) => `${this.#baseUrl}/passport/${id}`),
      },
    }
  }

  #redirect<Status extends number>(status: Status, candidate: Candidate, { target }: LinkCaller): Redirect<Status> {
    return { status, headers: { Location: `${this.#baseUrl}/passport/${candidate.id}${queryWithoutGrant(target)}` } }
  }
}

/** The query of a target as it was sent, but for a capability token: addresses end up in logs and histories. */
function queryWithoutGrant(target: string): string {
  const start = target.indexOf('?')
  if (start === -1) return ''
  const pairs = target.slice(start + 1).split('&')
  const kept = pairs.filter((pair) => !new URLSearchParams(pair).has('grant'))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}
