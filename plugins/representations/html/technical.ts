import type { Json, Metadata, PassportView } from '../../../src/plugin/index.ts'
import { codeOf, withLanguage } from './own-links.ts'
import { sectionOf } from './passport-sections.ts'
import { safeUrl } from './safe-url.ts'
import type { Texts } from './texts.ts'
import { type Entry, entryOf, type Value } from './value.ts'

export function technicalOf(view: PassportView, metadata: Metadata, texts: Texts): Entry[] {
  const { t, formats } = texts
  const own = (key: string, value: Value) => technicalEntry(key, value, texts)
  const time = (iso: string): Value => ({ kind: 'own', text: formats.dateTime(iso) ?? iso })
  const link = safeUrl(view.digitalLinkUri)
  return [
    own('status', { kind: 'own', text: t(`technical.statuses.${view.status}`) }),
    own(`identifier.${view.identifier.scheme}`, { kind: 'text', text: view.identifier.value }),
    ...(view.productId === view.identifier.value ? [] : [own('productId', { kind: 'text', text: view.productId })]),
    ...texts.category
      .inOrder(Object.keys(metadata))
      .filter((key) => sectionOf(key, texts) === 'technical')
      .map((key) => entryOf(metadata[key] as Json, key, texts)),
    own(
      'digitalLink',
      link === undefined ? { kind: 'text', text: view.digitalLinkUri } : { kind: 'link', href: link, text: link },
    ),
    own('passportId', { kind: 'text', text: view.id }),
    ...versionsOf(view, texts),
    own('createdAt', time(view.createdAt)),
    own('updatedAt', time(view.updatedAt)),
    ...(view.availableUntil === undefined
      ? []
      : [own('availableUntil', { kind: 'own', text: formats.date(view.availableUntil) ?? view.availableUntil })]),
    ...(view.retentionUntil === null
      ? []
      : [own('retentionUntil', { kind: 'own', text: formats.date(view.retentionUntil) ?? view.retentionUntil })]),
  ]
}

const technicalEntry = (key: string, value: Value, { t }: Texts): Entry => ({
  label: { text: t(`technical.${key}`), foreign: false },
  value,
})

function versionsOf({ versions, baseUrl, id }: PassportView, texts: Texts): Entry[] {
  const { t, formats } = texts
  const { shown = null, earlier = [] } = versions ?? {}
  const own = (key: string, value: Value) => technicalEntry(key, value, texts)
  const address = `${baseUrl}/passport/${encodeURIComponent(id)}`
  return [
    ...(shown === null ? [] : [own('version', { kind: 'own', text: formats.number(shown) })]),
    ...(earlier.length === 0
      ? []
      : [
          own('earlierVersions', {
            kind: 'list',
            items: earlier.map(({ number, until }) => ({
              kind: 'link',
              href: withLanguage(`${address}?version=${number}`, codeOf(texts)),
              text: `${t('technical.version')} ${formats.number(number)} (${formats.date(until) ?? until})`,
            })),
          }),
        ]),
  ]
}
