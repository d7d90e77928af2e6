import type { BatchView } from '../../../src/plugin/index.ts'
import { leadingTo, maker, next, signers } from './answers.ts'
import { excerptOf } from './excerpt.ts'
import { fact, foreign, type ItemPage, itemPage, linkEntry, own } from './item-page.ts'
import { maskedOf } from './masked.ts'
import { bannersOf } from './status.ts'
import type { Texts } from './texts.ts'
import { type Entry, entryOf } from './value.ts'

interface BatchPage extends ItemPage {
  readonly differing: readonly Entry[]
  readonly more: string | undefined
}

export function batchPage(batch: BatchView, texts: Texts, mediaTypes: readonly string[], grant?: string): BatchPage {
  const { t, formats } = texts
  const { ofModel, batchNumber, maskedKeys, grantableKeys } = batch
  const { metadata, left } = excerptOf(batch.metadata, texts.languages)
  const differing = texts.category
    .inOrder(Object.keys(metadata))
    .filter((key) => !batch.maskedKeys.includes(key))
    .map((key) => entryOf(metadata[key] ?? null, key, texts))
  const visible = Object.entries(batch.metadata).filter(([key]) => !batch.maskedKeys.includes(key))
  const merged = { ...ofModel, metadata: { ...ofModel.metadata, ...Object.fromEntries(visible) } }
  const masked = maskedOf({ ...ofModel, maskedKeys, grantableKeys }, texts, null)
  const address = `${batch.baseUrl}/batch/${encodeURIComponent(batch.id)}`
  const page = itemPage(
    batch,
    { called: batchNumber, address, masked, unsealed: 'item.unsealed', grant },
    texts,
    mediaTypes,
  )
  const number = fact(t('batch.number'), foreign(batchNumber))
  const time = (iso: string) => own(formats.dateTime(iso) ?? iso)
  const section = (id: string, title: string) => ({ id, title })
  const contents = [
    section('differing', t('batch.differs')),
    ...(masked === undefined ? [] : [section('masked', t('section.masked'))]),
    section('product', t('unit.passport')),
    section('technical', t('section.technical')),
  ]
  const answers = [signers(page.product.authenticity, texts), next(merged, texts), maker(merged, texts)]
  return {
    ...page,
    banners: bannersOf(ofModel, texts),
    keyFacts: [
      number,
      ...(batch.manufacturedAt === null
        ? []
        : [fact(t('unit.manufacturedAt'), own(formats.date(batch.manufacturedAt) ?? batch.manufacturedAt))]),
    ],
    answers: leadingTo(
      contents,
      'product',
      answers.filter((answer) => answer !== undefined),
    ),
    contents,
    differing,
    more: left === 0 ? undefined : t('value.more', { count: left }),
    technical: [
      number,
      linkEntry(batch.digitalLinkUri, texts),
      fact(t('technical.passportId'), foreign(ofModel.id)),
      fact(t('technical.createdAt'), time(batch.createdAt)),
    ],
  }
}
