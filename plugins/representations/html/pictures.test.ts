import { describe, expect, it } from 'vitest'
import type { MediaView, PassportView } from '../../../src/plugin/index.ts'
import { fixtures } from '../../../test/browser/fixtures.ts'
import { renderPage, words } from '../../../test/browser/render.ts'
import { LANGUAGES } from '../../../test/support/languages.ts'
import { accentRules } from './brand.ts'
import { contactOf } from './contact.ts'
import { picturesOf, storedDocuments } from './pictures.ts'
import type { Texts } from './texts.ts'

const at = (id: string, file: string) => `https://passport.example/media/${id}/${file}`
const picture = (id: string, title: MediaView['title']): MediaView => ({
  id,
  kind: 'picture',
  mediaType: 'image/webp',
  title,
  url: at(id, '640.webp'),
  sizes: [320, 640].map((width) => ({ url: at(id, `${width}.webp`), width, height: width / 2 })),
  bytes: 40_000,
})
const texts = {
  lang: 'de',
  languages: ['de'],
  t: (key: string, params?: object) => `${key}${params === undefined ? '' : ` ${Object.values(params).join(' ')}`}`,
  formats: { number: String, unit: (value: number, unit: string) => `${value} ${unit}` },
} as unknown as Texts
const view = (more: Partial<PassportView>): PassportView => ({ ...fixtures.textile, ...more })

describe('pictures', () => {
  const media = [
    picture('a', { en: 'Front', de: 'Vorne' }),
    picture('b', { fr: 'Dos' }),
    picture('c', null),
    { ...picture('d', 'Manual'), kind: 'document' as const, url: at('d', 'document.pdf'), sizes: [] },
  ]
  const { hero, others } = picturesOf(view({ media }), 'Shirt', texts)

  it('are on the host of the page, in every size, with their own size', () => {
    expect(hero).toEqual({
      src: '/media/a/640.webp',
      srcset: '/media/a/320.webp 320w, /media/a/640.webp 640w',
      width: 640,
      height: 320,
      alt: 'Vorne',
      caption: 'Vorne',
    })
  })

  it('have words in the best language that there is, and else the name of the product', () => {
    expect(others.map(({ alt, lang, caption }) => [alt, lang, caption])).toEqual([
      ['Dos', 'fr', 'Dos'],
      ['media.picture 3 Shirt', undefined, undefined],
    ])
    expect(picturesOf(view({ media: [picture('c', null)] }), 'Shirt', texts).hero?.alt).toBe('Shirt')
    expect(picturesOf(view({ media: [] }), 'Shirt', texts)).toEqual({ hero: undefined, others: [] })
  })

  it('are no documents', () => {
    expect(storedDocuments(view({ media }), texts)).toEqual([
      {
        label: { text: 'Manual', foreign: true },
        lang: undefined,
        href: '/media/d/document.pdf',
        about: ['PDF', '40 kilobyte'],
        isSealed: false,
      },
    ])
  })
})

describe('the contact', () => {
  const operator = (contact: PassportView['operator']['contact']) => ({
    operator: { ...fixtures.textile.operator, contact },
  })

  it('leads to telephone, mail and website', () => {
    const contact = {
      address: 'Street 1\nBraga',
      email: 'help?x=1@maker.example',
      phone: '+351 (253) 123-456',
      website: 'https://maker.example/help',
    }
    expect(contactOf(operator(contact), texts).map(({ href }) => href)).toEqual([
      'tel:+351253123456',
      'mailto:help%3Fx%3D1@maker.example',
      'https://maker.example/help',
      undefined,
    ])
  })

  it('does not link invalid addresses, and shows nothing if absent', () => {
    const contact = { email: 'nobody', phone: 'call me', website: 'javascript:alert(1)' }
    expect(contactOf(operator(contact), texts).map(({ href }) => href)).toEqual([undefined, undefined, undefined])
    expect(contactOf(operator(null), texts)).toEqual([])
  })
})

describe('a recall', () => {
  const recall = {
    reason: { en: 'The cell may catch fire <b>at once</b>.', de: 'Die Zelle kann brennen.' },
    at: '2026-03-01T10:00:00.000Z',
    contact: 'recall@maker.example',
    url: 'https://maker.example/recall',
  }
  const recalled = (more: Partial<typeof recall> = {}) => view({ status: 'RECALLED', recall: { ...recall, ...more } })

  it('says why, since when, and whom to ask', () => {
    const page = renderPage(recalled(), 'de')
    expect(words(page)).toContain('Zurückgerufen am 1. März 2026.')
    expect(page).toContain('<span dir="auto">Die Zelle kann brennen.</span>')
    expect(page).toContain('<a href="mailto:recall@maker.example"><bdi>recall@maker.example</bdi></a>')
    expect(page).toContain('<a href="https://maker.example/recall" rel="nofollow">')
    expect(renderPage(recalled(), 'en')).toContain('catch fire &lt;b&gt;at once&lt;/b&gt;')
  })

  it('review-3-users S13: has contact and link on separate lines, and the general sentence only without a reason', () => {
    const banner = /<div class="banner danger".*?<\/div>/s.exec(renderPage(recalled(), 'en'))?.[0] ?? ''
    expect(banner.match(/<span class="line">/g)).toHaveLength(2)
    expect(banner).not.toContain('named below')
    expect(renderPage(view({ status: 'RECALLED', recall: { ...recall, reason: null } }), 'en')).toContain(
      'Stop using it.',
    )
  })

  it.each(LANGUAGES)('is shown in %s with its date', (lang) => {
    const page = words(renderPage(recalled(), lang))
    expect(page).toContain('2026')
    expect(page).not.toMatch(/recall\.(since|contact|more)/)
  })

  it('links only to web addresses, and is hidden unless recalled', () => {
    const page = renderPage(recalled({ contact: 'javascript:alert(1)', url: 'javascript:alert(1)' }), 'en')
    expect(page).not.toMatch(/href="javascript:/)
    expect(renderPage(view({ status: 'ACTIVE', recall: null }), 'en')).not.toContain('catch fire')
  })
})

it('the accent is lighter on the dark page', () => {
  expect(accentRules('#0b5f5a')).toMatch(
    /^:root\{--accent:#0b5f5a\}@media screen and \(prefers-color-scheme:dark\)\{:root\{--accent:#[0-9a-f]{6}\}\}$/,
  )
})
