import { credentialBlocker, type PassportView, type Superseded } from '../../../src/plugin/index.ts'
import { type LanguageLink, queryOf } from './own-links.ts'
import type { Texts } from './texts.ts'

/** What a workspace has of its own on a page. */
interface Brand {
  readonly logo: { readonly src: string; readonly width: number; readonly height: number } | undefined
  /** `#rrggbb` */
  readonly accent: string | undefined
}

/** What search engines, messengers and other software read of a page. */
export interface PageHead {
  readonly lang: string
  readonly title: string
  readonly description: string
  readonly isIndexable: boolean
  /** The address that is meant to be shared; never the one asked for, which may carry an access token. */
  readonly address: string
  readonly alternates: readonly { readonly mediaType: string; readonly name: string }[]
  /** To the same page in other languages. */
  readonly switcher: readonly LanguageLink[]
  /**
   * Query of a page that a token in its address has opened. Forms send it, so that no link that could be copied has the token;
   * absent for any other page.
   */
  readonly granted?: readonly (readonly [name: string, value: string])[] | undefined
  /** For previews (Open Graph protocol). */
  readonly preview: { readonly title: string; readonly locale: string; readonly picture?: string }
  /** How the workspace that issued the passport looks. */
  readonly brand: Brand | undefined
}

/** The query of a page that shows more than the public sees; undefined if its token is not in the address. */
export const grantedQuery = (grant: string | undefined, superseded: Superseded | null = null): PageHead['granted'] =>
  grant === undefined ? undefined : [['grant', grant], ...new URLSearchParams(queryOf(superseded))]

/** Media types of credentials, which need a facility with a country of production (specification 4.1). */
const CREDENTIALS = /^application\/(vc|dc)\b/

/** The other forms in which this address answers. */
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

/** The locale of a preview, which Open Graph writes with an underscore. */
export const previewLocale = ({ t }: Texts): string => t('page.formats').replace('-', '_')

/** The picture of a preview; its address is a whole one. */
export const previewPicture = ({ media }: PassportView): string | undefined =>
  media.find(({ kind }) => kind === 'picture')?.url

/** The brand of the workspace that issued the passport; its logo is on the host of the page, whichever of ours that is. */
export function brandOf({ brand }: PassportView): Brand | undefined {
  if (brand === null) return undefined
  const { logo, accent } = brand
  return {
    logo: logo === null ? undefined : { src: new URL(logo.url).pathname, width: logo.width, height: logo.height },
    accent: accent ?? undefined,
  }
}
