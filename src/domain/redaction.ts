import { type AudienceRules, opensTo, type Reader } from './audience.ts'
import type { Metadata } from './metadata.ts'
import { REDACTED } from './view.ts'

/**
 * `rules` are those of the passport's category: a key may be public in another. Absent keys are omitted: a placeholder would suggest hidden
 * data.
 */
export function maskedKeysFor(metadata: Metadata, reader: Reader, rules: AudienceRules): string[] {
  return Object.keys(metadata).filter((key) => {
    const named = rules.get(key)
    return named !== undefined && !opensTo(named, reader)
  })
}

/** Preserves key order (specification 2.1). */
export function redact(metadata: Metadata, maskedKeys: readonly string[]): Metadata {
  const placeholders = maskedKeys.filter((key) => Object.hasOwn(metadata, key)).map((key) => [key, REDACTED])
  return { ...metadata, ...Object.fromEntries(placeholders) }
}
