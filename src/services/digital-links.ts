import type { Cradle } from '../cradle.ts'
import { isAnyGrai, isGtin14, MOST_PRODUCT_ID_CHARACTERS } from '../domain/identifiers.ts'
import { badRequest, notFound } from '../domain/problem.ts'
import type { PassportChoice, Rendered } from '../plugin/contracts.ts'
import type { Match } from '../storage/candidates.ts'
import { operatorNames } from '../storage/passport-catalogue.ts'
import { loadPassport } from '../storage/passport-rows.ts'
import type { Caller, RenditionResult } from './resolution.ts'

/** A caller together with the path and query as they were sent. */
type LinkCaller = Caller & { readonly target: string }

interface Redirect<Status extends number> {
  readonly status: Status
  readonly headers: { readonly Location: string }
}

/** Several passports under one address, to choose from. */
interface ManyPassports {
  readonly status: 300
  readonly body: { error: 'Multiple Choices'; message: string; choices: string[] }
  /** The same for people, where the caller asks for a form that shows it. */
  readonly page?: Rendered
}

const NO_GTIN = 'This is not a GTIN-14: 14 digits with a valid GS1 check digit.'
const NO_GRAI = 'This is not a GRAI: 14 digits with a valid GS1 check digit, then up to 16 letters or digits.'

declare module '../cradle.ts' {
  interface Cradle {
    digitalLinks: ReturnType<typeof digitalLinks>
  }
}

/** Resolves GS1 Digital Links (AI 01 and AI 8003), and the links of passports whose product id is not a GS1 key. */
export default function digitalLinks({ config, database, resolution, renditions }: Cradle) {
  const baseUrl = config.baseUrl

  return { resolveGtin, resolveGrai, resolveGtinSerial, resolveGraiSerial }

  /** `/01/{value}`: a GTIN is answered directly; another value redirects to the passport whose link it is. */
  async function resolveGtin(
    value: string,
    caller: LinkCaller,
  ): Promise<RenditionResult | ManyPassports | Redirect<307>> {
    if (isGtin14(value)) return oneOf(await resolution.byKey(value, 'gtin', caller), caller)
    // What we emit must resolve: a passport with a SKU has the link /01/{sku}.
    const candidates = value.length > MOST_PRODUCT_ID_CHARACTERS ? [] : await resolution.byKey(value, undefined, caller)
    const [candidate, second] = candidates
    if (candidate === undefined) throw badRequest(NO_GTIN)
    return second === undefined ? redirect(307, addressOf(candidate), caller) : choices(candidates, caller)
  }

  /** `/8003/{grai}`: 14 digits with a valid check digit and up to 16 letters or digits. */
  async function resolveGrai(value: string, caller: LinkCaller): Promise<RenditionResult | ManyPassports> {
    if (!isAnyGrai(value)) throw badRequest(NO_GRAI)
    return oneOf(await resolution.byKey(value, 'grai', caller), caller)
  }

  /** `/01/{gtin}/21/{serial}`; what we emit must resolve, so that the link of a SKU is taken too. */
  async function resolveGtinSerial(gtin: string, serial: string, caller: LinkCaller): Promise<Redirect<302>> {
    const candidates = gtin.length > MOST_PRODUCT_ID_CHARACTERS ? [] : await resolution.bySerial(gtin, serial, caller)
    if (candidates.length === 0 && !isGtin14(gtin)) throw badRequest(NO_GTIN)
    return redirectAmong(candidates, serial, caller)
  }

  /** `/8003/{grai}/21/{serial}`: the link of a unit whose passport has a GRAI. */
  async function resolveGraiSerial(grai: string, serial: string, caller: LinkCaller): Promise<Redirect<302>> {
    if (!isAnyGrai(grai)) throw badRequest(NO_GRAI)
    return redirectAmong(await resolution.bySerial(grai, serial, caller), serial, caller)
  }

  /**
   * Redirects to the unit that has the serial, else to the passport that the UUID or the serial in its metadata names, among
   * those whose product id it is; of several to the first, in their order. A UUID goes before the metadata: whoever issues a
   * passport chooses its serial.
   */
  async function redirectAmong(
    candidates: readonly Match[],
    serial: string,
    caller: LinkCaller,
  ): Promise<Redirect<302>> {
    const ofUnit = candidates.find(({ unitId }) => unitId !== null)
    if (ofUnit !== undefined) return redirect(302, `${baseUrl}/unit/${ofUnit.unitId}`, caller)
    const named = candidates.find(({ id }) => id === serial.toLowerCase())
    if (named !== undefined) return redirect(302, addressOf(named), caller)
    for (const candidate of candidates) {
      if (await hasSerial(candidate, serial)) return redirect(302, addressOf(candidate), caller)
    }
    throw notFound('There is no public passport at this address.')
  }

  async function hasSerial(candidate: Match, serial: string): Promise<boolean> {
    const row = await loadPassport(database.forTenant(candidate.tenantId), candidate.id)
    return row !== undefined && (row.metadata.serialNumber === serial || row.metadata['21'] === serial)
  }

  async function oneOf(candidates: readonly Match[], caller: LinkCaller): Promise<RenditionResult | ManyPassports> {
    return candidates.length > 1 ? choices(candidates, caller) : resolution.answer(candidates[0], caller)
  }

  async function choices(matches: readonly Match[], { accept, lang }: LinkCaller): Promise<ManyPassports> {
    const message = 'Several economic operators have a passport for this product.'
    const choices = matches.map((match) => addressOf(match))
    const plugin = renditions.choose(accept, 'passport')?.plugin
    return {
      status: 300,
      body: { error: 'Multiple Choices', message, choices },
      page: plugin?.renderChoices?.(await forPeople(matches), renditions.contextFor(plugin, lang)),
    }
  }

  /** What a person chooses by: whose passport it is, and what speaks for it. */
  async function forPeople(matches: readonly Match[]): Promise<PassportChoice[]> {
    const tenants = [...new Set(matches.map(({ tenantId }) => tenantId))]
    const found = await Promise.all(
      tenants.map((tenantId) =>
        operatorNames(
          database.forTenant(tenantId),
          matches.filter((match) => match.tenantId === tenantId).map(({ id }) => id),
        ),
      ),
    )
    const names = new Map(found.flat().map(({ id, name }) => [id, name]))
    return matches.map((match) => ({
      href: addressOf(match),
      company: names.get(match.id) ?? match.id,
      isClaimed: match.isClaimed,
      isSealed: match.isSealed,
    }))
  }

  function addressOf({ id }: Match): string {
    return `${baseUrl}/passport/${id}`
  }
}

/** To this address, with the query of the request. */
function redirect<Status extends number>(status: Status, address: string, { target }: LinkCaller): Redirect<Status> {
  return { status, headers: { Location: `${address}${queryWithoutGrant(target)}` } }
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
