import type { Cradle } from '../cradle.ts'
import { type KindKey, kindKeyOf, kindOf } from '../domain/completeness.ts'
import { type Field, fieldsOf } from '../domain/field.ts'
import { actsAskingFor, actsOfPassport, actsOfSchema, type KeyBasis, keyBases } from '../domain/legal-basis.ts'
import { materialLabel } from '../domain/material-names.ts'
import type { Json } from '../domain/metadata.ts'
import { once } from '../domain/once.ts'
import { isRecord, type JsonRecord } from '../domain/record.ts'
import { COMMON_SCHEMA } from '../plugin/common-schema.ts'
import type { CategoryDescription } from '../plugin/contracts.ts'
import { OWN } from './translator.ts'

/** What the categories say of metadata keys; see {@link CategoryDescription}. */
export interface Descriptions {
  /** The description of what a passport names as its category, in one language. */
  of(category: Json | undefined, lang: string): CategoryDescription
}

declare module '../cradle.ts' {
  interface Cradle {
    descriptions: Descriptions
  }
}

type FieldsByKey = ReadonlyMap<string, Field>

/** One category in every language. */
interface Described {
  readonly name?: string
  /** By `key`, or by `group/key`. */
  readonly fields: FieldsByKey
  /** By `key` alone: how it is shown where nothing is said of it in its place. */
  readonly elsewhere: FieldsByKey
  readonly places: ReadonlyMap<string, number>
  /** The acts of its schema, and those of every top-level key. */
  readonly acts: readonly string[]
  readonly bases: ReadonlyMap<string, KeyBasis>
  /** The key of kinds, and those of them that need no passport. */
  readonly kindKey: KindKey | undefined
  readonly withoutPassport: readonly string[]
  readonly reportUrl?: string | undefined
  /** Whose texts are asked, in this order. */
  readonly namespaces: readonly string[]
}

const COMMON = fieldsOf(COMMON_SCHEMA, COMMON_SCHEMA)

/**
 * What the schemas and the locale files say of metadata keys, collected when first asked for. A key is described by its category, else by
 * the common schema. What neither knows is named and shown as another category would, so that a page stays readable, but
 * it is neither a claim nor a concept.
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
      // What is signed is in no language, and there is no end to those that we do not have: both get the nearest of ours.
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

/** A category's fields, then the common ones, each with what the common schema says of it; in the order of a page. */
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
    // All kinds of things have a `name`: what only some of them are is not assumed of the others.
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
    // What another category knows belongs to the acts of that one, under which this passport may be made too.
    bases: keyBases([...others.map((other) => schemas.get(other)), COMMON_SCHEMA, schema]),
    kindKey,
    withoutPassport: withoutPassport(schema, kindKey),
    places: new Map([...fields.keys()].map((path, index) => [path, index])),
    namespaces: [...(name === undefined ? [] : [name]), OWN, ...others],
  }
}

/** The kinds of a category for which the law asks for information behind the code, and for no passport. */
function withoutPassport(schema: JsonRecord | undefined, kindKey: KindKey | undefined): readonly string[] {
  const properties = schema?.properties as Readonly<Record<string, JsonRecord>> | undefined
  const kinds = kindKey && properties?.[kindKey.key]?.['x-without-passport']
  return Array.isArray(kinds) ? kinds : []
}

/** How a field looks, without what it means: that is said in one place, by one category. */
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

/** The text at the first of the sources that has one there. */
function textIn(sources: readonly unknown[], ...path: readonly string[]): string | undefined {
  for (const source of sources) {
    let found = source
    for (const key of path) found = isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined
    if (typeof found === 'string') return found
  }
  return undefined
}
