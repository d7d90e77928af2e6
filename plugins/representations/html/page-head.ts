import type { PassportView } from '../../../src/plugin/index.ts'
import type { LanguageLink } from './own-links.ts'
import type { Texts } from './texts.ts'

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
  /** For previews (Open Graph protocol). */
  readonly preview: { readonly title: string; readonly locale: string }
}

/** Media types of credentials, which need a facility with a country of production (specification 4.1). */
const CREDENTIALS = /^application\/(vc|dc)\b/

/** The other forms in which this address answers. */
export function alternatesOf(
  { facility }: PassportView,
  { t }: Texts,
  mediaTypes: readonly string[],
): PageHead['alternates'] {
  return mediaTypes
    .filter((mediaType) => mediaType !== 'text/html' && (facility !== null || !CREDENTIALS.test(mediaType)))
    .map((mediaType) => ({ mediaType, name: t(`machine.${mediaType}`, { defaultValue: mediaType }) }))
}

/** The locale of a preview, which Open Graph writes with an underscore. */
export const previewLocale = ({ t }: Texts): string => t('page.formats').replace('-', '_')
