import type { ErrorObject } from 'ajv/dist/2020.js'
import type { Issue } from '../domain/issue.ts'
import type { Metadata } from '../domain/metadata.ts'
import { commonRules } from '../domain/metadata-rules.ts'
import { dictionary } from '../domain/record.ts'
import { beginningOf } from '../domain/text.ts'
import { nearestOf } from '../domain/unknown-keys.ts'
import { REDACTED } from '../domain/view.ts'

/** `codes` are text keys, most specific first. */
export interface PendingIssue {
  readonly path: string
  readonly codes: readonly string[]
  readonly params: Readonly<Record<string, unknown>>
  /** Technical English; default: the English friendly text. */
  readonly message?: string
}

// Bounds the response.
export const MAX_ISSUES = 100

export function ruleIssues(metadata: Metadata, ofCategory: Iterable<Issue> = []): PendingIssue[] {
  const issues: PendingIssue[] = []
  for (const rules of [commonRules(metadata), ofCategory]) {
    for (const issue of rules) {
      issues.push({ path: issue.path, codes: [issue.code], params: issue.params ?? {} })
      if (issues.length === MAX_ISSUES) return issues
    }
  }
  return issues
}

export function schemaIssues(metadata: Metadata, errors: readonly ErrorObject[]): PendingIssue[] {
  const issues = new Map<string, PendingIssue>()
  for (const error of withoutWrappers(errors)) {
    const issue = fromSchemaError(metadata, error)
    // Several schemas or keywords may reject one value.
    if (!issues.has(issue.path)) issues.set(issue.path, issue)
    if (issues.size === MAX_ISSUES) break
  }
  return [...issues.values()]
}

/** Reduces Ajv's `anyOf` errors to the branch of the value's type, else to `anyOf` itself. */
function withoutWrappers(errors: readonly ErrorObject[]): ErrorObject[] {
  const reduced: ErrorObject[] = []
  for (const error of errors) {
    if (error.keyword === 'if') continue
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') {
      reduced.push(error)
      continue
    }
    const { instancePath: place } = error
    const isInside = ({ instancePath }: ErrorObject) => instancePath === place || instancePath.startsWith(`${place}/`)
    const isOtherType = (inner: ErrorObject) => inner.instancePath === place && inner.keyword === 'type'
    const branches = reduced.splice(reduced.findLastIndex((earlier) => !isInside(earlier)) + 1)
    const telling = branches.filter((inner) => !isOtherType(inner))
    for (const inner of telling.length > 0 ? telling : [error]) reduced.push(inner)
  }
  return reduced
}

const namedKey = dictionary<string>({
  required: 'missingProperty',
  dependentRequired: 'missingProperty',
  additionalProperties: 'additionalProperty',
  unevaluatedProperties: 'unevaluatedProperty',
})

function fromSchemaError(
  metadata: Metadata,
  { instancePath, schemaPath, keyword, params, message }: ErrorObject,
): PendingIssue {
  const key = namedKey[keyword]
  const path = keyPath(metadata, key === undefined ? instancePath : `${instancePath}/${escaped(params[key])}`)
  const codes = [keyword === 'unevaluatedProperties' ? 'additionalProperties' : keyword]
  // A definition (`countryCode`) is more specific than a pattern.
  const definition = /\/\$defs\/([^/]+)\/(?:pattern|format)$/.exec(schemaPath)?.[1]
  if (definition !== undefined) codes.unshift(definition)
  // Own text: the plural form `one` includes 21 in some languages.
  if (keyword === 'minLength' && params.limit === 1) codes.unshift('notEmpty')
  // A redacted document was sent back.
  if (valueAt(metadata, instancePath) === REDACTED) return { path, codes: ['placeholder'], params: {} }
  if (keyword === 'enum') return { path, codes, ...ofChoice(params.allowedValues, valueAt(metadata, instancePath)) }
  // A pattern is for programs.
  if (definition !== undefined && keyword === 'pattern') return { path, codes, params }
  return { path, codes, params: textParams(keyword, params), message: message ?? 'is not valid' }
}

/** Omits case variants and suggests the nearest value. */
export function ofChoice(allowed: readonly unknown[], given: unknown): Pick<PendingIssue, 'params' | 'message'> {
  const folded = allowed.map((value) => String(value).toLowerCase())
  const values = allowed.map(String).filter((value, place) => folded.indexOf(value.toLowerCase()) === place)
  const suggestion = typeof given === 'string' ? nearestOf(given, values) : undefined
  const allowedValues = values.join(', ')
  const is = typeof given === 'string' ? `, and is ${JSON.stringify(beginningOf(given, 40))}` : ''
  const meant = suggestion === undefined ? '' : `. Did you mean ${suggestion}?`
  return { params: { values, allowedValues, suggestion }, message: `must be one of: ${allowedValues}${is}${meant}` }
}

function textParams(keyword: string, params: ErrorObject['params']): Record<string, unknown> {
  // `count` selects the plural form in i18next.
  if (/^(min|max)(Length|Items)$/.test(keyword)) return { ...params, count: params.limit }
  return params
}

const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** RFC 6901. */
function valueAt(metadata: Metadata, pointer: string): unknown {
  let value: unknown = metadata
  for (const token of pointer.split('/').slice(1)) {
    value = (value as Record<string, unknown> | undefined)?.[token.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return value
}

/** Converts a JSON pointer: `/facilityDetails/0/location` to `facilityDetails[0].location`. */
function keyPath(metadata: Metadata, pointer: string): string {
  let path = ''
  let value: unknown = metadata
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(value)) path += `[${key}]`
    else path += path === '' ? key : `.${key}`
    value = (value as Record<string, unknown> | undefined)?.[key]
  }
  return path
}
