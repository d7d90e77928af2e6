import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { Cradle } from '../cradle.ts'
import type { Issue } from '../domain/issue.ts'
import { type Metadata, textIn } from '../domain/metadata.ts'
import { once } from '../domain/once.ts'
import type { IssueText } from '../domain/problem.ts'
import { isRecord, type JsonRecord } from '../domain/record.ts'
import type { UnitEventType } from '../domain/unit.ts'
import { type KnownMembers, knownMembers, type UnknownKey, unknownKeys } from '../domain/unknown-keys.ts'
import { COMMON_SCHEMA } from '../plugin/common-schema.ts'
import type { CategoryPlugin } from '../plugin/contracts.ts'
import type { LoadedCategory } from '../plugin/loader.ts'
import { CONDITION_FIELDS } from '../plugin/unit-schema.ts'
import type { GivenEvent } from '../units/unit-rules.ts'
import type { Descriptions } from './descriptions.ts'
import { PUBLISHED_UNIT_SCHEMA, selfContained, UNIT, UNIT_SCHEMA_VERSION, versionOf } from './published-schemas.ts'
import { MAX_ISSUES, ofChoice, type PendingIssue, ruleIssues, schemaIssues } from './schema-issues.ts'
import { validatorsFor } from './schema-validators.ts'

/** Falls back to the gateway's locales, then to the key. Does not HTML-escape parameters. */
type Translate = (lang: string, namespace: string, key: string, params?: Readonly<Record<string, unknown>>) => string

export interface CategoryVerdict {
  /** `unknown` if the category does not exist. */
  readonly category: string
  readonly errors: IssueText[]
}

export interface PayloadVerdict {
  readonly values: Metadata
  readonly issues: readonly PendingIssue[]
}

const STATES_NOTHING: PayloadVerdict = Object.freeze({ values: Object.freeze({}), issues: [] })

interface CompiledCategory {
  readonly plugin: CategoryPlugin
  readonly matchesSchema: ValidateFunction
  readonly publishedSchema: object | undefined
  readonly schemaVersion: string | undefined
  readonly structuredKeys: ReadonlySet<string>
  readonly known: KnownMembers
}

const MAX_UNKNOWN_KEYS = 20

declare module '../cradle.ts' {
  interface Cradle {
    categoryValidator: CategoryValidator
  }
}

export default function categoryValidator({
  plugins,
  translator,
  descriptions,
}: Pick<Cradle, 'plugins' | 'translator' | 'descriptions'>): CategoryValidator {
  return new CategoryValidator(plugins.categories, translator.translate, descriptions)
}

/** Specification 4.1. */
export class CategoryValidator {
  readonly #categories: ReadonlyMap<string, () => CompiledCategory>
  readonly #translate: Translate
  readonly #descriptions: Descriptions
  readonly #describedKeys: () => ReadonlySet<string>
  readonly #condition: () => ValidateFunction
  readonly #negativeEvent: () => ValidateFunction

  /** @throws PluginError naming the category with an invalid schema */
  constructor(categories: ReadonlyMap<string, LoadedCategory>, translate: Translate, descriptions: Descriptions) {
    this.#translate = translate
    this.#descriptions = descriptions
    const validators = validatorsFor(categories)
    this.#categories = new Map(
      [...categories].map(([name, { plugin, schema, published }]) => [
        name,
        once((): CompiledCategory => {
          const publishedSchema = published && schema !== undefined ? selfContained(schema) : undefined
          return {
            plugin,
            get matchesSchema() {
              return validators.category(name)
            },
            publishedSchema,
            schemaVersion: publishedSchema && versionOf(publishedSchema),
            structuredKeys: new Set([COMMON_SCHEMA, schema].flatMap((one) => [...structuredKeys(one)])),
            known: knownOf(schema),
          }
        }),
      ]),
    )
    this.#describedKeys = once(
      () => new Set([...categories.values()].flatMap(({ schema }) => [...(knownOf(schema).get('') ?? [])])),
    )
    this.#condition = validators.condition
    this.#negativeEvent = validators.negativeEvent
  }

  /** Never throws for a JSON object. */
  validate(metadata: Metadata, lang: string): CategoryVerdict {
    const name = metadata.category
    const category = typeof name === 'string' ? this.#categories.get(name)?.() : undefined
    if (typeof name !== 'string' || category === undefined) {
      // Category errors have no friendlyMessage (specification 7.1).
      const { message = '' } = ofChoice([...this.#categories.keys()], name)
      return { category: 'unknown', errors: [{ path: 'category', message }] }
    }
    const issues = issuesOf(metadata, category)
    return { category: name, errors: issues.map((issue) => this.#inWords(issue, name, lang)) }
  }

  /** Returns the first 20 keys that no category describes. */
  unknownKeys(metadata: Metadata): UnknownKey[] {
    const known = this.#categories.get(textIn(metadata, 'category') ?? '')?.().known
    if (known === undefined) return []
    return unknownKeys(metadata, {
      known,
      isElsewhere: (key) => this.#describedKeys().has(key),
      maxFindings: MAX_UNKNOWN_KEYS,
    })
  }

  /** Omits invalid and unknown values instead of rejecting the payload. */
  unitPayload({ eventType, payload }: Pick<GivenEvent, 'eventType' | 'payload'>): PayloadVerdict {
    if (payload === null || !STATING.has(eventType)) return STATES_NOTHING
    const matches = eventType === 'NEGATIVE_EVENT' ? this.#negativeEvent() : this.#condition()
    const record = isRecord(payload) ? payload : {}
    const issues = matches(payload) ? [] : schemaIssues(record, matches.errors ?? [])
    const wrong = new Set(issues.map(({ path }) => path.replace(/[.[].*$/, '')))
    const values = Object.entries(record).filter(([key]) => !wrong.has(key) && isStated(key, eventType))
    return { values: Object.fromEntries(values) as Metadata, issues }
  }

  payloadWarnings(
    payloads: readonly { readonly path: string; readonly issues: PayloadVerdict['issues'] }[],
    lang: string,
  ): IssueText[] {
    return payloads
      .flatMap(({ path, issues }) =>
        issues.map((issue) => ({ ...issue, path: issue.path === '' ? path : `${path}.${issue.path}` })),
      )
      .slice(0, MAX_ISSUES)
      .map((issue) => this.#inWords(issue, 'batteries', lang))
  }

  /** Returns a 2020-12 compound document that compiles offline; undefined if unknown or unpublished. */
  publishedSchema(category: string): object | undefined {
    if (category === UNIT) return PUBLISHED_UNIT_SCHEMA
    return this.#categories.get(category)?.().publishedSchema
  }

  /** Returns a content hash of {@link publishedSchema} (Regulation (EU) 2026/1778, Article 11(3)). */
  schemaVersion(category: unknown): string | undefined {
    if (category === UNIT) return UNIT_SCHEMA_VERSION
    return typeof category === 'string' ? this.#categories.get(category)?.().schemaVersion : undefined
  }

  takesStructure(category: unknown, key: string): boolean {
    return typeof category === 'string' && this.#categories.get(category)?.().structuredKeys.has(key) === true
  }

  inWords(issues: readonly (Issue & { readonly message: string })[], category: unknown, lang: string): IssueText[] {
    const namespace = typeof category === 'string' && this.#categories.has(category) ? category : 'gateway'
    return issues
      .slice(0, MAX_ISSUES)
      .map(({ path, code, params = {}, message }) =>
        this.#inWords({ path, codes: [code], params, message }, namespace, lang),
      )
  }

  #inWords({ path, codes, params, message }: PendingIssue, namespace: string, lang: string): IssueText {
    const text = (language: string, named: (place: string) => string) => {
      const places = PLACE_PARAMS.filter((name) => typeof params[name] === 'string')
      const filled = {
        ...params,
        ...Object.fromEntries(places.map((name) => [name, named(params[name] as string)])),
        field: named(path),
        ...this.#typeInWords(params.type, namespace, language),
        ...this.#choiceInWords(path, params.values, namespace, language),
      }
      const key = codes
        .map((code) => `issue.${code}`)
        .find((each) => this.#translate(language, namespace, each, filled) !== each)
      const translated = this.#translate(language, namespace, key ?? 'issue.invalid', filled)
      if (params.suggestion === undefined) return translated
      return `${translated} ${this.#translate(language, namespace, 'issue.didYouMean', params)}`
    }
    return {
      path,
      message: message ?? text('en', (place) => place),
      friendlyMessage: text(lang, (place) => this.#named(place, namespace, lang)),
    }
  }

  /** Example: `Electric vehicle (ev)`. */
  #choiceInWords(path: string, values: unknown, namespace: string, lang: string): { allowedValues?: string } {
    if (!Array.isArray(values)) return {}
    const { option } = this.#descriptions.of(namespace, lang)
    const key = path.split(/[.[\]]+/).findLast((step) => /[^0-9]/.test(step)) ?? ''
    const meanings = values.map((value: string) => [option(key, value)?.replaceAll('\u00ad', ''), value] as const)
    return { allowedValues: meanings.map(([meaning, value]) => (meaning ? `${meaning} (${value})` : value)).join(', ') }
  }

  #named(path: string, namespace: string, lang: string): string {
    const description = this.#descriptions.of(namespace, lang)
    const labels: string[] = []
    let group: string | undefined
    for (const step of path.split(/[.[\]]+/)) {
      if (step === '') continue
      if (/^[0-9]+$/.test(step) && labels.length > 0) {
        labels.push(`${labels.pop()} ${Number(step) + 1}`)
        continue
      }
      const label = description.label(step, group)
      if (label === undefined) return path
      labels.push(label)
      group = step
    }
    const label = labels.join(' › ').replaceAll('\u00ad', '')
    return labels.length === 0 ? path : this.#translate(lang, namespace, 'issue.named', { label })
  }

  #typeInWords(type: unknown, namespace: string, lang: string): { type?: string } {
    if (type === undefined) return {}
    const names = [type].flat().map((name) => this.#translate(lang, namespace, `issue.typeName.${name}`))
    return { type: names.join(` ${this.#translate(lang, namespace, 'issue.typeName.or')} `) }
  }
}

const PLACE_PARAMS = ['property', 'upper', 'key'] as const

const knownOf = (schema: JsonRecord | undefined) => knownMembers([schema, COMMON_SCHEMA], COMMON_SCHEMA)

/** Null if the version is unknown. */
export const schemaAddress = (
  baseUrl: string,
  { metadata, schemaVersion }: { readonly metadata: Metadata; readonly schemaVersion: string | null },
): string | null =>
  schemaVersion === null ? null : `${baseUrl}/api/v1/schemas/${textIn(metadata, 'category')}?version=${schemaVersion}`

const STATING: ReadonlySet<UnitEventType> = new Set(['SOH_MEASUREMENT', 'STATUS_CHANGE', 'NEGATIVE_EVENT'])

const isStated = (key: string, eventType: UnitEventType): boolean =>
  CONDITION_FIELDS.get(key)?.isGiven === false ||
  (eventType === 'NEGATIVE_EVENT' && (key === 'kind' || key === 'description'))

function* structuredKeys(schema: JsonRecord | undefined): Iterable<string> {
  for (const [key, value] of Object.entries((schema?.properties ?? {}) as Record<string, JsonRecord>)) {
    const definition = /#\/\$defs\/([^/]+)$/.exec(String(value.$ref))?.[1]
    const found = [schema, COMMON_SCHEMA].map(
      (root) => (root?.$defs as Record<string, JsonRecord> | undefined)?.[definition ?? ''],
    )
    const { type } = found.find((candidate) => candidate !== undefined) ?? value
    if ([type].flat().some((name) => name === 'array' || name === 'object')) yield key
  }
}

function issuesOf(metadata: Metadata, category: CompiledCategory): PendingIssue[] {
  const { matchesSchema, plugin } = category
  if (matchesSchema(metadata)) return ruleIssues(metadata, plugin.check?.(metadata))
  const found = schemaIssues(metadata, matchesSchema.errors ?? [])
  const paths = new Set(found.map(({ path }) => path))
  // Category rules rely on the schema: they check the valid keys, if complete. Every category requires `originCountry`, but no rule reads
  // it.
  const refused = new Set([...paths].map((path) => path.replace(/[.[].*$/, '')))
  const left = Object.fromEntries(Object.entries(metadata).filter(([key]) => !refused.has(key))) as Metadata
  const isWhole = matchesSchema({ originCountry: 'EU', ...left })
  const rules = ruleIssues(metadata, isWhole ? plugin.check?.(left) : undefined)
  return [...found, ...rules.filter(({ path }) => !paths.has(path))].slice(0, MAX_ISSUES)
}
