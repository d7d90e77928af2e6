import { isRecord } from './record.ts'

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Category-specific content of a passport (specification 2.1), as parsed by JavaScript. */
export type Metadata = { readonly [key: string]: Json }

/** Whether a value of metadata is a group, in which a key may be anything or missing. */
export const isGroup = (value: Json | undefined): value is Metadata => isRecord(value)

/**
 * The text at `key`, or undefined. What nobody has judged may hold anything under any key, an object
 * that no text can be made of included; so no text is made of it.
 */
export function textIn(metadata: Metadata, key: string): string | undefined {
  const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined
  return typeof value === 'string' ? value : undefined
}

/** A text for people, or the same in several languages by BCP 47 tag. */
export type Words = string | Readonly<Record<string, string>>

/** Presentational block beside the sealed metadata (specification 2.1); sanitised when written, shown by HTML only. */
export interface Enrichment {
  readonly tagline?: Words
  readonly description?: Words
  readonly images?: readonly { readonly url: string; readonly caption?: Words }[]
  readonly links?: readonly { readonly label: Words; readonly url: string }[]
}
