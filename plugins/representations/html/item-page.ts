import { type BatchView, inlineCode, type PassportView, tierOf, type UnitView } from '../../../src/plugin/index.ts'
import type { Answer } from './answers.ts'
import { type Authenticity, authenticityOf } from './authenticity.ts'
import { companiesOf } from './companies.ts'
import type { Masked } from './masked.ts'
import { codeOf, languageLinks, withLanguage } from './own-links.ts'
import { alternatesOf, brandOf, grantedQuery, type PageHead, previewLocale, previewPicture } from './page-head.ts'
import { type PageTools, pageToolsOf } from './page-tools.ts'
import { categoryOf, namesOf } from './passport-names.ts'
import { type PagePicture, picturesOf } from './pictures.ts'
import { safeUrl } from './safe-url.ts'
import type { Banner } from './status.ts'
import { plainText } from './text.ts'
import type { Label, Texts } from './texts.ts'
import type { Entry, Value } from './value.ts'

export interface ItemPage extends PageHead {
  readonly code: string
  readonly pictures: { readonly hero: PagePicture | undefined; readonly others: readonly PagePicture[] }
  readonly banners: readonly Banner[]
  readonly category: Label
  readonly name: string
  readonly nameLang: string | undefined
  readonly byline: readonly string[]
  readonly keyFacts: readonly Entry[]
  readonly answers: readonly Answer[]
  readonly pageTools: PageTools
  readonly contents: readonly { readonly id: string; readonly title: string }[]
  readonly masked: Masked | undefined
  readonly product: { readonly facts: readonly Entry[]; readonly authenticity: Authenticity }
  readonly technical: readonly Entry[]
}

/**
 * Builds the parts of an item page that derive from its product.
 * @param item `called`: serial or batch number; `grant`: access token; `unsealed`: key of the text that the product's seal does not cover
 * the item
 */
export function itemPage(
  { audience, ofModel }: Pick<UnitView | BatchView, 'audience' | 'ofModel'>,
  {
    called,
    address,
    masked,
    unsealed,
    grant,
  }: Pick<ItemPage, 'masked'> &
    Record<'called' | 'address' | 'unsealed', string> & { readonly grant?: string | undefined },
  texts: Texts,
  mediaTypes: readonly string[],
): Omit<ItemPage, 'banners' | 'keyFacts' | 'answers' | 'contents' | 'technical'> {
  const { name, nameLang, byline } = namesOf(ofModel, texts)
  const category = categoryOf(ofModel.metadata, texts)
  const title = plainText(`${name}, ${called}`)
  const alternates = alternatesOf(ofModel, texts, mediaTypes)
  const authenticity = authenticityOf(ofModel, texts)
  return {
    lang: texts.lang,
    title,
    description: [category.text, name, called, texts.t('page.description')].map(plainText).join(' · '),
    // Not indexed: a serial number may identify the owner.
    isIndexable: false,
    address,
    alternates,
    switcher: tierOf(audience) === 'restricted' && grant === undefined ? [] : languageLinks(texts),
    granted: grantedQuery(grant),
    brand: brandOf(ofModel),
    preview: { title, locale: previewLocale(texts), picture: previewPicture(ofModel) },
    pictures: { hero: picturesOf(ofModel, name, texts).hero, others: [] },
    code: inlineCode(address, 'code'),
    category,
    name,
    nameLang,
    byline,
    pageTools: pageToolsOf({ audience, alternates, accessUrl: masked?.accessUrl, superseded: null, grant }, texts),
    masked,
    product: {
      facts: productFacts(ofModel, name, texts),
      authenticity: ofItem(authenticity, texts.t(unsealed), texts.t('seal.sealed.masked')),
    },
  }
}

export const fact = (label: string, value: Value): Entry => ({ label: { text: label, foreign: false }, value })
export const own = (text: string): Value => ({ kind: 'own', text })
export const foreign = (text: string): Value => ({ kind: 'text', text })

function productFacts(product: PassportView, name: string, texts: Texts): Entry[] {
  const href = withLanguage(`${product.baseUrl}/passport/${encodeURIComponent(product.id)}`, codeOf(texts))
  const { identifier } = product
  return [
    fact(texts.t('unit.passport'), { kind: 'link', href, text: name }),
    fact(texts.t(`technical.identifier.${identifier.scheme}`), foreign(identifier.value)),
    ...companiesOf(product, texts),
  ]
}

export function linkEntry(digitalLinkUri: string, { t }: Texts): Entry {
  const link = safeUrl(digitalLinkUri)
  return fact(
    t('technical.digitalLink'),
    link === undefined ? foreign(digitalLinkUri) : { kind: 'link', href: link, text: link },
  )
}

/** Adapts the product's seal: it covers neither the item nor its measurements. */
const ofItem = (authenticity: Authenticity, unsealed: string, masked: string): Authenticity => ({
  ...authenticity,
  ...(authenticity.isSealed ? { short: unsealed } : {}),
  points: [unsealed, ...authenticity.points.filter((point) => point !== masked)],
})
