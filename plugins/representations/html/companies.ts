import { isGroup, type Json, type JsonRecord, type Metadata, type PassportView } from '../../../src/plugin/index.ts'
import { contactOf } from './contact.ts'
import type { Label, Texts } from './texts.ts'
import { type Entry, entryOf, showValue, type Value } from './value.ts'

/** Includes the facility only if visible to the reader (specification 2.3, 2.4). */
export const companiesOf = (view: Companies, texts: Texts): Entry[] => mergedCompanies(view, {}, texts).entries

type Companies = Pick<PassportView, 'operator' | 'facility'>

/**
 * Merges companies with metadata about a company or place of the same name.
 * @returns entries, and the merged metadata keys
 */
export function mergedCompanies(
  { operator, facility }: Companies,
  metadata: Metadata,
  texts: Texts,
): { readonly entries: Entry[]; readonly used: ReadonlySet<string> } {
  const used = new Set<string>()
  const merged = (label: string, name: string, details: readonly Entry[]): Entry => {
    const key = Object.keys(metadata).find((candidate) => !used.has(candidate) && isNamed(metadata[candidate], name))
    if (key === undefined) return companyEntry({ text: label, foreign: false }, name, details)
    used.add(key)
    const stated = texts.label(key)
    const known = new Set([name, ...details.map(({ value }) => wordsIn(value))].map(alike))
    const more = Object.entries(metadata[key] as JsonRecord<Json>)
      .map(([member, json]) => entryOf(json, member, texts, key))
      .filter(({ value }) => !known.has(alike(wordsIn(value))))
    return companyEntry({ ...stated, text: `${label}, ${stated.text}` }, name, [...details, ...more])
  }
  const entry = (key: string, value: Value): Entry => ({
    label: { text: texts.t(`origin.${key}`), foreign: false },
    value,
  })
  const text = (words: string): Value => ({ kind: 'text', text: words })
  const role = roleOf(operator.role, texts)
  const entries = [
    merged(texts.t('origin.operator'), operator.name, [
      entry('role', role === undefined ? text(operator.role) : { kind: 'own', text: role }),
      entry('regId', text(operator.regId)),
      ...contactOf({ operator }, texts).map(({ label, text: words, href }): Entry => {
        const value: Value = href === undefined ? text(words) : { kind: 'link', href, text: words }
        return { label: { text: label, foreign: false }, value }
      }),
    ]),
  ]
  if (facility === null) return { entries, used }
  const { name, activity, country, gln, streetAddress, postalCode, city } = facility
  const lines = [streetAddress, [postalCode, city].filter(Boolean).join(' ')].filter((line) => line)
  const details = [
    ...(activity ? [entry('activity', text(activity))] : []),
    ...(country ? [entry('country', showValue(country, 'country', texts))] : []),
    ...(lines.length > 0 ? [entry('address', text(lines.join('\n')))] : []),
    entry('gln', text(gln)),
  ]
  entries.push(merged(texts.t('origin.facility'), name, details))
  return { entries, used }
}

const companyEntry = (label: Label, name: string, entries: readonly Entry[]): Entry => ({
  label,
  value: { kind: 'items', items: [{ title: { kind: 'text', text: name }, entries, isBrief: false }] },
})

const isNamed = (json: Json | undefined, name: string): boolean =>
  isGroup(json) &&
  NAMES.some((member) => {
    const stated = json[member]
    return typeof stated === 'string' && alike(stated) === alike(name)
  })

const NAMES = ['name', 'plant', 'facilityName']

const alike = (text: string): string =>
  text
    .toLocaleLowerCase()
    .replace(/[\s,]+/g, ' ')
    .trim()
    .replace(/\/$/, '')

const wordsIn = (value: Value): string =>
  value.kind === 'link'
    ? value.href.replace(/^(https?:\/\/|mailto:|tel:)/, '')
    : 'text' in value
      ? value.text
      : JSON.stringify(value)

export function roleOf(role: string, { t }: Texts): string | undefined {
  const text = /^\w+$/.test(role) ? t(`origin.roles.${role.toLowerCase()}`, { defaultValue: '' }) : ''
  return text === '' ? undefined : text
}
