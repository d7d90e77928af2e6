import { isCountryCode } from './countries.ts'
import type { Issue } from './issue.ts'
import type { Json, Metadata } from './metadata.ts'

const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The percentages of the list under `key` sum to 100 ±0.1 (specification 4.1). Says nothing about a list that is
 * absent, empty or badly shaped, which is the schema's business.
 */
export function* sumsTo100(metadata: Metadata, key: string): Iterable<Issue> {
  const entries = metadata[key]
  if (!Array.isArray(entries) || entries.length === 0) return
  let sum = 0
  for (const entry of entries) {
    if (!isObject(entry) || typeof entry.percentage !== 'number') return
    sum += entry.percentage
  }
  // In whole millionths: in binary floating point 33.3 + 33.3 + 33.3 is a little less than 99.9.
  const millionths = Math.round(sum * 1e6)
  if (Math.abs(millionths - 100e6) > 0.1e6) {
    yield { path: key, code: 'percentageSum', params: { total: millionths / 1e6 } }
  }
}

/** The rules of every category that a JSON Schema cannot express (specification 4.1). */
export function* commonRules(metadata: Metadata): Iterable<Issue> {
  const { originCountry, materialComposition } = metadata
  if (typeof originCountry === 'string' && !isCountryCode(originCountry)) {
    yield { path: 'originCountry', code: 'unknownCountry' }
  }
  yield* sumsTo100(metadata, 'materialComposition')
  if (!Array.isArray(materialComposition)) return
  for (const [index, entry] of materialComposition.entries()) {
    const country = isObject(entry) ? entry.countryOfOrigin : undefined
    if (typeof country === 'string' && !isCountryCode(country)) {
      yield { path: `materialComposition[${index}].countryOfOrigin`, code: 'unknownCountry' }
    }
  }
}
