import { negotiate } from '../domain/negotiate.ts'
import type { PlainRepresentation, RepresentationPlugin, SignedRepresentation } from '../plugin/contracts.ts'
import type { Column } from './rendition-statements.ts'

export type Choice =
  | { readonly isSigned: false; readonly plugin: PlainRepresentation }
  | {
      readonly isSigned: true
      readonly plugin: SignedRepresentation
      /** Undefined if the requested profile is unknown. */
      readonly profile: string | undefined
    }

export interface RequestedFormat {
  readonly accept: string | undefined
  /** Determined by the operation, whatever `accept` is. */
  readonly format?: PlainRepresentation | undefined
}

export interface PublicRequest {
  readonly column: Column
  readonly value: string
  readonly choice: Choice
  readonly variant: string
}

/** @param fallback result if the Accept header matches no representation */
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
 * Returns a profile, a language, or an empty string.
 * @returns undefined for an unknown profile
 */
export function variantOf(choice: Choice, language: () => string): string | undefined {
  if (choice.isSigned) return choice.profile
  return choice.plugin.localised === true ? language() : ''
}
