import type { Cradle } from '../cradle.ts'
import { type Field, fieldsOf } from '../domain/field.ts'
import { actsAskingFor, actsOfPassport, actsOfSchema, type KeyBasis, keyBases } from '../domain/legal-basis.ts'
import type { Json } from '../domain/metadata.ts'
import { once } from '../domain/once.ts'
import { type KindKey, kindKeyOf, kindOf } from '../domain/product-kind.ts'
import { isRecord, type JsonRecord } from '../domain/record.ts'
import { COMMON_SCHEMA } from '../plugin/common-schema.ts'
import type { CategoryDescription } from '../plugin/contracts.ts'
import { OWN } from '../renditions/translator.ts'
import { materialLabel } from './material-names.ts'

export interface Descriptions {
  of(category: Json | undefined, lang: string): CategoryDescription
}

declare module '../cradle.ts' {
  interface Cradle {
    descriptions: Descriptions
  }
}

type FieldsByKey = ReadonlyMap<string, Field>

interface Described {
  readonly name?: string
  /** By `key` or `group/key`. */
  readonly fields: FieldsByKey
  /** Display of a key without a description in its place. */
  readonly elsewhere: FieldsByKey
  readonly places: ReadonlyMap<string, number>
  readonly acts: readonly string[]
  readonly bases: ReadonlyMap<string, KeyBasis>
  readonly kindKey: KindKey | undefined
  readonly withoutPassport: readonly string[]
  readonly reportUrl?: string | undefined
  /** Namespaces of texts, in lookup order. */
  readonly namespaces: readonly string[]
}

const COMMON = fieldsOf(COMMON_SCHEMA, COMMON_SCHEMA)

/**
 * Describes metadata keys. The category takes precedence over the common schema; other categories provide only labels and display, neither
 * claims nor concepts.
 */
export default function descriptions({ plugins, translator }: Pick<Cradle, 'plugins' | 'translator'>): Descriptions {
  const own = once(
    () =>
      new Map([...plugins.categories].map(([name, { schema }]) => [name, withCommon(fieldsOf(schema, COMMON_SCHEMA))])),
  )
  const schemas = new Map([...plugins.categories].map(([name, { schema }]) => [name, schema]))
  const reportUrl = (name: string) => plugins.categories.get(name)?.plugin.reportUrl
  const described = new Map(
    [...schemas.keys()].map((name) => [
      name,
      once((): Described => ({ ...describe(own(), schemas, name), reportUrl: reportUrl(name) })),
    ]),
  )
  const unknown = once(() => describe(own(), schemas))
  const made = new Map<string, CategoryDescription>()
  return {
    of(category, lang) {
      const found = ((typeof category === 'string' ? described.get(category) : undefined) ?? unknown)()
      // Signed documents have no language; they use the nearest supported one.
      const language = [lang, lang.split('-')[0] as string].find((name) => translator.languages.has(name)) ?? 'en'
      const key = `${found.name} ${language}`
      let description = made.get(key)
      if (description === undefined) {
        description = inLanguage(found, language, translator)
        made.set(key, description)
      }
      return description
    },
  }
}

function withCommon(fields: FieldsByKey): FieldsByKey {
  const merged = new Map([...fields].map(([path, field]) => [path, { ...COMMON.get(path), ...field }]))
  for (const [path, field] of COMMON) if (!merged.has(path)) merged.set(path, field)
  return new Map([...merged].toSorted(([, a], [, b]) => (a.order ?? 0) - (b.order ?? 0)))
}

function describe(
  own: ReadonlyMap<string, FieldsByKey>,
  schemas: ReadonlyMap<string, JsonRecord | undefined>,
  name?: string,
): Described {
  const fields = new Map(name === undefined ? COMMON : own.get(name))
  const others = [...own.keys()].filter((other) => other !== name)
  for (const [path, field] of others.flatMap((other) => [...(own.get(other) ?? [])])) {
    if (!fields.has(path)) fields.set(path, shown(field))
  }
  const elsewhere = new Map<string, Field>()
  const isMember = ([path]: readonly [string, Field]) => path.includes('/')
  for (const [path, field] of [...fields].toSorted((a, b) => Number(isMember(a)) - Number(isMember(b)))) {
    const key = path.slice(path.indexOf('/') + 1)
    const known = elsewhere.get(key)
    if (known === undefined) elsewhere.set(key, shown(field))
    // A `name` is not always that of a material.
    else if (known.display === 'material' && field.display !== 'material')
      elsewhere.set(key, { ...known, display: undefined })
  }
  const schema = name === undefined ? undefined : schemas.get(name)
  const kindKey = kindKeyOf(schema, COMMON_SCHEMA)
  return {
    name,
    fields,
    elsewhere,
    acts: actsOfSchema(schema),
    // The passport may also fall under acts of other categories.
    bases: keyBases([...others.map((other) => schemas.get(other)), COMMON_SCHEMA, schema]),
    kindKey,
    withoutPassport: withoutPassport(schema, kindKey),
    places: new Map([...fields.keys()].map((path, index) => [path, index])),
    namespaces: [...(name === undefined ? [] : [name]), OWN, ...others],
  }
}

/** Returns the kinds for which the law requires information but no passport. */
function withoutPassport(schema: JsonRecord | undefined, kindKey: KindKey | undefined): readonly string[] {
  const properties = schema?.properties as Readonly<Record<string, JsonRecord>> | undefined
  const kinds = kindKey && properties?.[kindKey.key]?.['x-without-passport']
  return Array.isArray(kinds) ? kinds : []
}

const shown = ({ section, unit, display }: Field): Field => ({ section, unit, display })

function inLanguage(described: Described, lang: string, translator: Cradle['translator']): CategoryDescription {
  const { name, fields, elsewhere, places, namespaces, acts, bases } = described
  const languages = [...new Set([lang, 'en'])]
  const textsOf = (namespace: string) => languages.map((language) => translator.texts(language, namespace))
  const own = name === undefined ? [] : textsOf(name)
  const all = namespaces.flatMap(textsOf)
  return {
    name: textIn(own, 'category'),
    maskedNote: textIn(own, 'masked'),
    disposal: textIn(own, 'disposal'),
    reportUrl: described.reportUrl,
    field: (key, group) => fields.get(group === undefined ? key : `${group}/${key}`) ?? elsewhere.get(key),
    label: (key, group) =>
      (group === undefined ? undefined : textIn(all, 'field', `${group}/${key}`)) ?? textIn(all, 'field', key),
    help: (text) => textIn(all, 'fieldHelp', text) ?? text,
    option: (key, value) => textIn(all, 'option', key, value.toLowerCase()),
    material: (stated) => materialLabel(stated, lang),
    section: (section) => textIn(all, 'section', section) ?? section,
    unit: (unit) => textIn(all, 'unit', unit) ?? unit,
    acts: (metadata) => actsOfPassport(metadata, acts),
    actsAskingFor: (key, among) => actsAskingFor(bases.get(key), among),
    withoutPassport: (metadata) => {
      const kind = kindOf(described.kindKey, metadata)
      const [title, text] = ['title', 'text'].map((part) => textIn(own, 'withoutPassport', part))
      return kind !== null && described.withoutPassport.includes(kind) && title && text ? { title, text } : undefined
    },
    inOrder: (keys) => keys.toSorted((a, b) => (places.get(a) ?? places.size) - (places.get(b) ?? places.size)),
  }
}

function textIn(sources: readonly unknown[], ...path: readonly string[]): string | undefined {
  for (const source of sources) {
    let found = source
    for (const key of path) found = isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined
    if (typeof found === 'string') return found
  }
  return undefined
}
