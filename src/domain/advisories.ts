import type { AdvisoryCode } from './codes.ts'
import type { Field } from './field.ts'
import type { Json, Metadata } from './metadata.ts'
import { isRecord } from './record.ts'
import { isEmail } from './text.ts'

export interface Remark {
  readonly code: AdvisoryCode
  readonly path?: string
  readonly params?: Readonly<Record<string, unknown>>
}

const PERSONAL_NAMES = new Set([
  'email',
  'emailaddress',
  'firstname',
  'lastname',
  'fullname',
  'surname',
  'personname',
  'contactperson',
  'contactname',
  'phone',
  'phonenumber',
  'telephone',
  'mobile',
  'mobilenumber',
  'dateofbirth',
  'birthdate',
  'passportnumber',
  'socialsecuritynumber',
  'nationalid',
  'homeaddress',
  'privateaddress',
])

/**
 * Returns the first key or value that looks like personal data (specification 4.1). `x-personal` in the category's schema overrides the
 * heuristic.
 */
export function personalDataRemark(
  metadata: Metadata,
  fieldOf: (key: string, group?: string) => Field | undefined,
): Remark | undefined {
  const isPersonal = (key: string, value: Json, group?: string) =>
    fieldOf(key, group)?.isPersonal ?? looksPersonal(key, value)
  for (const [key, value] of Object.entries(metadata)) {
    if (isPersonal(key, value)) return { code: 'PII_SHAPE_DETECTED', path: key, params: { field: key } }
    for (const [inner, innerValue] of isRecord(value) ? Object.entries(value) : []) {
      if (isPersonal(inner, innerValue, key)) {
        return { code: 'PII_SHAPE_DETECTED', path: `${key}.${inner}`, params: { field: inner } }
      }
    }
  }
  return undefined
}

function looksPersonal(key: string, value: Json): boolean {
  return PERSONAL_NAMES.has(key.toLowerCase().replace(/[^a-z]/g, '')) || (typeof value === 'string' && isEmail(value))
}
