import { type AudienceRules, opensTo, type Reader } from './audience.ts'
import type { Metadata } from './metadata.ts'
import { REDACTED } from './view.ts'

/**
 * The metadata keys that this reader may not read, in the order of the metadata. `rules` are those of the passport's own
 * category: a key of that name in another category may be public. Absent keys are not listed, since a placeholder would
 * claim that there is something to hide.
 */
export function maskedKeysFor(metadata: Metadata, reader: Reader, rules: AudienceRules): string[] {
  return Object.keys(metadata).filter((key) => {
    const named = rules.get(key)
    return named !== undefined && !opensTo(named, reader)
  })
}

/** The metadata with the placeholder of specification 2.1 in place of every masked value. The key order is kept. */
export function redact(metadata: Metadata, maskedKeys: readonly string[]): Metadata {
  const placeholders = maskedKeys.filter((key) => Object.hasOwn(metadata, key)).map((key) => [key, REDACTED])
  return { ...metadata, ...Object.fromEntries(placeholders) }
}
