import { inLanguage, type MediaView, type PassportView } from '../../../src/plugin/index.ts'
import type { Texts } from './texts.ts'

/** A picture as `templates/picture.eta` writes it. */
export interface PagePicture {
  readonly src: string
  /** Every size, for `srcset`. */
  readonly srcset: string
  readonly width: number
  readonly height: number
  /** What it shows: its title, or else the name of the product. */
  readonly alt: string
  /** Language of `alt` and `caption`, where it is known. */
  readonly lang?: string
  /** The title, where there is one. */
  readonly caption?: string
}

/** A document of the passport that is kept by the gateway. */
export interface PageDocument {
  readonly href: string
  readonly title?: string
  readonly lang?: string
}

/** The pictures of a passport: the one that it is recognised by, and the others in their order. */
export function picturesOf(
  view: PassportView,
  name: string,
  { t, lang, formats }: Texts,
): { readonly hero: PagePicture | undefined; readonly others: readonly PagePicture[] } {
  const pictures = view.media.filter(({ kind, sizes }) => kind === 'picture' && sizes.length > 0)
  const [hero, ...others] = pictures.map((picture, index): PagePicture => {
    const title = titleOf(picture, lang)
    const largest = picture.sizes.at(-1) as MediaView['sizes'][number]
    const numbered = index === 0 ? name : t('media.picture', { number: formats.number(index + 1), name })
    return {
      src: pathOf(picture.url),
      srcset: picture.sizes.map(({ url, width }) => `${pathOf(url)} ${width}w`).join(', '),
      width: largest.width,
      height: largest.height,
      alt: title?.text ?? numbered,
      lang: title?.lang,
      caption: title?.text,
    }
  })
  return { hero, others }
}

/** The documents that are kept with the passport, which are downloaded. */
export const keptDocumentsOf = (view: PassportView, { lang }: Texts): PageDocument[] =>
  view.media
    .filter(({ kind }) => kind === 'document')
    .map((document) => {
      const title = titleOf(document, lang)
      return { href: pathOf(document.url), title: title?.text, lang: title?.lang }
    })

const titleOf = ({ title }: MediaView, lang: string) => (title === null ? undefined : inLanguage(title, lang))

/** On the host of the page, whichever of ours that is: the policy lets no other in. */
const pathOf = (url: string): string => new URL(url).pathname
