import type { MediaView, PassportView } from '../../../src/plugin/index.ts'
import { aboutFile, type DocumentLink, pathOf } from './documents.ts'
import type { Texts } from './texts.ts'
import { wordsOf } from './value.ts'

export interface PagePicture {
  readonly src: string
  readonly srcset: string
  readonly width: number
  readonly height: number
  readonly alt: string
  readonly lang?: string
  readonly caption?: string
}

export function picturesOf(
  view: PassportView,
  name: string,
  texts: Texts,
): { readonly hero: PagePicture | undefined; readonly others: readonly PagePicture[] } {
  const { t, formats } = texts
  const pictures = view.media.filter(({ kind, sizes }) => kind === 'picture' && sizes.length > 0)
  const [hero, ...others] = pictures.map((picture, index): PagePicture => {
    const title = titleOf(picture, texts)
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

/** @param linked documents already linked from the metadata */
export const storedDocuments = (
  view: PassportView,
  texts: Texts,
  linked: readonly DocumentLink[] = [],
): DocumentLink[] =>
  view.media
    .filter(({ kind, url }) => kind === 'document' && !linked.some(({ href }) => href === pathOf(url)))
    .map((document) => {
      const title = titleOf(document, texts)
      const kind = document.documentType && texts.category.option('documentType', document.documentType)
      return {
        label: { text: title?.text ?? kind ?? texts.t('tool.document'), foreign: title !== undefined },
        lang: title?.lang,
        href: pathOf(document.url),
        about: [...(title !== undefined && kind ? [kind] : []), ...aboutFile(document.language, document, texts)],
        isSealed: false,
      }
    })

const titleOf = ({ title }: MediaView, texts: Texts) => wordsOf(title ?? undefined, texts)
