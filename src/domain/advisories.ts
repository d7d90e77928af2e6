import type { AdvisoryCode } from './codes.ts'
import type { Field } from './field.ts'
import type { Json, Metadata } from './metadata.ts'
import { isRecord } from './record.ts'
import { isEmail } from './text.ts'

/** A coded remark without its texts, which depend on the caller's language. */
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
 * The first key or value that looks like personal data: a clearly personal field name, or a value in the form of an
 * e-mail address. What the category's schema says of the key (`x-personal`) goes before what it looks like. Looks one
 * level deep, answers at most one, blocks nothing (specification 4.1).
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
