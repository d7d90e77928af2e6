import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Json, type Metadata, type PassportView, Problem, REDACTED } from '../../../src/plugin/index.ts'
import { fixtures, hostileView } from '../../../test/browser/fixtures.ts'
import { payloads } from '../../../test/browser/payloads.ts'
import {
  contextFor,
  deadAnchors,
  keysOfCategories,
  renderPage,
  renderProblemPage,
  renderUnitPage,
  renderVersionPage,
  withoutOwnCode,
  words,
} from '../../../test/browser/render.ts'
import { unitFixtures } from '../../../test/browser/unit-fixtures.ts'
import { anyText } from '../../../test/support/any-text.ts'
import { categoryNames, descriptions } from '../../../test/support/categories.ts'
import { readByJsQr } from '../../../test/support/code-readers.ts'
import { BATTERY as COMPLETE } from '../../../test/support/demo-gateway.ts'
import { LANGUAGES } from '../../../test/support/languages.ts'
import { pictureOf } from '../../../test/support/svg-picture.ts'
import { html } from './index.ts'
import { hashOf } from './offline.ts'
import { safeUrl } from './safe-url.ts'
import { stylesheet } from './templates.ts'
import { humanise, plainText } from './text.ts'

const { battery, batteryRestricted, draft, electronicsRecalled, sku, textile } = fixtures

describe('the page', () => {
  it('is sent as HTML in UTF-8', () => {
    expect(html.render(battery, contextFor())).toMatchObject({ contentType: 'text/html; charset=utf-8' })
    expect(html.renderProblem(new Problem(404, 'No.'), contextFor(), { kind: 'passport', text: 'x' }).contentType).toBe(
      'text/html; charset=utf-8',
    )
  })

  it('is the same for the same view and language', () => {
    for (const view of Object.values(fixtures)) {
      expect(html.render(view, contextFor('de')).body).toBe(renderPage(view, 'de'))
    }
  })

  it('stays below 60 KB for a rich battery passport', () => {
    for (const lang of LANGUAGES) {
      for (const view of [battery, batteryRestricted]) {
        expect(Buffer.byteLength(renderPage(view, lang)), lang).toBeLessThan(60 * 1024)
      }
    }
  })

  it('stays below 60 KB for a battery with everything that the law asks of it', () => {
    const hidden = Object.fromEntries(batteryRestricted.privilegedKeys.map((key) => [key, REDACTED]))
    for (const lang of LANGUAGES) {
      for (const view of [
        { ...battery, metadata: { ...COMPLETE, ...hidden } },
        { ...batteryRestricted, metadata: COMPLETE },
      ]) {
        expect(Buffer.byteLength(renderPage(view, lang)), lang).toBeLessThan(60 * 1024)
      }
    }
  })

  it('has its address as a code for paper, in the least bytes', () => {
    const [code = ''] = /<p class="code">.*?<\/p>/s.exec(renderPage(battery)) ?? []
    expect(code).toContain(`<span dir="ltr">${battery.digitalLinkUri}</span>`)
    expect(readByJsQr(pictureOf(code).picture)).toBe(battery.digitalLinkUri)
    expect(code.length).toBeLessThan(2500)
  })

  it('names its language, and English where there are no words in the language asked for', () => {
    expect(renderPage(sku, 'de')).toContain('<html lang="de">')
    expect(renderPage(sku, 'de-AT')).toContain('<html lang="de-AT">')
    expect(renderPage(sku, 'ja')).toContain('<html lang="en">')
    expect(words(renderPage(sku, 'ja'))).toContain('Austria')
  })

  it.each(LANGUAGES)('is written in %s, and so are its country names and dates', (lang) => {
    const page = renderPage(sku, lang)
    expect(page).toContain(`<html lang="${lang}"`)
    const country = new Intl.DisplayNames(lang === 'no' ? 'nb' : lang, { type: 'region' }).of('AT') as string
    expect(words(page)).toContain(country)
  })

  it('carries its policy, with the hash of the one style sheet, and no style attribute', () => {
    const page = renderPage(battery)
    expect(page).toContain(`style-src ${hashOf(stylesheet)}`)
    expect(page).toContain(`<style>${stylesheet}</style>`)
    expect(page).not.toMatch(/\sstyle=/)
    expect(withoutOwnCode(page)).not.toMatch(/<script/i)
  })

  it('names the other forms of the same address, credentials only with a facility', () => {
    const alternate = (page: string) => [...page.matchAll(/rel="alternate" type="([^"]+)"/g)].map(([, type]) => type)
    const always = ['application/aas+json', 'application/ld+json', 'application/example+json']
    expect(alternate(renderPage(battery)).sort()).toEqual([...always, 'application/vc+jwt'].sort())
    expect(alternate(renderPage(sku)).sort()).toEqual(always.sort())
    expect(renderPage(sku)).toContain(`<link rel="canonical" href="https://passport.example/passport/${sku.id}">`)
  })

  it('keeps search engines away from what is not public', () => {
    const noindex = '<meta name="robots" content="noindex">'
    expect(renderPage(battery)).not.toContain(noindex)
    for (const view of [batteryRestricted, draft]) expect(renderPage(view)).toContain(noindex)
  })
})

describe('the content', () => {
  it('says what product it is, where from and by whom', () => {
    const text = words(renderPage(battery))
    for (const part of ['Battery', 'Polar 78 traction battery', 'Nordlicht', 'Germany', 'Nordlicht Zellwerke AG']) {
      expect(text).toContain(part)
    }
  })

  it('shows masked keys as protected and never the placeholder', () => {
    for (const lang of ['en', 'de']) {
      for (const view of Object.values(fixtures)) expect(renderPage(view, lang)).not.toContain('[REDACTED')
    }
    const [locked = ''] = /<ul class="locked">.*?<\/ul>/s.exec(renderPage(battery)) ?? []
    expect(locked.match(/<li>/g)).toHaveLength(4)
    expect(words(locked)).toContain('Measured performance')
    expect(words(renderPage(battery))).not.toContain('148 kW')
  })

  it('explains the seal and does not claim to have checked it', () => {
    expect(words(renderPage(battery))).toContain('Sealed on 14 March 2027')
    expect(words(renderPage(battery, 'de'))).toContain('Gesiegelt am 14. März 2027')
    expect(words(renderPage(battery))).toContain('but does not verify it')
    expect(words(renderPage(textile))).toContain('Not sealed')
  })

  it('puts a recall ahead of everything else', () => {
    const page = renderPage(electronicsRecalled)
    expect(page.indexOf('This product has been recalled')).toBeLessThan(page.indexOf('<h1'))
    expect(page).toContain('<title>Recalled: Halo One 65 W travel charger – Digital Product Passport</title>')
  })

  it('shows the address of the facility only when the view has it', () => {
    expect(words(renderPage(draft))).toContain('Am Deich 1 25746 Heide')
    expect(words(renderPage(battery))).not.toMatch(/ Address (?!to share)/)
  })

  it('chooses the text in the language of the page', () => {
    expect(renderPage(textile, 'de')).toContain('Leinen-Überhemd')
    expect(renderPage(textile, 'en')).toContain('Linen overshirt')
  })

  it('shows pictures of the same host and links to the others', () => {
    const images = [
      { url: 'https://passport.example/media/1.png', caption: 'Front' },
      { url: 'https://cdn.example/2.png' },
    ]
    const page = renderPage({ ...sku, enrichment: { images } })
    expect(page).toContain('<img src="https://passport.example/media/1.png" alt="Front"')
    expect(page.match(/<img/g)).toHaveLength(1)
    expect(page).toContain('href="https://cdn.example/2.png"')
    expect(words(page)).toContain('Picture 2 of the product')
  })

  it('draws shares that fill the bar and gives every figure as text', () => {
    const page = renderPage(textile, 'de')
    expect(page).toContain('<rect class="t1" x="0.00%" y="0" width="72.00%" height="100%"/>')
    expect(page).toContain('<rect class="t2" x="72.00%" y="0" width="24.00%" height="100%"/>')
    expect(words(page)).toContain('72 %')
  })

  it('adds up recycled content by source', () => {
    expect(words(renderPage(battery))).toMatch(/Cobalt 24% 4% from manufacturing waste 20% from waste after use/)
  })

  it('lists an invalid composition of a draft instead of drawing it', () => {
    const text = words(renderPage(draft))
    expect(text).toContain('to be filled in')
    expect(text).toContain('about 40')
  })

  it('leads from toys, and from nothing else, to where dangerous products are reported', () => {
    const of = (category: string) => renderPage({ ...sku, metadata: { category, originCountry: 'DE' } }, 'de')
    const link = /<a class="out" href="https:\/\/ec\.europa\.eu\/safety-gate"/
    expect(of('toys')).toMatch(link)
    expect(words(of('toys'))).toContain('Ein gefährliches Produkt melden (Safety Gate) auf ec.europa.eu')
    for (const category of ['textiles', 'constructor']) expect(of(category)).not.toMatch(link)
  })

  it('has instructions in words where they are used, and addresses of instructions among the documents', () => {
    const instructions = {
      installation: 'https://docs.example/install.pdf',
      use: { en: 'Charge before use.', de: 'Vor Gebrauch laden.' },
      maintenance: 'Dust it.',
      return: 'Bring it back.',
    }
    const metadata = { category: 'electronics', originCountry: 'DE', instructions }
    const page = renderPage({ ...sku, metadata }, 'de')
    const [, documents = ''] = page.split('<section class="sheet" id="documents"')
    expect(words(documents)).toContain('Einbau auf docs.example')
    expect(words(page)).toContain('Gebrauch Vor Gebrauch laden. Wartung Dust it. Rückgabe Bring it back.')
  })

  it('names how consumers reach the company, and what the company states of a toy', () => {
    const metadata = {
      category: 'toys',
      originCountry: 'DE',
      consumerContact: { phone: '+49 30 1234567' },
      statementOfCompliance: 'Meets the Toy Safety Regulation.',
      notifiedBody: { name: 'Prüfhaus', number: '0123' },
    }
    const page = words(renderPage({ ...sku, metadata }))
    expect(page).toContain('Contact for consumers Telephone +49 30 1234567')
    expect(page).toContain('Statement of compliance Meets the Toy Safety Regulation.')
    expect(page).toContain('Notified body Name Prüfhaus Number 0123')
  })

  it('makes a key without a translation readable', () => {
    expect(words(renderPage(textile))).toContain('Dye house ID')
  })

  it('shows every value of the metadata somewhere', () => {
    const page = renderPage(batteryRestricted)
    const leaves = (json: unknown): string[] =>
      typeof json === 'object' && json !== null
        ? Object.values(json).flatMap(leaves)
        : typeof json === 'string' && !/^(batteries|[A-Z]{2}|ev|original|\d{4}-\d\d(-\d\d)?|\[REDACTED.*)$/.test(json)
          ? [json]
          : []
    const texts = leaves(batteryRestricted.metadata).filter((text) => !text.startsWith('https://'))
    const addresses = leaves(batteryRestricted.metadata).filter((text) => text.startsWith('https://'))
    for (const text of texts) expect(words(page)).toContain(text)
    for (const address of addresses) expect(page).toContain(`href="${address}"`)
  })
})

describe('the head of the page', () => {
  const answers = (page: string) => {
    const [, list = ''] = /<ul class="answers">(.*?)<(?:section class="marks"|div class="tools")/s.exec(page) ?? []
    return list
      .split('<li class="answer">')
      .slice(1)
      .map((answer) => words(answer).trim())
  }

  it('answers who certifies it, what is in it, what to do with it, and who is behind it', () => {
    const [signers, content, next, maker] = answers(renderPage(battery))
    expect(signers).toBe(
      'Who confirms it Sealed by Nordlicht Zellwerke AG, Germany Sealed on 14 March 2027 ' +
        'Certificate from Seal CA of passport.example Time confirmed by Zeitwacht OÜ',
    )
    expect(content).toMatch(/^What is in it Aluminium 21.8% Nickel 17.4% Graphite 16.1% Recycled Cobalt 24%, /)
    expect(next).toContain('Never put the battery in household waste. Workshops take it back free of charge.')
    expect(maker).toBe('Who is responsible Manufacturer Nordlicht Zellwerke AG Manufacturing site Cell plant Heide')
  })

  it('says below when the time was confirmed', () => {
    expect(words(renderPage(battery))).toContain('Time confirmed by Zeitwacht OÜ, 14 March 2027 at 09:26 UTC')
  })

  it('says how to reach the company', () => {
    const contact = {
      phone: '+49 481 5550178',
      email: 'service@nordlicht.example',
      website: 'https://nordlicht.example/',
    }
    const page = renderPage({ ...battery, operator: { ...battery.operator, contact } })
    expect(answers(page)[3]).toMatch(
      /Telephone \+49 481 5550178 E-mail service@nordlicht.example Website nordlicht.example$/,
    )
    for (const href of ['tel:+494815550178', 'mailto:service@nordlicht.example'])
      expect(page).toContain(`href="${href}"`)
  })

  it('says what the law says where the passport says nothing of disposal', () => {
    const { endOfLifeInstructions: _own, ...metadata } = textile.metadata
    expect(answers(renderPage({ ...textile, metadata }))[2]).toContain('They are collected separately.')
    expect(answers(renderPage(textile))[2]).not.toContain('They are collected separately.')
  })

  it.each(
    Object.entries({
      ...fixtures,
      sku: {
        ...sku,
        metadata: {
          category: 'toys',
          primaryMaterial: 'wood',
          materialComposition: [{ material: 'Beech', percentage: 100 }],
        },
      },
    }),
  )('leads to what is on the page: %s', (_, view) => {
    const page = renderPage(view)
    expect(page).toContain('href="#technical"')
    expect(deadAnchors(page)).toEqual([])
  })

  it('leaves out the question that nothing answers', () => {
    const metadata = { category: 'iron-steel', originCountry: 'AT' }
    expect(answers(renderPage({ ...sku, metadata })).map((answer) => answer.slice(0, 6))).toEqual(['Who co', 'Who is'])
  })

  it('names the company that has sealed and the one that it has sealed for', () => {
    const other = { ...battery, operator: { ...battery.operator, name: 'Atelier Rivage', role: 'IMPORTER' } }
    for (const text of [answers(renderPage(other))[0], words(renderPage(other))]) {
      expect(text).toContain('Sealed by Nordlicht Zellwerke AG, Germany')
      expect(text).toContain('Sealed for Atelier Rivage, Importer')
    }
    expect(words(renderPage(battery))).not.toContain('Sealed for')
  })

  it('says that no name is tied to a key without a certificate', () => {
    const unnamed = 'No certificate ties the key of this seal to a name.'
    expect(answers(renderPage(electronicsRecalled))[0]).toContain(unnamed)
    expect(words(renderPage(battery))).not.toContain(unnamed)
  })

  it.each(LANGUAGES)('has words for its questions in %s', (lang) => {
    const english = answers(renderPage(battery)).map((answer) => answer.slice(0, 12))
    const own = answers(renderPage(battery, lang)).map((answer) => answer.slice(0, 12))
    expect(own).toHaveLength(4)
    if (lang !== 'en') for (const [index, question] of own.entries()) expect(question).not.toBe(english[index])
  })

  it('sets a long name smaller', () => {
    const named = (productName: string) => renderPage({ ...sku, metadata: { productName } })
    expect(named('Chair')).toContain('<h1><bdi>')
    expect(named('Chair '.repeat(10))).toContain('<h1 class="long">')
    expect(named('Chair '.repeat(40))).toContain('<h1 class="longest">')
  })
})

describe('the journey', () => {
  it('is a list of steps in the order of time, with what each follows where that is not the one above', () => {
    const page = renderPage(fixtures.journey)
    const section = /<section class="sheet" id="journey".*?<\/section>/s.exec(page)?.[0] ?? ''
    const steps = [...section.matchAll(/<li[^>]*>(.*?)<\/li>/gs)].map(([, step = '']) =>
      step
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    expect(steps).toEqual([
      '1 Raw material Nile Delta Cotton Cooperative , Egypt 5 January 2026',
      '2 Processing Spinnerei Hof , Germany 20 January 2026',
      '3 Processing Tessitura di Prato , Italy 2 February 2026',
      '4 Raw material Ecuador 4 February 2026',
      '5 Manufacturing Confecções do Minho , Portugal 14 February 2026 · after 3 and 4',
      '6 Transport Porto de Leixões , Portugal 20 February 2026',
    ])
    expect(section).toContain('They are not independently confirmed.')
    expect(section).toContain('Some steps are omitted.')
  })

  it('has a graph where it is more than a line, with a dot for each step and a line for each that it follows', () => {
    const graph =
      /<svg role="img" aria-label="Graph of the steps.*?<\/svg>/s.exec(renderPage(fixtures.journey))?.[0] ?? ''
    expect([graph.match(/<circle/g)?.length, graph.match(/<path/g)?.length]).toEqual([6, 5])
    const { steps } = fixtures.journey.journey
    const line = { ...fixtures.journey, journey: { ...fixtures.journey.journey, steps: steps.slice(0, 3) } }
    expect(renderPage(line)).not.toContain('Graph of the steps')
  })

  it('a restricted section states its audience', () => {
    const { journey } = fixtures.journey
    const shown = (view: PassportView) =>
      /<section class="sheet" id="journey".*?<\/section>/s.exec(renderPage(view))?.[0].includes('privileged')
    expect(
      shown({ ...fixtures.journey, audience: 'authority', journey: { ...journey, audience: ['authority'] } }),
    ).toBe(true)
    expect(shown({ ...fixtures.journey, audience: 'authority' })).toBe(false)
  })
})

describe('the order of the sections', () => {
  const sections = (page: string) => [...page.matchAll(/<section class="sheet" id="([\w-]+)"/g)].map(([, id]) => id)

  it('is that of the questions that people ask of the category', () => {
    expect(sections(renderPage(textile)).slice(0, 3)).toEqual(['use', 'composition', 'origin'])
    expect(sections(renderPage(battery)).slice(0, 2)).toEqual(['performance', 'use'])
    expect(sections(renderPage(electronicsRecalled))[0]).toBe('use')
  })

  it('loses none, has none without content, and is that of the contents', () => {
    for (const view of Object.values(fixtures)) {
      const page = renderPage(view)
      const links = [...(/<nav class="contents".*?<\/nav>/s.exec(page)?.[0] ?? '').matchAll(/href="#([\w-]+)"/g)]
      expect(sections(page)).toEqual(links.map(([, id]) => id))
      expect(page).not.toMatch(/<div class="body">\s*<\/div>/)
    }
  })

  it('marks only what the public does not see', () => {
    const [marked = ''] =
      /<div class="privileged">.*?<\/div>\s*<\/div>\s*<\/section>/s.exec(renderPage(batteryRestricted)) ?? []
    expect(words(marked)).toMatch(/^ Not public /)
    expect(words(marked)).toContain('Measured performance Rated capacity')
    for (const view of [battery, textile]) expect(renderPage(view)).not.toContain('class="privileged"')
  })
})

describe('the acts of a passport', () => {
  const section = (page: string, id: string) =>
    new RegExp(`<section class="sheet" id="${id}".*?</section>`, 's').exec(page)?.[0] ?? ''
  const acts = (page: string) => /<p class="note acts">.*?<\/p>/s.exec(page)?.[0] ?? ''
  const withMetadata = (more: Metadata) => ({ ...battery, metadata: { ...battery.metadata, ...more } })

  it('are named in the language of the page, with their official text', () => {
    expect(words(acts(renderPage(battery, 'de')))).toContain('Verordnung (EU) 2023/1542 (Batterien)')
    expect(acts(renderPage(battery, 'de'))).toContain('/legal-content/DE/TXT/?uri=CELEX:32023R1542"')
    expect(acts(renderPage(battery, 'uk'))).toContain('/legal-content/EN/TXT/?uri=CELEX:32023R1542"')
  })

  it('do not ask for what stands apart, last of all that the passport says', () => {
    const page = renderPage(withMetadata({ repairScore: 7, favouriteColour: 'teal' }))
    const voluntary = words(section(page, 'voluntary'))
    expect(voluntary).toContain('Not required by the laws named on this page; provided voluntarily.')
    for (const text of ['Operating temperature', 'Repair score', 'teal']) expect(voluntary).toContain(text)
    expect(voluntary).not.toContain('Nominal voltage')
    expect(section(page, 'performance')).toContain('Nominal voltage')
    const ids = [...page.matchAll(/<section class="sheet" id="([\w-]+)"/g)].map(([, id]) => id)
    expect(ids.slice(ids.indexOf('voluntary'))).toEqual(['voluntary', 'masked', 'authenticity', 'technical'])
  })

  it('are those that the passport states, and mark the keys that they ask for where there are several', () => {
    const page = renderPage(withMetadata({ legalBasis: ['2023/1542', '2024/1781', 'ISO <1>'], repairScore: 7 }))
    expect(words(acts(page))).toMatch(/1 Regulation \(EU\) 2023\/1542.*2 Regulation \(EU\) 2024\/1781.*3 ISO &lt;1&gt;/)
    expect(page).toContain('Repair score<sup>2</sup>')
    expect(page).toContain('Nominal voltage<sup>1</sup>')
    expect(words(section(page, 'voluntary'))).not.toContain('Repair score')
    expect(renderPage(battery)).not.toContain('<sup>')
  })

  it('tell nothing apart where a category names none', () => {
    const page = renderPage({ ...sku, metadata: { category: 'furniture', colour: 'teal' } })
    expect(acts(page)).toBe('')
    expect(page).not.toContain('id="voluntary"')
    expect(page).toContain('teal')
  })
})

describe('a battery that needs no passport', () => {
  const WASTE = {
    wastePrevention: 'Charge it before it is empty.',
    separateCollection: 'Hand it in apart.',
    collectionInformation: 'Any shop takes it back.',
    wasteSafety: 'Cover its poles.',
    symbolMeanings: ['The bin: hand it in apart.'],
    substanceEffects: ['Nickel may cause allergies.'],
  }
  const of = (batteryCategory: string) => ({
    ...battery,
    metadata: { ...battery.metadata, ...WASTE, batteryCategory, separateCollectionSymbol: true },
  })

  it.each(['portable', 'sli', 'SLI'])('is called what it is: %s', (kind) => {
    const page = renderPage(of(kind))
    expect(page).toContain('Information on this battery</title>')
    expect(words(page)).not.toContain('Digital Product Passport')
    expect(words(page)).toContain('The law does not require a digital passport for this kind of battery.')
  })

  it('has what the label says, and what Article 74 asks for, in its order', () => {
    const page = words(renderPage(of('portable')))
    const places = Object.values(WASTE).map((text) => page.lastIndexOf([text].flat()[0] as string))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places[0]).toBeGreaterThan(0)
    for (const text of ['Rated capacity', 'Hazardous substances', 'take to separate collection']) {
      expect(page).toContain(text)
    }
  })

  it.each(['ev', 'lmt', 'industrial', 'stationary'])('is not of the kind %s', (kind) => {
    const page = words(renderPage(of(kind)))
    expect(page).toContain('Digital Product Passport')
    expect(page).not.toContain('does not require a digital passport')
  })

  it('is so in every language, and a unit of it too', () => {
    for (const lang of LANGUAGES) {
      const { title, text } = descriptions.of('batteries', lang).withoutPassport({ batteryCategory: 'sli' }) ?? {}
      expect(words(renderPage(of('sli'), lang)), lang).toContain(text)
      expect(words(renderUnitPage({ ...unitFixtures.public, ofModel: of('sli') }, lang)), lang).toContain(title)
    }
  })
})

describe('review-3-users S11: a long page', () => {
  it('has a heading below that of its section for each part', () => {
    const page = renderPage(battery)
    const headings = [...page.matchAll(/<h3[^>]*>(.*?)<\/h3>/gs)].map(([, heading = '']) => words(heading).trim())
    for (const part of ['Material composition', 'Carbon footprint by life cycle stage', 'Sealed on 14 March 2027']) {
      expect(headings).toContain(part)
    }
    expect(headings.some((heading) => heading.startsWith('Responsible economic operator'))).toBe(true)
  })

  it('names a company and a place once, with all their details', () => {
    const { operator, facility } = battery
    const stated = {
      manufacturerInformation: { name: operator.name.toUpperCase(), email: 'service@maker.example' },
      manufacturingPlace: { country: 'DE', city: 'Heide', plant: facility?.name ?? '' },
    }
    const page = renderPage({ ...battery, metadata: { ...battery.metadata, ...stated } })
    const origin = words(/<section class="sheet" id="origin".*?<\/section>/s.exec(page)?.[0] ?? '')
    expect(origin).toContain('Responsible economic operator, Manufacturer')
    expect(origin).toContain('service@maker.example')
    expect(origin).toMatch(/Manufacturing site, Place of manufacture .*Heide/)
    expect(origin).not.toContain(operator.name.toUpperCase())
    const other = { manufacturerInformation: { name: 'Another Ltd' } }
    const apart = words(renderPage({ ...battery, metadata: { ...battery.metadata, ...other } }))
    expect(apart).toContain('Another Ltd')
    expect(apart).not.toContain('Responsible economic operator, Manufacturer')
  })

  it('folds plain denials away', () => {
    const denied = { cadmiumSymbol: false, leadSymbol: false }
    const safety = words(
      /<section class="sheet" id="safety".*?<\/section>/s.exec(
        renderPage({ ...battery, metadata: { ...denied, ...battery.metadata, ...denied } }),
      )?.[0] ?? '',
    )
    expect(safety).toMatch(/Show more Cadmium symbol \(Cd\) No Lead symbol \(Pb\) No $/)
  })
})

describe('the language of the page', () => {
  const switcher = (page: string) => /<details class="tool switcher">.*?<\/details>/s.exec(page)?.[0] ?? ''

  it('can be changed to each of the others, which are called as their speakers call them', () => {
    const page = switcher(renderPage(battery, 'de'))
    const links = [...page.matchAll(/<a href="\?lang=(\w\w)" lang="(\w\w)"( aria-current="true")?>/g)]
    expect(links.map(([, , lang]) => lang).toSorted()).toEqual([...LANGUAGES].toSorted())
    expect(links.filter(([, , , current]) => current).map(([, lang]) => lang)).toEqual(['de'])
    for (const name of ['Deutsch', 'Ελληνικά', 'Български', 'Gaeilge', 'Türkçe', 'Українська']) {
      expect(page).toContain(`>${name}</a>`)
    }
  })

  it('goes along on every link to the gateway', () => {
    const page = renderPage(battery, 'fi')
    for (const path of ['verify?lang=fi#passport/', 'request-access?passport=']) expect(page).toContain(path)
    const own = [...page.matchAll(/<a [^>]*href="(https:\/\/passport\.example\/[^"]*|\?[^"]*)"/g)].map(
      ([, href]) => href,
    )
    expect(own.length).toBeGreaterThan(30)
    for (const href of own.filter((address) => address !== battery.digitalLinkUri)) expect(href).toMatch(/[?;]lang=/)
  })

  it('leads back to the same version, and nowhere from a page that a token has opened', () => {
    expect(switcher(renderVersionPage(battery, 'ACTIVE'))).toContain('href="?version=2&amp;lang=fr"')
    expect(switcher(renderPage(batteryRestricted))).toBe('')
  })

  it('review-3-users S8: can be changed, and the passport downloaded, on a page that a token has opened, and no link has the token', () => {
    const grant = `dpp_li_${'A'.repeat(32)}`
    const context = { ...contextFor('pl'), grant }
    const unit = { ...unitFixtures.public, audience: 'legitimateInterest' } as const
    const pages = [html.render(batteryRestricted, context).body, html.renderUnit(unit, context).body]
    for (const page of pages) {
      expect(switcher(page)).toContain('<button form="granted" name="lang" value="de" lang="de">Deutsch</button>')
      expect(page).toContain(`<form id="granted"><input type="hidden" name="grant" value="${grant}"></form>`)
      expect(page).toContain('<button form="granted-file" name="format" value="jsonld">')
      expect([...page.matchAll(/(?:href|src|content)="[^"]*"/g)].filter(([link]) => link.includes('dpp_li_'))).toEqual(
        [],
      )
    }
  })

  it('is described to search engines like the other pages', () => {
    const page = renderPage(battery, 'de')
    expect(page.match(/<link rel="alternate" hreflang=/g)).toHaveLength(LANGUAGES.length + 1)
    expect(page).toContain(`<link rel="alternate" hreflang="x-default" href="${battery.digitalLinkUri}">`)
    expect(renderPage(draft)).not.toContain('rel="alternate" hreflang')
  })
})

describe('the preview of a link', () => {
  it('has title, text, address, language and picture', () => {
    const url = 'https://passport.example/media/1/800.webp'
    const picture = {
      id: '1',
      kind: 'picture',
      mediaType: 'image/webp',
      title: null,
      url,
      sizes: [{ url, width: 800, height: 600 }],
      bytes: 40_000,
    } as const
    const page = renderPage({ ...battery, media: [picture] }, 'de')
    const property = (name: string) => new RegExp(`property="og:${name}" content="([^"]*)"`).exec(page)?.[1]
    expect(property('title')).toBe('Polar 78 traction battery')
    expect(property('description')).toContain('Polar 78 traction battery')
    expect(property('url')).toBe(battery.digitalLinkUri)
    expect(property('locale')).toBe('de_DE')
    expect(property('image')).toBe(url)
    expect(page).toContain('src="/media/1/800.webp"')
  })
})

describe('a brand', () => {
  it('has its colour in the one style sheet, whose hash the policy names', () => {
    const page = renderPage({ ...battery, brand: { logo: null, accent: '#7a1f5c' } })
    const [, styles = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? []
    expect(styles.endsWith(':root{--accent:#7a1f5c}')).toBe(true)
    expect(page).toContain(createHash('sha256').update(styles).digest('base64'))
    expect(page.match(/<style/g)).toHaveLength(1)
  })
})

describe('portable data', () => {
  it('is every form of the page as a file, but for who came with a token', () => {
    const formats = (page: string) =>
      [...page.matchAll(/href="\?format=([\w-]+)&amp;lang=en" download/g)].map(([, name]) => name)
    expect(formats(renderPage(battery))).toEqual(['jsonld', 'untp-vc-jwt', 'aas'])
    expect(formats(renderPage(sku))).toEqual(['jsonld', 'aas'])
    expect(formats(renderPage(batteryRestricted))).toEqual([])
  })
})

describe('foreign text', () => {
  it.each(payloads)('is escaped in every field: %j', (payload) => {
    const page = renderPage(hostileView(payload))
    expect(withoutOwnCode(page)).not.toMatch(/<(script|iframe|object|embed|form|base|video|math|input)\b/i)
    expect(page.match(/<style/g)).toHaveLength(1)
    for (const [, address] of page.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      expect(address).toMatch(
        /^(https?:\/\/|#|\/media\/1\.pdf$|\?(format=[a-z-]+&amp;)?lang=[a-z]{2}$|data:image\/svg\+xml,%3Csvg%20xmlns)/,
      )
    }
  })

  it('leaves every attribute quoted, whatever it holds', () => {
    const text = fc
      .array(fc.oneof(fc.constantFrom(...'"\'<>&=/ `'), anyText({ maxLength: 10 })), { maxLength: 8 })
      .map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, (text) => {
        const page = renderPage(hostileView(text)).replace(/<style>[\s\S]*?<\/style>/, '')
        for (const [tag] of page.matchAll(/<[a-z][^>]*>/gi)) {
          expect(tag).toMatch(/^<[a-z][a-z\d]*(\s+[a-zA-Z:-]+(="[^"<]*")?)*\s*\/?>$/)
        }
      }),
      { numRuns: 15 },
    )
  })

  it('renders any metadata that is JSON', () => {
    const page = (metadata: Metadata) => renderPage({ ...sku, metadata })
    const odd: readonly Json[] = [
      ...[null, false, true, 0, -1.5, '', 'x', [], {}, [null], [0], ['x'], [[]], [{}], [[['x']]]],
      ...[{ x: null }, { x: [] }, { x: { y: 1 } }, [{ x: null }], { toString: 1 }],
    ]
    for (const [index, value] of odd.entries()) {
      const everywhere = Object.fromEntries([...keysOfCategories, 'x'].map((key) => [key, value]))
      const category = categoryNames[index % categoryNames.length] as string
      expect(page({ ...everywhere, category })).toContain('</html>')
      expect(page({ category: value })).toContain('</html>')
    }
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keysOfCategories, 'x', 'category'), fc.jsonValue()), (metadata) => {
        expect(page(JSON.parse(JSON.stringify(metadata)))).toContain('</html>')
      }),
      { numRuns: 60 },
    )
  })

  it('loses its direction marks in the title', () => {
    expect(renderPage({ ...sku, metadata: { productName: 'abc\u202egpj' } })).toContain('<title>abcgpj – ')
    expect(plainText('a\u0000b\n\u2067 c')).toBe('a b c')
  })
})

describe('safeUrl', () => {
  it.each([
    ['https://example.org/a?b=c#d', 'https://example.org/a?b=c#d'],
    ['HTTP://EXAMPLE.org', 'http://example.org/'],
    ['https://exämple.org/', 'https://xn--exmple-cua.org/'],
    ['https://example.org/"><b>', 'https://example.org/%22%3E%3Cb%3E'],
  ])('lets %s through', (address, href) => expect(safeUrl(address)).toBe(href))

  it.each([
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    ' https://example.org/',
    'data:text/html,x',
    'mailto:a@example.org',
    'ftp://example.org/',
    '//example.org/',
    '/path',
    'https:example.org',
    'https://',
    'https://bank.example@evil.example/',
    'https://user:secret@example.org/',
    `https://example.org/${'a'.repeat(2048)}`,
    '',
    null,
    undefined,
    42,
    { href: 'https://example.org/' },
  ])('refuses %j', (address) => expect(safeUrl(address)).toBeUndefined())
})

describe('humanise', () => {
  it.each([
    ['dyeHouseId', 'Dye house ID'],
    ['co2eTotal', 'CO₂e total'],
    ['some_snake-key', 'Some snake key'],
    ['HTTPServer', 'HTTP server'],
    ['', ''],
    ['---', '---'],
  ])('reads %j as %j', (key, name) => expect(humanise(key)).toBe(name))
})

describe('a passport that is larger than a page', () => {
  const MIB = 1024 * 1024
  const many = <T>(make: (index: number) => T, maxItems = 20_000): T[] => {
    const made: T[] = []
    for (let bytes = 0; bytes < MIB && made.length < maxItems; bytes += JSON.stringify(made.at(-1)).length + 1) {
      made.push(make(made.length))
    }
    return made
  }
  const keyed = (make: (index: number) => Json, name = 'k') =>
    Object.fromEntries(many((index) => [`${name}${index}`, make(index)] as const))
  const nested = (depth: number): Json => (depth === 0 ? many(() => '"', 200) : { deeper: [nested(depth - 1)] })
  const web = (index: number) => `https://example.org/${index}/${'é'.repeat(900)}`
  const LARGE: Readonly<Record<string, Record<string, Json>>> = {
    'one text': { careInstructions: 'x'.repeat(MIB) },
    quotes: { careInstructions: '"'.repeat(MIB), brand: '"'.repeat(MIB), productName: "'".repeat(MIB) },
    'a category of capitals': { category: 'A'.repeat(MIB) },
    'short keys': keyed(() => 1),
    'keys of quotes': keyed(() => '&', '"'.repeat(60)),
    'long keys': keyed(() => '<', 'AbC'.repeat(80)),
    'a group of groups': { group: keyed(() => ({ y: 'x', z: '"' })) },
    numbers: { list: many((index) => index, 500_000) },
    'texts of one quote': { list: many(() => '"', 250_000) },
    'lists in lists': { list: many(() => [[[['"']]]], 100_000) },
    depth: { a: nested(20), b: nested(25), c: { d: nested(20) } },
    records: { list: many((index) => ({ name: `<${index}>`, a: 1, b: '"', c: { d: null } })) },
    materials: { materialComposition: many((index) => ({ material: `M${index}`, percentage: 1, note: '&' })) },
    'many compositions': Object.fromEntries(
      ['materialComposition', 'fiberComposition'].map((key) => [
        key,
        many((index) => ({ material: `M${index}`, fiber: `F${index}`, percentage: 0.001, a: '"', b: "'" }), 4000),
      ]),
    ),
    'recycled content': { recycledContent: keyed(() => ({ preConsumer: 1, postConsumer: 2 })) },
    stages: { carbonFootprint: { stages: keyed((index) => index), note: 'x' } },
    addresses: keyed(web),
    'addresses in lists': { list: many(web), more: many(web) },
    languages: { careInstructions: many((index) => [{ value: `"${index}`, language: 'en' }]) },
    places: { list: many((index) => ({ lat: index % 90, lng: 1 })) },
    technical: Object.fromEntries(['serialNumber', 'batchNumber', 'ufi'].map((key) => [key, '"'.repeat(MIB / 3)])),
  }

  it.each(Object.keys(LARGE))('is cut to a page below a megabyte: %s', (name) => {
    const metadata = { category: 'textiles', originCountry: 'PT', ...LARGE[name] }
    const page = renderPage({ ...textile, metadata, maskedKeys: [] })
    expect(Buffer.byteLength(page)).toBeLessThan(1_000_000)
    expect(words(page)).toMatch(/… and [\d,]+ more: read the full document as JSON-LD/)
  })

  it('says how many values it leaves out, in a list and in all', () => {
    const list = Array.from({ length: 1100 }, (_, index) => `item ${index}`)
    const metadata = { category: 'textiles', list, text: 'y'.repeat(5000), last: 'shown' }
    const page = words(renderPage({ ...textile, metadata, maskedKeys: [] }, 'de'))
    expect(page).toContain('item 99 ')
    expect(page).not.toContain('item 100')
    expect(page).toContain('… und noch 1.000: Das vollständige Dokument gibt es als JSON-LD')
    expect(page).toContain('… und noch 1.001: Das vollständige Dokument gibt es als JSON-LD')
    expect(page).toContain(`${'y'.repeat(4000)}…`)
    expect(page).toContain('shown')
  })

  it('is not cut where it is of a usual size', () => {
    const { longWords: _deep, ...usual } = fixtures
    for (const [name, view] of Object.entries(usual)) {
      expect(words(renderPage(view)), name).not.toContain('read the full document')
    }
  })

  it('shows a category of a megabyte by its beginning', () => {
    const page = renderPage({ ...textile, metadata: { category: 'A'.repeat(1_000_000) } })
    expect(words(page)).toContain(`${'A'.repeat(64)}…`)
    expect(words(page)).not.toContain('A'.repeat(65))
  })
})

describe('the problem page', () => {
  it.each([400, 401, 403, 404, 406, 410, 418, 429, 500, 502, 503])('has its own words for %i', (status) => {
    for (const lang of ['en', 'de']) {
      const page = renderProblemPage(new Problem(status, 'technical <b>message</b>'), lang)
      expect(page).toContain(`<html lang="${lang}">`)
      expect(words(page)).toContain(String(status))
      expect(page).not.toContain('problem.')
      expect(page).not.toContain('technical')
      expect(page).not.toContain('rel="canonical"')
    }
  })

  it('says how long to wait when the server does', () => {
    const problem = (wait: string) => new Problem(429, 'Slow down.', { headers: { 'retry-after': wait } })
    expect(words(renderProblemPage(problem('42')))).toContain('Wait 42 seconds')
    expect(words(renderProblemPage(problem('1'), 'de'))).toContain('Warten Sie 1 Sekunde und')
    expect(words(renderProblemPage(problem('Wed, 21 Oct 2026 07:28:00 GMT')))).toContain('Wait a minute')
  })
})

describe('the locale files', () => {
  const textsOf = (lang: string): unknown =>
    JSON.parse(readFileSync(join(import.meta.dirname, 'locales', `${lang}.json`), 'utf8'))
  const flat = (texts: unknown, path = ''): [string, string][] =>
    typeof texts === 'string'
      ? [[path, texts]]
      : Object.entries(texts as object).flatMap(([key, text]) => flat(text, path === '' ? key : `${path}.${key}`))

  it('have the same keys and the same parameters', () => {
    const [en, de] = [new Map(flat(textsOf('en'))), new Map(flat(textsOf('de')))]
    expect([...de.keys()].toSorted()).toEqual([...en.keys()].toSorted())
    const parameters = (text: string | undefined) => text?.match(/\{\{\w+\}\}/g)?.toSorted() ?? []
    for (const [key, text] of en) expect([key, parameters(de.get(key))]).toEqual([key, parameters(text)])
  })

  it('leave no text empty', () => {
    for (const lang of ['en', 'de']) for (const [key, text] of flat(textsOf(lang))) expect(text, key).not.toBe('')
  })

  it('name every section and every label that the page uses', () => {
    for (const lang of ['en', 'de']) {
      for (const view of Object.values(fixtures)) {
        expect(words(renderPage(view, lang))).not.toMatch(
          /\b(page|head|section|status|tier|about|chart|value|unit|seal|technical|machine|option|field)\.[a-z]/i,
        )
      }
    }
  })
})
