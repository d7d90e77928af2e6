import { type Audience, type Superseded, tierOf } from '../../../src/plugin/index.ts'
import { codeOf, queryOf, withLanguage } from './own-links.ts'
import type { PageHead } from './page-head.ts'
import type { Texts } from './texts.ts'

/** Tools at the top of a page: downloads in other formats, and the link to request access. */
export interface PageTools {
  readonly downloads: readonly { readonly name: string; readonly href: string; readonly format: string }[]
  readonly accessUrl: string | undefined
}

/** Names in `?format=` by media type, in display order. */
const FORMATS: readonly (readonly [string, string])[] = [
  ['application/pdf', 'pdf'],
  ['application/ld+json', 'jsonld'],
  ['application/vc+jwt', 'untp-vc-jwt'],
  ['application/vc+ld+json', 'data-integrity'],
  ['application/dc+sd-jwt', 'sd-jwt-vc'],
  ['application/aas+zip', 'aasx'],
  ['application/aas+json', 'aas'],
]

export function pageToolsOf(
  {
    audience,
    alternates,
    accessUrl,
    superseded,
    grant,
  }: Pick<PageHead, 'alternates'> &
    Pick<PageTools, 'accessUrl'> & {
      readonly audience: Audience
      readonly superseded: Superseded | null
      readonly grant?: string | undefined
    },
  texts: Texts,
): PageTools {
  // Restricted pages link to files only if the token is in the address: links cannot send a header.
  const files = tierOf(audience) === 'restricted' && grant === undefined ? [] : alternates
  const query = queryOf(superseded)
  return {
    downloads: FORMATS.flatMap(([mediaType, format]) =>
      files
        .filter((file) => file.mediaType === mediaType)
        .map(({ name }) => ({
          name,
          format,
          href: withLanguage(`${query === '' ? '?' : `${query}&`}format=${format}`, codeOf(texts)),
        })),
    ),
    accessUrl,
  }
}
