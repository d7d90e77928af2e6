import { type BatchView, inlineCode, tierOf } from '../../../src/plugin/index.ts'
import { type Answer, maker, next, vouched } from './answers.ts'
import type { Authenticity } from './authenticity.ts'
import { excerptOf } from './excerpt.ts'
import { codeOf, languageLinks, withLanguage } from './own-links.ts'
import { alternatesOf, brandOf, type PageHead, previewLocale, previewPicture } from './page-head.ts'
import { categoryOf, type Masked, namesOf } from './passport-page.ts'
import { type PagePicture, picturesOf } from './pictures.ts'
import { type Banner, bannersOf } from './status.ts'
import { type TakeAway, takeAwayOf } from './take-away.ts'
import { plainText } from './text.ts'
import type { Label, Texts } from './texts.ts'
import { fact, foreign, linkEntry, own, productFacts, vouchedFor } from './unit-page.ts'
import { type Entry, entryOf } from './value.ts'

/** Everything that `templates/batch.eta` writes, in its order. */
interface BatchPage extends PageHead {
  /** The address as a code, for whoever reads the page on paper: markup. */
  readonly code: string
  readonly pictures: { readonly hero: PagePicture | undefined; readonly others: readonly PagePicture[] }
  readonly banners: readonly Banner[]
  readonly category: Label
  readonly name: string
  readonly nameLang: string | undefined
  readonly byline: readonly string[]
  readonly keyFacts: readonly Entry[]
  readonly answers: readonly Answer[]
  readonly takeAway: TakeAway
  readonly contents: readonly { readonly id: string; readonly title: string }[]
  /** What the batch says that its product does not. */
  readonly differing: readonly Entry[]
  /** That there are more values than the page shows. */
  readonly more: string | undefined
  readonly masked: Masked | undefined
  readonly product: { readonly facts: readonly Entry[]; readonly authenticity: Authenticity }
  readonly technical: readonly Entry[]
}

/** One batch as a page: what is different in it, and what product it is of. */
export function batchPage(batch: BatchView, texts: Texts, mediaTypes: readonly string[]): BatchPage {
  const { t, formats } = texts
  const { audience, baseUrl, ofModel, batchNumber } = batch
  const { name, nameLang, byline } = namesOf(ofModel, texts)
  const category = categoryOf(ofModel.metadata, texts)
  const { metadata, left } = excerptOf(batch.metadata, texts.languages)
  const differing = texts.category
    .inOrder(Object.keys(metadata))
    .filter((key) => !batch.maskedKeys.includes(key))
    .map((key) => entryOf(metadata[key] ?? null, key, texts))
  // What to do with it, and where it was made, is as the batch says where it says so.
  const said = Object.entries(batch.metadata).filter(([key]) => !batch.maskedKeys.includes(key))
  const merged = { ...ofModel, metadata: { ...ofModel.metadata, ...Object.fromEntries(said) } }
  const title = plainText(`${name}, ${batchNumber}`)
  const address = `${baseUrl}/batch/${encodeURIComponent(batch.id)}`
  const alternates = alternatesOf(ofModel, texts, mediaTypes)
  const masked = maskedOf(batch, texts)
  const authenticity = vouchedFor(ofModel, 'item.unsealed', texts)
  const number = fact(t('batch.number'), foreign(batchNumber))
  const time = (iso: string) => own(formats.dateTime(iso) ?? iso)
  const section = (id: string, title: string) => ({ id, title })
  return {
    lang: texts.lang,
    title,
    description: [category.text, name, batchNumber, t('page.description')].map(plainText).join(' · '),
    isIndexable: false,
    address,
    alternates,
    switcher: tierOf(audience) === 'restricted' ? [] : languageLinks(texts),
    brand: brandOf(ofModel),
    preview: { title, locale: previewLocale(texts), picture: previewPicture(ofModel) },
    pictures: { hero: picturesOf(ofModel, name, texts).hero, others: [] },
    code: inlineCode(address, 'code'),
    banners: bannersOf(ofModel, texts),
    category,
    name,
    nameLang,
    byline,
    keyFacts: [
      number,
      ...(batch.manufacturedAt === null
        ? []
        : [fact(t('unit.manufacturedAt'), own(formats.date(batch.manufacturedAt) ?? batch.manufacturedAt))]),
    ],
    answers: [vouched(authenticity, texts), next(merged, texts), maker(merged, texts)].filter(
      (answer) => answer !== undefined,
    ),
    takeAway: takeAwayOf({ audience, alternates, accessUrl: masked?.accessUrl, superseded: null }, texts),
    contents: [
      section('differing', t('batch.differs')),
      ...(masked === undefined ? [] : [section('masked', t('section.masked'))]),
      section('product', t('unit.passport')),
      section('technical', t('section.technical')),
    ],
    differing,
    more: left === 0 ? undefined : t('value.more', { count: left }),
    masked,
    product: { facts: productFacts(ofModel, name, texts), authenticity },
    technical: [
      number,
      linkEntry(batch.digitalLinkUri, texts),
      fact(t('technical.passportId'), foreign(ofModel.id)),
      fact(t('technical.createdAt'), time(batch.createdAt)),
    ],
  }
}

function maskedOf({ maskedKeys, grantableKeys, ofModel, baseUrl }: BatchView, texts: Texts): Masked | undefined {
  if (maskedKeys.length === 0) return undefined
  return {
    text: texts.t('masked.text'),
    note: texts.category.maskedNote,
    labels: maskedKeys.map((key) => texts.label(key)),
    accessUrl:
      ofModel.status === 'DRAFT' || grantableKeys.length === 0
        ? undefined
        : withLanguage(`${baseUrl}/request-access?passport=${encodeURIComponent(ofModel.id)}`, codeOf(texts)),
  }
}
