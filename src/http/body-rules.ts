import type { ErrorCode } from '../domain/codes.ts'
import { badRequest, Problem } from '../domain/problem.ts'
import { dictionary, isRecord } from '../domain/record.ts'
import { beginningOf } from '../domain/text.ts'
import type { KnownMembers } from '../domain/unknown-keys.ts'

/** Error format; undefined for that of other malformed requests. */
type BodyForm = 'standard' | 'minimal' | 'bare'

/** Extensions of a body schema, explained at the top of `openapi.yaml`. */
export interface BodyRules {
  readonly form: BodyForm | undefined
  readonly top: MemberRules
  readonly members: ReadonlyMap<string, MemberRules>
  readonly required: readonly string[]
}

interface MemberRules {
  readonly lenient: readonly Step[]
  readonly maxLength: number
  readonly message: string | Readonly<Record<string, string>> | undefined
  readonly code: ErrorCode | undefined
  readonly form: BodyForm | undefined
}

type Step = (value: unknown, maxLength: number) => unknown

const onText =
  (change: (text: string, maxLength: number) => unknown): Step =>
  (value, maxLength) =>
    typeof value === 'string' ? change(value, maxLength) : value

/** `undefined` removes the member. */
const STEPS = dictionary<Step>({
  ignore: (value) => (typeof value === 'string' ? value : undefined),
  stringify: (value) => (typeof value === 'string' || value === null ? value : JSON.stringify(value)),
  trim: onText((text) => text.trim()),
  // Other letters may become two, such as ß.
  upper: onText((text) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())),
  'blank-is-absent': (value) => (value === '' || value === null ? undefined : value),
  'blank-is-null': (value) => (value === '' ? null : value),
  cut: onText(beginningOf),
})

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its own rules.
type JsonSchema = any

/** @throws Error for an unknown step */
export function readBodyRules(
  schema: JsonSchema,
  form: BodyForm | undefined,
  follow: (schema: JsonSchema) => JsonSchema,
): BodyRules {
  const members = Object.entries<JsonSchema>(schema.properties ?? {})
  return {
    form,
    top: rulesOf(schema),
    members: new Map(members.map(([name, member]) => [name, rulesOf({ ...follow(member), ...member })])),
    required: schema.required ?? [],
  }
}

function rulesOf(schema: JsonSchema): MemberRules {
  const lenient = (schema['x-lenient'] ?? []).map((name: string) => {
    const step = STEPS[name]
    if (step === undefined) throw new Error(`openapi.yaml: unknown x-lenient "${name}".`)
    return step
  })
  return {
    lenient,
    maxLength: schema.maxLength ?? Number.POSITIVE_INFINITY,
    message: schema['x-error-message'],
    code: schema['x-error-code'],
    form: schema['x-error-form'],
  }
}

/** Applies lenient steps before validation. An absent or non-object body may become `{}`. */
export function prepareBody({ form, top, members }: BodyRules, body: unknown): unknown {
  if (body === undefined && form !== undefined) return {}
  if (!isRecord(body)) return top.lenient.length > 0 ? {} : body
  for (const [name, { lenient, maxLength }] of members) {
    if (lenient.length === 0 || !Object.hasOwn(body, name)) continue
    const value = lenient.reduce((given: unknown, step) => step(given, maxLength), body[name])
    if (value === undefined) delete body[name]
    else body[name] = value
  }
  return body
}

/** Splits a schema to report the first invalid member. */
export function inSequence({ required = [], properties, ...schema }: JsonSchema): JsonSchema {
  const steps = Object.entries<JsonSchema>(properties).map(([name, member]) => ({
    ...(required.includes(name) ? { required: [name] } : {}),
    properties: { [name]: member },
  }))
  return { ...schema, allOf: steps }
}

/** Validator error, such as `/body/gln` and `required.openapi.validation`. */
export interface BodyViolation {
  readonly path: string
  readonly errorCode?: string
}

/** Undefined if the operation has no own error for the violation. */
export function refusalOf(
  { form, top, members }: BodyRules,
  violation: BodyViolation,
  message: string,
): Problem | undefined {
  const [, place, name] = violation.path.split('/')
  if (form === undefined || place !== 'body') return undefined
  const rules = (name === undefined ? undefined : members.get(name)) ?? top
  const [keyword = ''] = (violation.errorCode ?? '').split('.')
  const textOf = ({ message: text }: MemberRules) => (typeof text === 'object' ? text[keyword] : text)
  const text = textOf(rules) ?? textOf(top) ?? message
  const used = keyword === 'required' ? form : (rules.form ?? form)
  return used === 'minimal' ? new Problem(400, text) : badRequest(text, rules.code)
}

/** Returns known members by group (`units[]`, empty at the top). Omits groups that accept any member. */
export function membersOf(schema: JsonSchema, follow: (schema: JsonSchema) => JsonSchema): KnownMembers {
  const known = new Map<string, ReadonlySet<string>>()
  const visit = (node: JsonSchema, group: string, open: readonly JsonSchema[]): void => {
    const found = follow(node)
    if (open.includes(found)) return
    const within = [...open, found]
    const { properties, items, additionalProperties = false, anyOf = [] } = found
    const [only, ...others] = anyOf.filter((one: JsonSchema) => one.type !== 'null')
    if (only !== undefined && others.length === 0) visit(only, group, within)
    if (items !== undefined) visit(items, `${group}[]`, within)
    if (properties === undefined || additionalProperties !== false) return
    known.set(group, new Set(Object.keys(properties)))
    const prefix = group === '' ? '' : `${group}.`
    for (const [name, member] of Object.entries(properties)) visit(member, `${prefix}${name}`, within)
  }
  visit(schema, '', [])
  return known
}
