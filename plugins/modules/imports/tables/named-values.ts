import type { JsonRecord } from '../../../../src/plugin/index.ts'
import { COUNTRY_CODES, ENTRY, once, propertiesOf } from '../../../../src/plugin/module.ts'
import type { Headings } from './columns.ts'
import type { Cell, Row } from './table.ts'

type Named = 'country' | 'date'

/**
 * Reads what a form accepts: names of categories and countries in the reader's language, codes of countries in small letters, and dates such
 * as 31.12.2026.
 * @param nameOf name of a category
 */
export function namedValues(
  categories: ReadonlyMap<string, { readonly schema: JsonRecord | undefined }>,
  common: JsonRecord,
  nameOf: (category: string, lang: string) => string | undefined,
) {
  const kinds = new Map(
    [...categories].map(([name, { schema }]) => [name, once(() => kindsIn([schema, common], common))]),
  )
  const ofCommon = once(() => kindsIn([common], common))
  const languages = new Map<string, ReturnType<typeof namesIn>>()

  return { inKeys }

  /** @param category default category */
  function inKeys({ columns }: Headings, row: Row, category: string | undefined, lang: string): Row {
    const names = languages.get(lang) ?? namesIn(lang)
    languages.set(lang, names)
    const read = (cell: Cell, known: ReadonlyMap<string, string>) => known.get(folded(cell)) ?? cell
    const cells = [...row.cells]
    const place = columns.findIndex((heading) => heading?.key === 'category')
    if (place >= 0) cells[place] = read(cells[place], names.categories)
    const known = (kinds.get(String(cells[place] ?? category)) ?? ofCommon)()
    for (const [column, cell] of cells.entries()) {
      const kind = known.get(
        columns[column]?.path.map((step) => (typeof step === 'number' ? ENTRY : step)).join('.') ?? '',
      )
      if (kind === 'country') cells[column] = read(cell, names.countries)
      else if (kind === 'date') cells[column] = dateOf(cell)
    }
    return { ...row, cells }
  }

  function namesIn(lang: string) {
    const regions = new Intl.DisplayNames(lang, { type: 'region', fallback: 'none' })
    const entries = (keys: Iterable<string>, name: (key: string) => string | undefined) =>
      new Map([...keys].flatMap((key) => [name(key) ?? key, key].map((text) => [folded(text), key] as const)))
    return {
      categories: entries(categories.keys(), (key) => nameOf(key, lang)),
      countries: entries(COUNTRY_CODES, (code) => regions.of(code)),
    }
  }
}

function kindsIn(schemas: readonly (JsonRecord | undefined)[], common: JsonRecord): ReadonlyMap<string, Named> {
  const found = new Map<string, Named>()
  for (const schema of schemas) {
    for (const [, { $ref, format }, trail] of propertiesOf(schema, common)) {
      if (String($ref).endsWith('#/$defs/countryCode')) found.set(trail.join('.'), 'country')
      else if (format === 'date') found.set(trail.join('.'), 'date')
    }
  }
  return found
}

const SOFT_HYPHENS = /\u00ad/g
const folded = (text: Cell): string =>
  String(text ?? '')
    .replace(SOFT_HYPHENS, '')
    .trim()
    .toLowerCase()

/** Dots stand in dates with the day first only. */
function dateOf(cell: Cell): Cell {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(String(cell).trim()) ?? []
  return year === '' ? cell : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}
