import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isRecord } from '../../../../src/plugin/index.ts'
import { type ModuleCradle, mailAddress, mod10Valid, once } from '../../../../src/plugin/module.ts'
import type { FieldError } from '../site.ts'

type Schema = Readonly<Record<string, unknown>> & { readonly properties?: Readonly<Record<string, Schema>> }

/** Validates forms by the schemas of the API, which use cases rely on. */
export default function consoleInput({ contract }: ModuleCradle) {
  const known = new Map<string, ValidateFunction>()
  const compiler = once(() => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, verbose: true })
    addFormats.default(ajv, { mode: 'fast' })
    ajv.addFormat('gln', (text: string) => /^\d{13}$/.test(text) && mod10Valid(text))
    ajv.addFormat('email', (text: string) => mailAddress(text) !== undefined)
    return ajv.addSchema(contract.document, 'openapi')
  })

  return { errorsIn }

  /**
   * @param name schema in `components/schemas`
   * @returns one error per field
   */
  function errorsIn(name: string, input: object): readonly FieldError[] {
    const validate = known.get(name) ?? compiler().compile({ $ref: `openapi#/components/schemas/${name}` })
    known.set(name, validate)
    if (validate(input)) return []
    const schema: Schema = contract.document.components.schemas[name]
    const errors = new Map<string, string>()
    for (const error of validate.errors ?? []) {
      const field = fieldOf(error)
      if (!errors.has(field)) errors.set(field, messageOf(schema, field, error))
    }
    return [...errors].map(([field, message]) => ({ field, message }))
  }
}

function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  return keyword === 'required' ? String(params.missingProperty) : (instancePath.split('/')[1] ?? '')
}

function messageOf(schema: Schema, field: string, { keyword, message, parentSchema }: ErrorObject): string {
  const stated = schema.properties?.[field]?.['x-error-message'] ?? parentSchema?.['x-error-message']
  const text = isRecord(stated) ? stated[keyword] : stated
  return typeof text === 'string' ? text : `${field}: ${message}`
}
