import type { Json } from '../../../../src/plugin/index.ts'
import { ENTRY } from '../../../../src/plugin/module.ts'
import type { Translate } from '../site.ts'
import type { Control } from './controls.ts'
import type { Field } from './fields.ts'
import { type FormValues, valuesOf } from './form-values.ts'
import type { Notation } from './notation.ts'

interface Wording {
  readonly notation: Notation
  readonly t: Translate
  day(date: string): string
  control(field: Field, values: FormValues): Control | undefined
}

interface Place {
  readonly labels: readonly string[]
  /** Undefined if no field describes the value. */
  readonly field: Field | undefined
}

/** Labels of the steps of a JSON Pointer; entries of lists have a number, translations their language. */
export function placeOf(fields: readonly Field[], [key = '', ...rest]: readonly string[], wording: Wording): Place {
  const top = fields.find((field) => field.key === key)
  const start: Place = { labels: [labelOf(top, key, wording)], field: top }
  return rest.reduce<Place>(({ labels, field }, step) => {
    const inner = innerField(field, step)
    const label =
      field?.words !== undefined && !isPlace(step) ? wording.notation.showLanguage(step) : labelOf(inner, step, wording)
    return { labels: [...labels, label], field: inner }
  }, start)
}

const isPlace = (step: string): boolean => /^\d+$/.test(step)

function innerField(field: Field | undefined, step: string): Field | undefined {
  if (!isPlace(step)) return field?.members?.find(({ key }) => key === step)
  return field?.words === 'many'
    ? { ...field, key: ENTRY, words: 'one', trail: [...field.trail, ENTRY] }
    : field?.entries
}

function labelOf(field: Field | undefined, step: string, { control }: Wording): string {
  if (isPlace(step)) return String(Number(step) + 1)
  return (field && control(field, {})?.label) ?? step
}

const MAX_TEXTS = 20

/** Texts of a value as its form shows them, without names of keys and codes that have a label. */
export function textsOf(field: Field | undefined, value: Json | undefined, wording: Wording): readonly string[] {
  if (value === undefined) return []
  const values = field && valuesOf({ fields: [field], sections: [] }, { [field.key]: value }, wording.notation)
  const control = field && values && wording.control(field, values)
  const texts = control === undefined ? [plain(value, wording)] : textsIn(control, wording)
  return texts.length > MAX_TEXTS ? [...texts.slice(0, MAX_TEXTS), '…'] : texts
}

function textsIn({ raw, input, unit, rows = [], members = [], entries = [] }: Control, wording: Wording): string[] {
  if (raw !== undefined) return [plain(JSON.parse(raw.value), wording)]
  const single = input === undefined || input.value === '' ? [] : [[shown(input, wording), unit ?? ''].join(' ').trim()]
  const words = rows.flatMap(({ language, text }) =>
    text.value === '' ? [] : [language.value === '' ? text.value : `${language.value}: ${text.value}`],
  )
  const group = members.flatMap((member) => {
    const texts = textsIn(member, wording)
    return texts.length === 0 ? [] : [`${member.label}: ${texts.join(member.entries === undefined ? ', ' : '; ')}`]
  })
  const list = entries.map(({ control }) => textsIn(control, wording).join(', ')).filter((text) => text !== '')
  return [...single, ...words, ...group, ...list]
}

function shown({ type, value, options }: NonNullable<Control['input']>, { day }: Wording): string {
  if (type === 'date') return day(value)
  return options?.find((option) => option.value === value)?.text ?? value
}

/** Value that no field describes. */
function plain(value: Json, wording: Wording): string {
  if (typeof value === 'boolean') return wording.t(`editor.${value}`)
  if (typeof value === 'number') return wording.notation.showNumber(value)
  if (typeof value === 'string') return value
  if (value === null) return wording.t('editor.none')
  return Array.isArray(value)
    ? value.map((one) => plain(one, wording)).join(', ')
    : Object.entries(value)
        .map(([key, one]) => `${key}: ${plain(one, wording)}`)
        .join(', ')
}
