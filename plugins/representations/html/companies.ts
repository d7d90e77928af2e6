import type { PassportView } from '../../../src/plugin/index.ts'
import { contactOf } from './contact.ts'
import type { Texts } from './texts.ts'
import { type Entry, showValue, type Value } from './value.ts'

/** The economic operator, and the facility as far as it is shown to the reader (specification 2.3, 2.4). */
export function companiesOf({ operator, facility }: PassportView, texts: Texts): Entry[] {
  const entry = (key: string, value: Value): Entry => ({
    label: { text: texts.t(`origin.${key}`), foreign: false },
    value,
  })
  const text = (words: string): Value => ({ kind: 'text', text: words })
  const role = roleOf(operator.role, texts)
  const entries = [
    entry('operator', {
      kind: 'items',
      items: [
        {
          title: text(operator.name),
          entries: [
            entry('role', role === undefined ? text(operator.role) : { kind: 'own', text: role }),
            entry('regId', text(operator.regId)),
            ...contactOf({ operator }, texts).map(({ label, text: words, href }): Entry => {
              const value: Value = href === undefined ? text(words) : { kind: 'link', href, text: words }
              return { label: { text: label, foreign: false }, value }
            }),
          ],
          isBrief: false,
        },
      ],
    }),
  ]
  if (facility === null) return entries
  const { name, activity, country, gln, streetAddress, postalCode, city } = facility
  const lines = [streetAddress, [postalCode, city].filter(Boolean).join(' ')].filter((line) => line)
  const details = [
    ...(activity ? [entry('activity', text(activity))] : []),
    ...(country ? [entry('country', showValue(country, 'country', texts))] : []),
    ...(lines.length > 0 ? [entry('address', text(lines.join('\n')))] : []),
    entry('gln', text(gln)),
  ]
  entries.push(entry('facility', { kind: 'items', items: [{ title: text(name), entries: details, isBrief: false }] }))
  return entries
}

/** An operator's role in words; undefined where nobody knows it. */
export function roleOf(role: string, { t }: Texts): string | undefined {
  const text = /^\w+$/.test(role) ? t(`origin.roles.${role.toLowerCase()}`, { defaultValue: '' }) : ''
  return text === '' ? undefined : text
}
