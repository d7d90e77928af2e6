import { credentialBlocker, type PassportView, type Superseded } from '../../../src/plugin/index.ts'
import { type LanguageLink, queryOf } from './own-links.ts'
import type { Texts } from './texts.ts'

interface Brand {
  readonly logo: { readonly src: string; readonly width: number; readonly height: number } | undefined
  readonly accent: string | undefined
}

export interface PageHead {
  readonly lang: string
  readonly title: string
  readonly description: string
  readonly isIndexable: boolean
  /** Address to share; never the requested one, which may contain an access token. */
  readonly address: string
  readonly alternates: readonly { readonly mediaType: string; readonly name: string }[]
  readonly switcher: readonly LanguageLink[]
  /** Query of a page opened by an access token. Forms send it, so that links do not contain the token. */
  readonly granted?: readonly (readonly [name: string, value: string])[] | undefined
  readonly preview: { readonly title: string; readonly locale: string; readonly picture?: string }
  readonly brand: Brand | undefined
}

/** Returns the query of an access page; undefined if the token is not in the address. */
export const grantedQuery = (grant: string | undefined, superseded: Superseded | null = null): PageHead['granted'] =>
  grant === undefined ? undefined : [['grant', grant], ...new URLSearchParams(queryOf(superseded))]

/** Credentials require a facility with a country of production (specification 4.1). */
const CREDENTIALS = /^application\/(vc|dc)\b/

export function alternatesOf(
  { facility }: PassportView,
  { t }: Texts,
  mediaTypes: readonly string[],
): PageHead['alternates'] {
  return mediaTypes
    .filter(
      (mediaType) =>
        mediaType !== 'text/html' && (credentialBlocker(facility) === undefined || !CREDENTIALS.test(mediaType)),
    )
    .map((mediaType) => ({ mediaType, name: t(`machine.${mediaType}`, { defaultValue: mediaType }) }))
}

export const previewLocale = ({ t }: Texts): string => t('page.formats').replace('-', '_')

export const previewPicture = ({ media }: PassportView): string | undefined =>
  media.find(({ kind }) => kind === 'picture')?.url

/** The logo is on the page's host. */
export function brandOf({ brand }: PassportView): Brand | undefined {
  if (brand === null) return undefined
  const { logo, accent } = brand
  return {
    logo: logo === null ? undefined : { src: new URL(logo.url).pathname, width: logo.width, height: logo.height },
    accent: accent ?? undefined,
  }
}
