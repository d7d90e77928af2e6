import type { CategoryDescription } from '../../../../src/plugin/index.ts'
import { ENTRY } from '../../../../src/plugin/module.ts'
import type { FieldError, Translate } from '../site.ts'
import type { Field, Scalar } from './fields.ts'
import { type FormValues, keysName, languageName, nameOf, rawName, textName } from './form-values.ts'
import type { Notation } from './notation.ts'
import { keysOf } from './read-form.ts'

interface Input {
  readonly name: string
  readonly value: string
  readonly type: 'text' | 'date' | 'textarea' | 'select'
  readonly options?: readonly { readonly value: string; readonly text: string }[]
  readonly inputmode?: string
  readonly list?: string
  readonly maxlength?: number
}

interface Row {
  readonly key: string
  readonly language: Input
  readonly text: Input
  readonly errors: readonly FieldError[]
}

interface Entry {
  readonly key: string
  readonly number: number
  readonly control: Control
}

/** Field of a form as templates draw it. Its `id` is `f-` and the name. */
export interface Control {
  readonly name: string
  readonly label: string
  readonly help: string
  readonly unit?: string | undefined
  readonly isRequired: boolean
  readonly isKind: boolean
  /** Points of the law that require the value. */
  readonly points: readonly string[]
  /** Readers of a value that is not public: keys below `editor.audience`. */
  readonly audience?: readonly string[] | undefined
  readonly error?: string | undefined
  readonly isStated: boolean
  readonly input?: Input
  /** JSON text of a value that the schema does not describe. */
  readonly raw?: Input
  readonly rows?: readonly Row[]
  readonly keys?: string
  readonly members?: readonly Control[]
  readonly entries?: readonly Entry[]
  readonly depth: number
}

export interface ControlContext {
  readonly values: FormValues
  readonly errors: readonly FieldError[]
  readonly description: CategoryDescription
  readonly notation: Notation
  readonly lang: string
  readonly t: Translate
  readonly audiencesOf: (key: string) => readonly string[] | undefined
}

/** Returns the controls of fields; other forms and given values only if they are stored. */
export const controlsOf = (fields: readonly Field[], context: ControlContext): readonly Control[] =>
  fields
    .map((field) => controlOf(field, nameOf('', field.key), context, 0))
    .filter(({ isStated }, place) => isStated || !(fields[place]?.isOtherForm || fields[place]?.isGiven))

const MAX_SHOWN_MEMBERS = 6
const LONG_TEXT = 80

function controlOf(field: Field, name: string, context: ControlContext, depth: number): Control {
  const { values, errors, description } = context
  const raw = values[rawName(name)]
  const group = field.trail.filter((key) => key !== ENTRY).at(-2)
  const isTop = field.trail.length === 1
  const label =
    field.key === ENTRY ? '' : (description.label(field.key, group) ?? humanised(field.key)).replaceAll('\u00ad', '')
  const help = field.key === ENTRY ? '' : description.help(field.description)
  return {
    ...{ name, depth, label },
    help: help.toLowerCase() === `${label}.`.toLowerCase() ? '' : help,
    unit: field.unit === undefined ? undefined : unitIn(field.unit, context),
    isRequired: field.isRequired,
    isKind: field.isKind,
    points: field.points,
    audience: isTop ? context.audiencesOf(field.key) : undefined,
    error: errors.find((error) => error.field === name || error.field === rawName(name))?.message,
    isStated: isStated(values, name),
    ...(raw === undefined
      ? formsOf(field, name, context, depth)
      : { raw: { name: rawName(name), value: raw, type: 'textarea' } }),
  }
}

function isStated(values: FormValues, name: string): boolean {
  for (const other in values) {
    const isInside = other === name || other.startsWith(`${name}.`) || other === rawName(name)
    if (isInside && (values[other] ?? '') !== '') return true
  }
  return false
}

function formsOf(field: Field, name: string, context: ControlContext, depth: number): Partial<Control> {
  const { values } = context
  const keys = keysOf(values, name)
  if (field.words === 'one') return { rows: rowsOf(name, keys ?? [], context), keys: keysName(name) }
  if (field.words === 'many') {
    const shown = keys === undefined || keys.length === 0 ? ['n1'] : keys
    const entries = shown.map((key, place): Entry => {
      const inner = `${name}.${key}`
      const control = controlOf(
        { ...field, key: ENTRY, words: 'one', trail: [...field.trail, ENTRY] },
        inner,
        context,
        depth + 1,
      )
      return { key, number: place + 1, control: { ...control, help: '', points: [] } }
    })
    return { entries, keys: keysName(name) }
  }
  return {
    ...(field.scalar === undefined ? {} : { input: inputOf(field, field.scalar, name, context) }),
    ...(field.members === undefined
      ? {}
      : {
          members: field.members
            .map((member) => controlOf(member, nameOf(name, member.key), context, depth + 1))
            .map((control) => withoutPoints(control, field.points))
            .filter((control, place) => control.isStated || !hidden(field.members?.[place])),
        }),
    ...(field.entries === undefined
      ? {}
      : { entries: entriesOf(field.entries, name, keys, context, depth), keys: keysName(name) }),
  }
}

/** A group states the points that its members share with it. */
const withoutPoints = (control: Control, stated: readonly string[]): Control => ({
  ...control,
  points: control.points.filter((point) => !stated.includes(point)),
})

const hidden = (field: Field | undefined): boolean => field?.isOtherForm === true || field?.isGiven === true

/** An empty list has an empty entry, if entries are small. */
function entriesOf(
  entry: Field,
  name: string,
  keys: readonly string[] | undefined,
  context: ControlContext,
  depth: number,
): readonly Entry[] {
  const isSmall = depth === 0 && (entry.members?.length ?? 0) <= MAX_SHOWN_MEMBERS
  const shown = keys !== undefined && keys.length > 0 ? keys : isSmall || entry.scalar !== undefined ? ['n1'] : []
  return shown.map((key, place) => ({
    key,
    number: place + 1,
    control: repeated(controlOf(entry, `${name}.${key}`, context, depth + 1), place),
  }))
}

/** The first entry of a list explains its fields. */
const repeated = (control: Control, place: number): Control =>
  place === 0
    ? control
    : {
        ...control,
        help: '',
        points: [],
        ...(control.members === undefined ? {} : { members: control.members.map((member) => repeated(member, place)) }),
      }

function rowsOf(name: string, keys: readonly string[], { values, errors }: ControlContext): readonly Row[] {
  const shown = keys.length === 0 ? ['n1'] : keys
  return shown.map((key) => {
    const [language, text] = [languageName(name, key), textName(name, key)]
    return {
      key,
      language: { name: language, value: values[language] ?? '', type: 'text', list: 'languages' },
      text: { name: text, value: values[text] ?? '', type: 'textarea' },
      errors: errors.filter(({ field }) => field === language || field === text),
    }
  })
}

function inputOf({ key, trail }: Field, scalar: Scalar, name: string, context: ControlContext): Input {
  const value = context.values[name] ?? ''
  const { kind, options, maxLength } = scalar
  const base = { name, value, ...(maxLength === undefined ? {} : { maxlength: maxLength }) }
  const { t, description } = context
  switch (kind) {
    case 'choice': {
      const named = key === ENTRY ? (trail.findLast((step) => step !== ENTRY) ?? '') : key
      const spelled = (options ?? []).map((option) => (option.toLowerCase() === value.toLowerCase() ? value : option))
      const all = value === '' || spelled.includes(value) ? spelled : [...spelled, value]
      const choices = all.map((option) => ({
        value: option,
        text: description.option(named, option)?.replaceAll('\u00ad', '') ?? option,
      }))
      return { ...base, type: 'select', options: [{ value: '', text: t('editor.none') }, ...choices] }
    }
    case 'truth':
      return {
        ...base,
        type: 'select',
        options: [
          { value: '', text: t('editor.none') },
          ...['true', 'false'].map((one) => ({ value: one, text: t(`editor.${one}`) })),
          ...(['', 'true', 'false'].includes(value) ? [] : [{ value, text: value }]),
        ],
      }
    case 'number':
    case 'integer':
      return { ...base, type: 'text', inputmode: kind === 'integer' ? 'numeric' : 'decimal' }
    case 'date':
      return { ...base, type: value === '' || /^\d{4}-\d{2}-\d{2}$/.test(value) ? 'date' : 'text' }
    case 'country':
      return { ...base, type: 'text', list: 'countries' }
    case 'language':
      return { ...base, type: 'text', list: 'languages' }
    case 'address':
      return { ...base, type: 'text', inputmode: 'url' }
    case 'email':
      return { ...base, type: 'text', inputmode: 'email' }
    default:
      return { ...base, type: value.includes('\n') || value.length > LONG_TEXT ? 'textarea' : 'text' }
  }
}

const UNITS: ReadonlySet<string> = new Set(Intl.supportedValuesOf('unit'))

function unitIn(unit: string, { lang, description }: ControlContext): string {
  if (!UNITS.has(unit)) return description.unit(unit)
  const parts = new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'short' }).formatToParts(2)
  return parts.find(({ type }) => type === 'unit' || type === 'percentSign')?.value.trim() ?? unit
}

function humanised(key: string): string {
  const words = key
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
