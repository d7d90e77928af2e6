import { dateOrder } from './availability.ts'
import { isCountryCode } from './countries.ts'
import { checkIdentifier, isIdentifierScheme } from './identifier-schemes.ts'
import type { Identifier } from './identifiers.ts'
import type { Issue } from './issue.ts'
import type { Json, Metadata } from './metadata.ts'
import { badRequest } from './problem.ts'
import { isRecord } from './record.ts'
import { beginningOf } from './text.ts'
import { REDACTED } from './view.ts'

/** Checks the sum of 100 ±0.1 (specification 4.1). Skips absent and malformed lists. */
export function* sumsTo100(metadata: Metadata, key: string): Iterable<Issue> {
  const entries = metadata[key]
  if (!Array.isArray(entries) || entries.length === 0) return
  let sum = 0
  for (const entry of entries) {
    if (!isRecord(entry) || typeof entry.percentage !== 'number') return
    sum += entry.percentage
  }
  // Avoids floating-point errors: 33.3 + 33.3 + 33.3 is less than 99.9.
  const millionths = Math.round(sum * 1e6)
  if (Math.abs(millionths - 100e6) > 0.1e6) {
    yield { path: key, code: 'percentageSum', params: { total: millionths / 1e6 } }
  }
}

/** Applies rules that JSON Schema cannot express (specification 4.1). */
export function* commonRules(metadata: Metadata): Iterable<Issue> {
  const { originCountry, materialComposition } = metadata
  for (const key in metadata) if (metadata[key] === REDACTED) yield { path: key, code: 'placeholder' }
  if (typeof originCountry === 'string' && !isCountryCode(originCountry)) {
    yield { path: 'originCountry', code: 'unknownCountry' }
  }
  yield* dateOrder(metadata)
  yield* partyRules(metadata)
  yield* concentrationRules(metadata)
  yield* sumsTo100(metadata, 'materialComposition')
  if (!Array.isArray(materialComposition)) return
  for (const [index, entry] of materialComposition.entries()) {
    const country = isRecord(entry) ? entry.countryOfOrigin : undefined
    if (typeof country === 'string' && !isCountryCode(country)) {
      yield { path: `materialComposition[${index}].countryOfOrigin`, code: 'unknownCountry' }
    }
  }
}

/** Validates identifiers; importers need an EORI number (Regulation (EU) 2024/1781, Annex III, point (h)). */
function* partyRules({ parties }: Metadata): Iterable<Issue> {
  if (!Array.isArray(parties)) return
  for (const [index, party] of parties.entries()) {
    if (!isRecord(party)) continue
    const path = `parties[${index}]`
    const { role, country } = party
    const { scheme, value } = isRecord(party.identifier) ? party.identifier : {}
    if (role === 'importer' && scheme !== 'EORI') yield { path: `${path}.identifier`, code: 'importerEori' }
    if (isIdentifierScheme(scheme) && typeof value === 'string' && checkIdentifier(scheme, value) !== undefined) {
      yield { path: `${path}.identifier.value`, code: 'identifier', params: { scheme } }
    }
    if (typeof country === 'string' && !isCountryCode(country)) {
      yield { path: `${path}.country`, code: 'unknownCountry' }
    }
  }
}

function* concentrationRules({ substancesOfConcern }: Metadata): Iterable<Issue> {
  if (!Array.isArray(substancesOfConcern)) return
  for (const [index, substance] of substancesOfConcern.entries()) {
    const { min, max } = isRecord(substance) && isRecord(substance.concentrationPct) ? substance.concentrationPct : {}
    if (typeof min !== 'number' || typeof max !== 'number' || min <= max) continue
    const path = `substancesOfConcern[${index}].concentrationPct`
    yield { path: `${path}.min`, code: 'rangeOrder', params: { upper: `${path}.max`, limit: max } }
  }
}

/** Checks that `gtin` or `grai` equals the product id, so that passports are not served for another product. */
export function* identifierRules(
  metadata: Metadata,
  identifier: Identifier | undefined,
): Iterable<Issue & { readonly message: string }> {
  if (identifier === undefined || identifier.scheme === 'sku') return
  const { scheme: path, value: productId } = identifier
  const named = metadata[path]
  if (typeof named !== 'string' || named === productId) return
  const message = `must be equal to the productId ${productId}, or absent`
  yield { path, code: 'otherProduct', params: { productId }, message }
}

/**
 * Rejects keys that begin with `@`: JSON-LD reserves them (JSON-LD 1.1, 1.7), and the seal uses one.
 * @throws Problem 400 naming the path
 */
export function assertPlainKeys(metadata: Readonly<Record<string, unknown>>): asserts metadata is Metadata {
  const place = keywordIn(metadata as Metadata)
  if (place === undefined) return
  const named = place.map((step) =>
    typeof step === 'number' ? `[${step}]` : `[${JSON.stringify(beginningOf(step, 64))}]`,
  )
  throw badRequest(`metadata${named.join('')}: a key must not begin with "@". Rename it.`, 'RESERVED_KEY')
}

/** Checks every depth. Allocates nothing. */
export function hasKeyword(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(hasKeyword)
  for (const key in value) {
    // 0x40 is `@`.
    if (key.charCodeAt(0) === 0x40 || hasKeyword((value as Metadata)[key] as Json)) return true
  }
  return false
}

function keywordIn(value: Json): (string | number)[] | undefined {
  if (!hasKeyword(value)) return undefined
  const isList = Array.isArray(value)
  for (const [key, inner] of Object.entries(value as Metadata)) {
    const found = !isList && key.startsWith('@') ? [] : keywordIn(inner)
    if (found !== undefined) return [isList ? Number(key) : key, ...found]
  }
  return undefined
}
