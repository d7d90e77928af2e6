import type { Enrichment } from '../../../src/plugin/index.ts'
import { hostOf, safeUrl } from './safe-url.ts'
import type { Texts } from './texts.ts'

/** A picture from the presentational block. */
export interface Picture {
  readonly href: string
  readonly host: string
  readonly caption?: string
  readonly alt: string
  /**
   * `shown`: on the page's own host. `offered`: on another host, and fetched only when the reader opens it, because
   * the page loads nothing from elsewhere by itself (EN 18246). `linked`: not over https, so never in the page.
   */
  readonly mode: 'shown' | 'offered' | 'linked'
}

/** The presentational block (specification 2.1), checked again although it was sanitised when written. */
export interface Presentation {
  readonly tagline?: string
  readonly paragraphs: readonly string[]
  readonly pictures: readonly Picture[]
  readonly links: readonly { readonly label: string; readonly href: string; readonly host: string }[]
}

export function presentationOf(enrichment: Enrichment | null, baseUrl: string, texts: Texts): Presentation {
  const { tagline, description, images = [], links = [] } = enrichment ?? {}
  return {
    tagline: words(tagline),
    paragraphs: (words(description) ?? '').split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== ''),
    pictures: images.flatMap(({ url, caption }, index): Picture[] => {
      const href = safeUrl(url)
      if (href === undefined) return []
      const alt = words(caption) ?? texts.t('about.picture', { number: index + 1 })
      const mode = new URL(href).origin === URL.parse(baseUrl)?.origin ? 'shown' : 'offered'
      const isSecure = href.startsWith('https:') || mode === 'shown'
      return [{ href, host: hostOf(href), caption: words(caption), alt, mode: isSecure ? mode : 'linked' }]
    }),
    links: links.flatMap(({ label, url }) => {
      const href = safeUrl(url)
      return href === undefined ? [] : [{ label: words(label) ?? href, href, host: hostOf(href) }]
    }),
  }
}

const words = (text: unknown): string | undefined => (typeof text === 'string' && text.trim() !== '' ? text : undefined)
