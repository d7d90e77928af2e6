import type { Json, Metadata } from './metadata.ts'
import { REDACTED, type Tier } from './view.ts'

/** The one metadata key that only the owner sees, in every category (specification 2.1). */
const OWNER_ONLY_KEY = 'facilityDetails'

/**
 * The metadata keys that this tier may not read, in the order of the metadata. `restrictedKeys` are those that the
 * passport's own category declares: a key of that name in another category is public. Absent keys are not listed, since
 * a placeholder would claim that there is something to hide.
 */
export function maskedKeysFor(metadata: Metadata, tier: Tier, restrictedKeys: readonly string[]): string[] {
  if (tier === 'owner') return []
  const hidden = new Set([OWNER_ONLY_KEY, ...(tier === 'public' ? restrictedKeys : [])])
  return Object.keys(metadata).filter((key) => hidden.has(key))
}

/** The metadata with the placeholder of specification 2.1 in place of every masked value. The key order is kept. */
export function redact(metadata: Metadata, maskedKeys: readonly string[]): Metadata {
  const masked = new Set(maskedKeys)
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]): [string, Json] => [key, masked.has(key) ? REDACTED : value]),
  )
}
