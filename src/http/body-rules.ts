import type { ErrorCode } from '../domain/codes.ts'
import { badRequest, Problem } from '../domain/problem.ts'
import { dictionary, isRecord } from '../domain/record.ts'
import { beginningOf } from '../domain/text.ts'
import type { KnownMembers } from '../domain/unknown-keys.ts'

/** The form of what an operation refuses in its body; absent: that of every other malformed request. */
type BodyForm = 'standard' | 'minimal' | 'bare'

/** What the document says of a body beside its schema; the extensions are explained at its top. */
export interface BodyRules {
  readonly form: BodyForm | undefined
  readonly top: MemberRules
  readonly members: ReadonlyMap<string, MemberRules>
  /** Members that every body has. */
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

/** What may be done with a member before it is judged; `undefined` is a member that is absent. */
const STEPS = dictionary<Step>({
  ignore: (value) => (typeof value === 'string' ? value : undefined),
  stringify: (value) => (typeof value === 'string' || value === null ? value : JSON.stringify(value)),
  trim: onText((text) => text.trim()),
  // Letters of ASCII alone: others become two, such as ß, or another letter.
  upper: onText((text) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())),
  'blank-is-absent': (value) => (value === '' || value === null ? undefined : value),
  'blank-is-null': (value) => (value === '' ? null : value),
  cut: onText(beginningOf),
})

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its own rules.
type JsonSchema = any

/**
 * Reads the extensions of a body's schema.
 * @param follow answers what a reference names
 * @throws Error for a step that there is not
 */
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
    if (step === undefined) throw new Error(`openapi.yaml: there is no x-lenient "${name}".`)
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

/** The body as it is to be judged: what is absent, or may be anything, is an empty object where the rules say so. */
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

/** A schema whose members are judged one after the other, so that the first that does not fit is what is told. */
export function inTurn({ required = [], properties, ...schema }: JsonSchema): JsonSchema {
  const turns = Object.entries<JsonSchema>(properties).map(([name, member]) => ({
    ...(required.includes(name) ? { required: [name] } : {}),
    properties: { [name]: member },
  }))
  return { ...schema, allOf: turns }
}

/** What the validator refuses, such as `/body/gln` and `required.openapi.validation`. */
export interface BodyViolation {
  readonly path: string
  /** Absent for what the validator finds outside of its schemas. */
  readonly errorCode?: string
}

/**
 * What the operation says of a violation in its body.
 * @param message what the validator says
 * @returns undefined where it has no form of its own, or the violation is elsewhere
 */
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

/**
 * The members that the schema of a body describes, each group by its trail (`units[]`); the top is the empty name. Groups that
 * take any member are absent.
 * @param follow answers what a reference names
 */
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
