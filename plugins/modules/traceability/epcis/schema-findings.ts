import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { dictionary, isRecord, type JsonRecord } from '../../../../src/plugin/index.ts'
import type { CaptureFinding } from './event.ts'
import schema from './event-schema.json' with { type: 'json' }

type Shape = 'whole' | 'event'

let compiled: Readonly<Record<Shape, ValidateFunction>> | undefined

/** Compiled on first use: most gateways never capture events. */
function validators(): Readonly<Record<Shape, ValidateFunction>> {
  if (compiled !== undefined) return compiled
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: true, strictTypes: false, strictRequired: false })
  addFormats.default(ajv)
  ajv.addVocabulary(['x-code', 'x-says'])
  const event = { $ref: `${schema.$id}#/$defs/event` }
  compiled = { whole: ajv.compile(schema), event: ajv.compile(event) }
  return compiled
}

/** Validates against EPCIS 2.0; returns one finding per place. */
export function schemaFindings(value: unknown, shape: Shape): CaptureFinding[] {
  const validate = validators()[shape]
  if (validate(value)) return []
  const errors = validate.errors ?? []
  // Releases the input.
  validate.errors = null
  const findings = new Map<string, CaptureFinding>()
  for (const error of errors) {
    const finding = findingOf(error)
    // Errors with a remedy have precedence.
    if (finding !== undefined && (!findings.has(finding.pointer) || explanationIn(error) !== undefined)) {
      findings.set(finding.pointer, finding)
    }
  }
  return [...findings.values()]
}

function findingOf(error: ErrorObject): CaptureFinding | undefined {
  const explanation = explanationIn(error)
  // Such a rule leads to others that report the cause.
  if (error.keyword === 'if' && explanation === undefined) return undefined
  if (SILENT.has(error.keyword)) return undefined
  const pointer = `${error.instancePath}${keyIn(error)}`
  if (explanation !== undefined)
    return { pointer, code: explanation.code, message: shortMessage(explanation.code, error) ?? explanation.message }
  const [code, message] = BARE[error.keyword]?.(error) ?? ['INVALID', `This ${error.message}.`]
  return { pointer, code, message }
}

const SILENT = new Set(['false schema', 'propertyNames', 'anyOf', 'not'])

function explanationIn({ parentSchema }: ErrorObject): { code: string; message: string } | undefined {
  const { 'x-code': code, 'x-says': message }: JsonRecord = isRecord(parentSchema) ? parentSchema : {}
  return typeof code === 'string' && typeof message === 'string' ? { code, message } : undefined
}

function keyIn({ params, propertyName }: ErrorObject): string {
  const key = params.missingProperty ?? params.additionalProperty ?? propertyName
  return typeof key === 'string' ? `/${pointerPart(key)}` : ''
}

/** RFC 6901, section 3. */
export const pointerPart = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

const BARE = dictionary<(error: ErrorObject) => readonly [string, string]>({
  required: ({ params }) => ['MISSING', `The required key ${params.missingProperty} is missing. Add it.`],
  additionalProperties: () => ['UNKNOWN_KEY', 'Unknown key: EPCIS does not allow extensions here. Remove it.'],
  type: ({ params }) => ['TYPE', `Wrong type. Send ${TYPES[String(params.type)] ?? `one of: ${params.type}`}.`],
  uniqueItems: ({ params }) => ['DUPLICATE', `Elements ${params.j} and ${params.i} are the same. Send each only once.`],
  minItems: () => ['EMPTY', 'The list is empty. Add at least one element, or remove the list.'],
})

const TYPES = dictionary({
  string: 'a string',
  number: 'a number, without quotation marks',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
})

const CBV_WORDS = dictionary({
  CBV_STEP: 'step',
  CBV_DISPOSITION: 'disposition',
  CBV_REASON: 'reason',
  CBV_TRANSACTION: 'type',
  CBV_PARTY: 'type',
})

function shortMessage(code: string, { data, parentSchema }: ErrorObject): string | undefined {
  const what = CBV_WORDS[code]
  const [, word] =
    (typeof data === 'string' ? /^(?:urn:epcglobal:cbv:\w+:|https?:.*[-/])(\w+)$/.exec(data) : null) ?? []
  const [words] = parentSchema?.if?.anyOf ?? []
  return what !== undefined && words?.enum?.includes(word) ? `Use the short form of the ${what}: ${word}.` : undefined
}
