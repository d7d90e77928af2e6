import { inlineCode, type PassportView, type Superseded, tierOf } from '../../../src/plugin/index.ts'
import { type Act, actLinks, byLaw, withMarks } from './acts.ts'
import { type Answer, answersOf, leadingTo } from './answers.ts'
import { type Authenticity, authenticityOf, sealData } from './authenticity.ts'
import { type DocumentLink, lawLinksOf, takeDocuments } from './documents.ts'
import { excerptOf } from './excerpt.ts'
import { type JourneyPart, journeyOf } from './journey.ts'
import { type Masked, maskedOf } from './masked.ts'
import { type LanguageLink, languageLinks, queryOf } from './own-links.ts'
import { alternatesOf, brandOf, grantedQuery, type PageHead, previewLocale, previewPicture } from './page-head.ts'
import { type PageTools, pageToolsOf } from './page-tools.ts'
import { categoryOf, keyFactsOf, namesOf } from './passport-names.ts'
import { moduleSections, type Section, sectionsOf, voluntarySection } from './passport-sections.ts'
import { type PagePicture, picturesOf, storedDocuments } from './pictures.ts'
import { type Presentation, presentationOf } from './presentation.ts'
import { safeUrl } from './safe-url.ts'
import { type Signs, signsOf, type Warnings, warningsOf, withoutKeys } from './signs/index.ts'
import { type Banner, bannersOf, bannersOfEarlier } from './status.ts'
import { technicalOf } from './technical.ts'
import { plainText } from './text.ts'
import type { Label, Texts } from './texts.ts'
import type { Entry } from './value.ts'

export interface PassportPage extends PageHead {
  readonly code: string
  readonly banners: readonly Banner[]
  readonly category: Label
  readonly name: string
  readonly nameLang: string | undefined
  readonly byline: readonly string[]
  readonly keyFacts: readonly Entry[]
  readonly answers: readonly Answer[]
  readonly warnings: Warnings | undefined
  readonly signs: Signs | undefined
  readonly pageTools: PageTools
  readonly presentation: Presentation
  readonly acts: readonly Act[]
  /** In the category's order; voluntary data last. */
  readonly sections: readonly Section[]
  readonly documents: readonly DocumentLink[]
  readonly journey: JourneyPart | undefined
  readonly pictures: { readonly hero: PagePicture | undefined; readonly others: readonly PagePicture[] }
  readonly more: string | undefined
  readonly masked: Masked | undefined
  readonly authenticity: Authenticity
  readonly technical: readonly Entry[]
  readonly sealData: readonly { readonly label: Label; readonly text: string }[]
  readonly contents: readonly { readonly id: string; readonly title: string }[]
}

/**
 * Shows each metadata key in one place.
 * @param superseded set for earlier versions
 * @param grant access token of the page
 */
export function passportPage(
  whole: PassportView,
  texts: Texts,
  mediaTypes: readonly string[],
  superseded: Superseded | null = null,
  grant?: string,
): PassportPage {
  const { t } = texts
  const acts = texts.category.acts(whole.metadata)
  const marked = withMarks(texts, acts)
  const { metadata, left } = excerptOf(whole.metadata, texts.languages)
  const view = { ...whole, metadata }
  const warnings = warningsOf(view, texts)
  const signs = signsOf(view, texts)
  const { required, voluntary } = byLaw(
    withoutKeys(view.metadata, [...(warnings?.used ?? []), ...(signs?.used ?? [])]),
    acts,
    texts,
  )
  const { documents: named, remaining } = takeDocuments(required, view, marked, grant)
  const documents = [...storedDocuments(view, texts, named), ...named, ...lawLinksOf(texts)]
  const presentation = presentationOf(view.enrichment, view.baseUrl, texts)
  const section = (id: string): Section => ({ id, title: t(`section.${id}`) })
  const address = superseded?.url ?? addressOf(view)

  const category = categoryOf(view.metadata, texts)
  const { name, nameLang, brand, byline } = namesOf(view, texts)
  const authenticity = authenticityOf(view, texts, superseded)
  const alternates = alternatesOf(view, texts, mediaTypes)
  const masked = maskedOf(view, texts, superseded)
  const title = plainText(name)
  const pictures = picturesOf(view, title, texts)
  const journey = journeyOf(view, texts)
  const sections = [
    ...sectionsOf(view, remaining, marked, [
      ...(isEmpty(presentation) && pictures.others.length === 0 ? [] : [section('about')]),
      ...(documents.length > 0 ? [section('documents')] : []),
      ...(journey === undefined ? [] : [section('journey')]),
    ]),
    ...voluntarySection(view, voluntary, texts),
    ...moduleSections(view, texts),
  ]
  const contents = [
    ...sections,
    ...(masked === undefined ? [] : [section('masked')]),
    section('authenticity'),
    section('technical'),
  ]

  return {
    lang: texts.lang,
    title: view.status === 'ACTIVE' ? title : `${t(`technical.statuses.${view.status}`)}: ${title}`,
    description: [
      ...[category.text, name, brand].filter((part) => part !== undefined).map(plainText),
      t('page.description'),
    ].join(' · '),
    isIndexable: view.audience === 'public' && view.status !== 'DRAFT' && superseded === null,
    address,
    alternates,
    switcher: switcherOf(view, texts, superseded, grant),
    granted: grantedQuery(grant, superseded),
    brand: brandOf(view),
    preview: { title, locale: previewLocale(texts), picture: previewPicture(view) },
    code: inlineCode(address, 'code'),
    banners: superseded === null ? bannersOf(view, texts) : bannersOfEarlier(view, superseded, texts),
    category,
    name,
    nameLang,
    byline,
    keyFacts: keyFactsOf(view, texts),
    answers: leadingTo(contents, 'voluntary', answersOf(view, authenticity, texts)),
    warnings,
    signs,
    acts: actLinks(acts, texts),
    pageTools: pageToolsOf(
      { audience: view.audience, alternates, accessUrl: masked?.accessUrl, superseded, grant },
      texts,
    ),
    presentation,
    sections,
    documents,
    journey,
    pictures,
    more: left === 0 ? undefined : t('value.more', { count: left }),
    masked,
    authenticity,
    technical: technicalOf(view, remaining, marked),
    sealData: sealData(view, texts),
    contents,
  }
}

const isEmpty = ({ paragraphs, pictures, links }: Presentation): boolean =>
  paragraphs.length + pictures.length + links.length === 0

/** Empty if the token is not in the address, because links and forms cannot resend it. */
const switcherOf = (
  { audience }: PassportView,
  texts: Texts,
  superseded: Superseded | null,
  grant: string | undefined,
): LanguageLink[] =>
  tierOf(audience) === 'restricted' && grant === undefined ? [] : languageLinks(texts, queryOf(superseded))

// The Digital Link of a SKU is not a GS1 resolver address; the gateway redirects it.
const addressOf = ({ identifier, digitalLinkUri, baseUrl, id }: PassportView): string =>
  (identifier.scheme === 'sku' ? undefined : safeUrl(digitalLinkUri)) ?? `${baseUrl}/passport/${encodeURIComponent(id)}`
