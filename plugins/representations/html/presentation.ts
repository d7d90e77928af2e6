import type { Enrichment, Json } from '../../../src/plugin/index.ts'
import { hostOf, safeUrl } from './safe-url.ts'
import type { Texts } from './texts.ts'
import { type Words, wordsOf } from './value.ts'

interface Picture {
  readonly href: string
  readonly host: string
  readonly caption?: Words
  readonly alt: string
  /**
   * True only for pictures on the gateway's host; others are linked. Pages load nothing from other hosts (EN 18246), which would learn who
   * scanned which product. Lazy loading does not help: browsers load such pictures for printing and without scripts.
   */
  readonly isShown: boolean
}

/** Presentational block (specification 2.1), revalidated although sanitised on write. */
export interface Presentation {
  readonly tagline?: Words
  readonly paragraphs: readonly string[]
  readonly paragraphsLang?: string
  readonly pictures: readonly Picture[]
  readonly links: readonly { readonly label: Words; readonly href: string; readonly host: string }[]
}

export function presentationOf(enrichment: Enrichment | null, baseUrl: string, texts: Texts): Presentation {
  const { tagline, description, images = [], links = [] } = enrichment ?? {}
  const words = (text: Json | undefined) => wordsOf(text, texts)
  const story = words(description)
  return {
    tagline: words(tagline),
    paragraphs: (story?.text ?? '').split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== ''),
    paragraphsLang: story?.lang,
    pictures: images.flatMap(({ url, caption }, index): Picture[] => {
      const href = safeUrl(url)
      if (href === undefined) return []
      const alt = words(caption)?.text ?? texts.t('about.picture', { number: index + 1 })
      const isShown = new URL(href).origin === URL.parse(baseUrl)?.origin
      return [{ href, host: hostOf(href), caption: words(caption), alt, isShown }]
    }),
    links: links.flatMap(({ label, url }) => {
      const href = safeUrl(url)
      return href === undefined ? [] : [{ label: words(label) ?? { text: href }, href, host: hostOf(href) }]
    }),
  }
}
