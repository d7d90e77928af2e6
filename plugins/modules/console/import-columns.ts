import type { ImportColumn, TablePreview } from './other-modules.ts'
import type { FieldError, PageRequest, Translate } from './site.ts'

const PREFIX = 'column.'

/** Headings of a table with the fields that a person types for them: names of fields, or their keys. */
export function columnMatch(columns: readonly ImportColumn[], isColumn: (key: string) => boolean, t: Translate) {
  const labels = Map.groupBy(columns, ({ label }) => folded(label))
  /** Names that several fields have are followed by the key. */
  const nameOf = ({ key, label }: ImportColumn) =>
    label === key || labels.get(folded(label))?.length === 1 ? label : `${label} (${key})`
  const names = new Map(columns.map((column) => [column.key, nameOf(column)]))
  const keys = new Map([...names].flatMap(([key, name]) => [key, name].map((text) => [folded(text), key] as const)))

  return { names: [...names.values()], shown, read, errorsIn }

  /** Text of each heading: typed, else chosen before, else the field of the same name or key. */
  function shown(headings: readonly TablePreview[], typed: PageRequest['form']) {
    return headings.map(({ heading, samples, key = keyFor(heading) }, place) => {
      return {
        heading,
        samples,
        field: fieldOf(place),
        name: PREFIX + heading,
        value: typed[PREFIX + heading] ?? names.get(key) ?? key,
      }
    })
  }

  function keyFor(heading: string): string {
    return keys.get(folded(heading)) ?? (isColumn(heading) ? heading : '')
  }

  /** Keys by heading; undefined if the form has no columns. */
  function read(form: PageRequest['form']): Record<string, string> | undefined {
    const chosen = Object.entries(form).filter(([name]) => name.startsWith(PREFIX))
    if (chosen.length === 0) return undefined
    return Object.fromEntries(
      chosen.map(([name, text = '']) => [name.slice(PREFIX.length), keys.get(folded(text)) ?? text]),
    )
  }

  function errorsIn(chosen: Readonly<Record<string, string>>, headings: readonly TablePreview[]): FieldError[] {
    const errors: FieldError[] = []
    const seen = new Set<string>()
    for (const [place, { heading }] of headings.entries()) {
      const key = chosen[heading] ?? ''
      if (key === '') continue
      const isKnown = names.has(key) || isColumn(key)
      if (!isKnown) errors.push({ field: fieldOf(place), message: t('imports.unknown', { text: key }) })
      else if (seen.has(key))
        errors.push({ field: fieldOf(place), message: t('imports.twice', { field: names.get(key) ?? key }) })
      seen.add(key)
    }
    if (errors.length > 0 || seen.has('productId')) return errors
    return [{ field: fieldOf(0), message: t('imports.noProduct') }]
  }
}

const fieldOf = (place: number) => `c${place}`

const folded = (text: string): string => text.trim().toLowerCase()
