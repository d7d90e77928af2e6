import type { Json, Metadata } from './metadata.ts'
import { dictionary, isRecord, type JsonRecord } from './record.ts'

/**
 * Schema keyword: acts of the category at the top; on a key, acts that require it, or {@link VOLUNTARY}. Default of a key: its schema's
 * acts, or every act.
 */
export const LEGAL_BASIS = 'x-legal-basis'

/** Value of a key that no act requires (Regulation (EU) 2024/1781, Annex III). */
const VOLUNTARY = 'voluntary'

/** CELEX numbers of the acts with an official name. */
export const ACTS: Readonly<Record<string, string>> = dictionary<string>({
  '2023/1542': '32023R1542',
  '2024/1781': '32024R1781',
  '2024/3110': '32024R3110',
  '2025/2509': '32025R2509',
  '2026/405': '32026R0405',
  '1223/2009': '32009R1223',
  '1272/2008': '32008R1272',
  '1007/2011': '32011R1007',
})

/** Empty: every act. */
export type KeyBasis = typeof VOLUNTARY | readonly string[]

const isAct = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

export const isActList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every(isAct)

export const isKeyBasis = (value: unknown): value is KeyBasis => value === VOLUNTARY || isActList(value)

export const actsOfSchema = (schema: JsonRecord | undefined): readonly string[] =>
  isActList(schema?.[LEGAL_BASIS]) ? schema[LEGAL_BASIS] : []

export function keyBases(schemas: readonly (JsonRecord | undefined)[]): ReadonlyMap<string, KeyBasis> {
  return new Map(
    schemas.flatMap((schema) =>
      Object.entries(isRecord(schema?.properties) ? schema.properties : {}).map(
        ([key, property]): [string, KeyBasis] => {
          const stated = isRecord(property) ? property[LEGAL_BASIS] : undefined
          return [key, isKeyBasis(stated) ? stated : actsOfSchema(schema)]
        },
      ),
    ),
  )
}

/** Returns the acts that a passport states, else those of its category. */
export function actsOfPassport({ legalBasis }: Metadata, ofCategory: readonly string[]): readonly string[] {
  const stated = Array.isArray(legalBasis) ? [...new Set((legalBasis as readonly Json[]).filter(isAct))] : []
  return stated.length > 0 ? stated : ofCategory
}

export function actsAskingFor(basis: KeyBasis | undefined, acts: readonly string[]): readonly string[] {
  if (basis === undefined || basis === VOLUNTARY) return []
  return basis.length === 0 ? acts : acts.filter((act) => basis.includes(act))
}
