import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { dictionary } from '../../../../src/plugin/index.ts'
import { type ModuleCradle, mailAddress, mod10Valid, once } from '../../../../src/plugin/module.ts'
import { missing, tooLong, wrong } from '../faults.ts'
import type { FieldError, Translate } from '../site.ts'

/** Members whose label has another name. */
const LABELS = dictionary({ regIdScheme: 'scheme', streetAddress: 'street' })

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
   * @param group of the labels in `locales`
   * @returns one error per field
   */
  function errorsIn(name: string, input: object, group: string, t: Translate): readonly FieldError[] {
    const validate = known.get(name) ?? compiler().compile({ $ref: `openapi#/components/schemas/${name}` })
    known.set(name, validate)
    if (validate(input)) return []
    const errors = new Map<string, string>()
    for (const error of validate.errors ?? []) {
      const field = fieldOf(error)
      if (!errors.has(field)) errors.set(field, messageOf(error, `${group}.${LABELS[field] ?? field}`, t))
    }
    return [...errors].map(([field, message]) => ({ field, message }))
  }
}

function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  return keyword === 'required' ? String(params.missingProperty) : (instancePath.split('/')[1] ?? '')
}

const ABSENT = ['required', 'minLength', 'minItems']

function messageOf({ keyword, params }: ErrorObject, label: string, t: Translate): string {
  if (ABSENT.includes(keyword)) return missing(t, label)
  if (keyword === 'maxLength') return tooLong(t, label, params.limit)
  return params.format === 'gln' ? t('fault.gln') : wrong(t, label)
}
