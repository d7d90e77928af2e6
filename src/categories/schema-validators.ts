import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { once } from '../domain/once.ts'
import type { JsonRecord } from '../domain/record.ts'
import { COMMON_SCHEMA } from '../plugin/common-schema.ts'
import type { LoadedCategory } from '../plugin/loader.ts'
import { PluginError } from '../plugin/locate.ts'
import { UNIT_SCHEMA } from '../plugin/unit-schema.ts'
import { startupCache } from '../start/startup-cache.ts'
import { KEYWORDS } from './published-schemas.ts'

interface Validators {
  category(name: string): ValidateFunction
  condition(): ValidateFunction
  negativeEvent(): ValidateFunction
}

/** Shared by gateways of one process, as in tests. */
const known = new Map<string, Validators>()

/** Without a startup cache entry, compiles all immediately: an invalid schema fails the start, not a request. @throws PluginError */
export function validatorsFor(categories: ReadonlyMap<string, LoadedCategory>): Validators {
  const schemas = [...categories].map(([name, { schema }]) => [name, schema ?? null])
  const text = JSON.stringify([[...KEYWORDS], COMMON_SCHEMA, UNIT_SCHEMA, ...schemas])
  const validators = known.get(text) ?? makeValidators(categories, text)
  known.set(text, validators)
  return validators
}

function makeValidators(categories: ReadonlyMap<string, LoadedCategory>, text: string): Validators {
  const checked = startupCache('schemas', [readFileSync(import.meta.filename, 'utf8'), text])
  const isChecked = checked.text !== undefined
  // Strict mode rejects misspelt keywords; JSON Schema allows omitting `type`.
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, validateSchema: !isChecked })
  addFormats.default(ajv)
  ajv.addVocabulary([...KEYWORDS])
  ajv.addSchema(COMMON_SCHEMA)
  const common = { $ref: COMMON_SCHEMA.$id as string }
  const ofCategories = new Map(
    [...categories].map(([name, { schema }]) => [name, once(() => compile(ajv, name, withCommon(schema, common)))]),
  )
  const condition = once(() => ajv.compile(UNIT_SCHEMA))
  const negativeEvent = once(() => {
    condition()
    return ajv.compile({ $ref: `${UNIT_SCHEMA.$id}#/$defs/negativeEvent` })
  })
  if (!isChecked) {
    for (const category of ofCategories.values()) category()
    negativeEvent()
    checked.keep('They compile.')
  }
  return { category: (name) => (ofCategories.get(name) as () => ValidateFunction)(), condition, negativeEvent }
}

/** @throws PluginError */
function compile(ajv: Ajv2020, category: string, schema: JsonRecord): ValidateFunction {
  try {
    return ajv.compile(schema)
  } catch (error) {
    throw new PluginError(
      `The schema of category ${category} cannot be used: ${error instanceof Error ? error.message : error}`,
      { cause: error },
    )
  }
}

/** Adds the common schema (section 4.1) if a category does not refer to it. */
function withCommon(schema: JsonRecord | undefined, common: { readonly $ref: string }): JsonRecord {
  if (schema === undefined) return common
  const refers = Array.isArray(schema.allOf) && schema.allOf.some(({ $ref }) => $ref === common.$ref)
  return refers ? schema : { type: 'object', allOf: [common, schema] }
}
