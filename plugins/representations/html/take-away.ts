import { type Audience, type Superseded, tierOf } from '../../../src/plugin/index.ts'
import { codeOf, queryOf, withLanguage } from './own-links.ts'
import type { PageHead } from './page-head.ts'
import type { Texts } from './texts.ts'

/** What a reader can take along. */
export interface TakeAway {
  readonly downloads: readonly { readonly name: string; readonly href: string }[]
  /** Where to ask for what is not public. */
  readonly accessUrl: string | undefined
}

/** The names of forms in `?format=`, by media type, in the order in which people want them. */
const FORMATS: readonly (readonly [string, string])[] = [
  ['application/pdf', 'pdf'],
  ['application/ld+json', 'jsonld'],
  ['application/vc+jwt', 'untp-vc-jwt'],
  ['application/vc+ld+json', 'data-integrity'],
  ['application/dc+sd-jwt', 'sd-jwt-vc'],
  ['application/aas+zip', 'aasx'],
  ['application/aas+json', 'aas'],
]

/** The forms of a page's address as files, for whoever has a browser and nothing else. */
export function takeAwayOf(
  {
    audience,
    alternates,
    accessUrl,
    superseded,
  }: Pick<PageHead, 'alternates'> &
    Pick<TakeAway, 'accessUrl'> & { readonly audience: Audience; readonly superseded: Superseded | null },
  texts: Texts,
): TakeAway {
  // What an access token has opened cannot lead to itself: the token is in its address alone.
  const files = tierOf(audience) === 'restricted' ? [] : alternates
  const query = queryOf(superseded)
  return {
    downloads: FORMATS.flatMap(([mediaType, format]) =>
      files
        .filter((file) => file.mediaType === mediaType)
        .map(({ name }) => ({
          name,
          href: withLanguage(`${query === '' ? '?' : `${query}&`}format=${format}`, codeOf(texts)),
        })),
    ),
    accessUrl,
  }
}
