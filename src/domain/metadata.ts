import { isRecord } from './record.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Category-specific content (specification 2.1). */
export type Metadata = { readonly [key: string]: Json }

export const isGroup = (value: Json | undefined): value is Metadata => isRecord(value)

/** Returns the text at `key`. Never converts other values, which may be unvalidated objects. */
export function textIn(metadata: Metadata, key: string): string | undefined {
  const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined
  return typeof value === 'string' ? value : undefined
}

/** Text, or translations by BCP 47 tag. */
export type Words = string | Readonly<Record<string, string>>

/** Presentational block outside the seal (specification 2.1); sanitized on write, rendered by HTML only. */
export interface Enrichment {
  readonly tagline?: Words
  readonly description?: Words
  readonly images?: readonly { readonly url: string; readonly caption?: Words }[]
  readonly links?: readonly { readonly label: Words; readonly url: string }[]
}
