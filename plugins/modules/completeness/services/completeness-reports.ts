import { type Metadata, textIn } from '../../../../src/plugin/index.ts'
import {
  COMMON_SCHEMA,
  ENTRY,
  kindKeyOf,
  kindOf,
  MEASURED,
  type ModuleCradle,
  once,
  UNIT_SCHEMA,
} from '../../../../src/plugin/module.ts'
import {
  attributesOf,
  completenessOf,
  dueFor,
  dueUnderActs,
  type MissingAttribute,
  readActKeys,
} from '../attributes.ts'
import type { components } from '../generated.ts'

type Schemas = components['schemas']

type CompletenessReport = Omit<Schemas['CompletenessReport'], 'success' | 'passportId' | 'productId'>

interface KnownUnits {
  readonly total: number
  readonly units: readonly ReadonlySet<string>[]
}

const NO_UNITS: KnownUnits = { total: 0, units: [] }
const PUBLIC = ['public'] as const

export default function completenessReports({
  plugins,
  descriptions,
  passportViews,
}: Pick<ModuleCradle, 'plugins' | 'descriptions' | 'passportViews'>) {
  const ofUnits = attributesOf(UNIT_SCHEMA, COMMON_SCHEMA)
  const ofCategories = new Map(
    [...plugins.categories].map(([category, { schema }]) => [
      category,
      once(() => ({
        attributes: attributesOf(schema, COMMON_SCHEMA),
        actKeys: readActKeys(schema, COMMON_SCHEMA),
        kindKey: kindKeyOf(schema, COMMON_SCHEMA),
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
  ): Schemas['MissingAttribute'] {
    const { key, trail, points, now, description } = attribute
    const [last = key, group] = trail.filter((part) => part !== ENTRY).toReversed()
    return {
      key,
      points,
      level: units === undefined ? 'model' : 'item',
      audience: units === undefined ? (passportViews.audiencesOf(category ?? '', trail[0] ?? '') ?? PUBLIC) : MEASURED,
      due: now,
      label: descriptions.of(category ?? undefined, lang).label(last, group) ?? last,
      description,
      units,
    }
  }
}
