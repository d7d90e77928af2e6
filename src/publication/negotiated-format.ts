import { negotiate } from '../domain/negotiate.ts'
import type { PlainRepresentation, RepresentationPlugin, SignedRepresentation } from '../plugin/contracts.ts'
import type { Column } from '../storage/renditions.ts'

/** A representation that a caller has asked for. */
export type Choice =
  | { readonly isSigned: false; readonly plugin: PlainRepresentation }
  | {
      readonly isSigned: true
      readonly plugin: SignedRepresentation
      /** Undefined where the caller asks for a profile that the representation does not have. */
      readonly profile: string | undefined
    }

/** What the world asks for: of whom, and which variant of what choice. */
export interface PublicRequest {
  readonly column: Column
  readonly value: string
  readonly choice: Choice
  readonly variant: string
}

/**
 * What the Accept header names among `representations`, in their order.
 * @param fallback what answers where it names none of them
 */
export function choose(
  accept: string | undefined,
  representations: readonly RepresentationPlugin[],
  fallback: RepresentationPlugin | undefined,
): Choice | undefined {
  const negotiated = negotiate(accept, representations)
  const plugin = negotiated === undefined ? fallback : representations.find(({ name }) => name === negotiated.name)
  if (plugin === undefined) return undefined
  if (plugin.isSigned !== true) return { isSigned: false, plugin }
  const profile = negotiated?.parameters.profile ?? plugin.profiles[0]
  return { isSigned: true, plugin, profile: plugin.profiles.includes(profile) ? profile : undefined }
}

/**
 * Which of its variants a choice is: a profile, a language where its text depends on one, or the only one, which is empty.
 * @param language of the caller; asked only where it matters
 * @returns undefined where there is no such variant
 */
export function variantOf(choice: Choice, language: () => string): string | undefined {
  if (choice.isSigned) return choice.profile
  return choice.plugin.localised === true ? language() : ''
}
