import type { Cradle } from '../cradle.ts'
import { type AudienceRules, audienceRules, MEASURED } from '../domain/audience.ts'
import {
  attributesOf,
  completenessOf,
  dueFor,
  dueUnderActs,
  kindKeyOf,
  kindOf,
  type MissingAttribute,
  readActKeys,
} from '../domain/completeness.ts'
import { ENTRY } from '../domain/field.ts'
import { type Metadata, textIn } from '../domain/metadata.ts'
import { once } from '../domain/once.ts'
import type { Content, Schema } from '../domain/schema.ts'
import { COMMON_SCHEMA } from '../plugin/common-schema.ts'
import { UNIT_SCHEMA } from '../plugin/unit-schema.ts'

type CompletenessReport = Omit<Content<'CompletenessReport'>, 'passportId' | 'productId'>

interface KnownUnits {
  readonly total: number
  readonly units: readonly ReadonlySet<string>[]
}

const NO_UNITS: KnownUnits = { total: 0, units: [] }

declare module '../cradle.ts' {
  interface Cradle {
    completenessReports: ReturnType<typeof completenessReports>
  }
}

export default function completenessReports({ plugins, descriptions }: Pick<Cradle, 'plugins' | 'descriptions'>) {
  const ofUnits = attributesOf(UNIT_SCHEMA, COMMON_SCHEMA)
  const ofCategories = new Map(
    [...plugins.categories].map(([category, { plugin, schema }]) => [
      category,
      once(() => ({
        attributes: attributesOf(schema, COMMON_SCHEMA),
        actKeys: readActKeys(schema, COMMON_SCHEMA),
        kindKey: kindKeyOf(schema, COMMON_SCHEMA),
        rules: audienceRules([COMMON_SCHEMA, schema], plugin.restrictedKeys),
      })),
    ]),
  )

  return { of: reportOf, check }

  /** Requires no unit attributes if no units are known. */
  function reportOf(metadata: Metadata, lang: string, known: KnownUnits = NO_UNITS): CompletenessReport {
    const { missing, incompleteUnits, ...result } = check(metadata, known)
    return {
      ...result,
      units: { total: known.total, examined: known.units.length, incomplete: incompleteUnits },
      missing: missing.map((one) => inWords(one, result.category, lang)),
    }
  }

  function check(metadata: Metadata, { units }: Pick<KnownUnits, 'units'> = NO_UNITS) {
    const category = textIn(metadata, 'category') ?? null
    const { attributes = [], actKeys = [], kindKey } = ofCategories.get(category ?? '')?.() ?? {}
    const kind = kindOf(kindKey, metadata)
    const ofModel =
      attributes.length > 0
        ? dueFor(attributes, kind, kindKey?.ofPassports)
        : dueUnderActs(actKeys, descriptions.of(category ?? undefined, 'en').acts(metadata))
    const { missing, counts, incompleteUnits } = completenessOf(
      { ofModel, ofUnits: kindKey === undefined ? [] : dueFor(ofUnits, kind, kindKey.ofPassports) },
      metadata,
      units,
    )
    const isComplete = counts.mandatory.met === counts.mandatory.due && (kind !== null || kindKey === undefined)
    return { category, kind, isComplete, counts, missing, incompleteUnits }
  }

  function inWords(
    { attribute, units }: MissingAttribute,
    category: string | null,
    lang: string,
  ): Schema<'MissingAttribute'> {
    const { key, trail, points, now, description } = attribute
    const [last = key, group] = trail.filter((part) => part !== ENTRY).toReversed()
    return {
      key,
      points: [...points],
      level: units === undefined ? 'model' : 'item',
      audience:
        units === undefined ? audienceOf(ofCategories.get(category ?? '')?.().rules, trail[0] ?? '') : [...MEASURED],
      due: now,
      label: descriptions.of(category ?? undefined, lang).label(last, group) ?? last,
      description,
      units,
    }
  }
}

const audienceOf = (rules: AudienceRules | undefined, key: string): Audiences => [
  ...(rules?.get(key) ?? (['public'] as const)),
]

type Audiences = Schema<'MissingAttribute'>['audience']
