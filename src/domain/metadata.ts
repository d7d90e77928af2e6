/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Category-specific content of a passport (specification 2.1), as parsed by JavaScript. */
export type Metadata = { readonly [key: string]: Json }

/** Presentational block beside the sealed metadata (specification 2.1); sanitised when written, shown by HTML only. */
export interface Enrichment {
  readonly tagline?: string
  readonly description?: string
  readonly images?: readonly { readonly url: string; readonly caption?: string }[]
  readonly links?: readonly { readonly label: string; readonly url: string }[]
}
