import type { Json, Metadata } from './metadata.ts'
import { dictionary, isRecord, type JsonRecord } from './record.ts'

/**
 * The keyword that names acts: at the top of a category's schema those that its passports are made under, on a metadata key
 * those that ask for it, or {@link VOLUNTARY}. A key without it is asked for by the acts of its schema, and one of a schema that
 * names none by every act.
 */
export const LEGAL_BASIS = 'x-legal-basis'

/** Stands for no act: the company states such a key of its own accord (Regulation (EU) 2024/1781, Annex III). */
const VOLUNTARY = 'voluntary'

/** The acts that have an official name in our texts, by number, with their CELEX number. */
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

/** Which acts ask for a key: those named; any act at all, where there is none; or none. */
export type KeyBasis = typeof VOLUNTARY | readonly string[]

const isAct = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** Whether the keyword may stand like that at the top of a schema. */
export const isActList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every(isAct)

/** Whether the keyword may stand like that on a key. */
export const isKeyBasis = (value: unknown): value is KeyBasis => value === VOLUNTARY || isActList(value)

/** The acts at the top of a schema, which its annotations were judged by. */
export const actsOfSchema = (schema: JsonRecord | undefined): readonly string[] =>
  isActList(schema?.[LEGAL_BASIS]) ? schema[LEGAL_BASIS] : []

/** The basis of every key that the schemas describe; the word of a later one goes before. */
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

/**
 * The acts that a passport is made under: those that it states, else those of its category. A draft may hold anything.
 * @param ofCategory what the category's schema says
 */
export function actsOfPassport({ legalBasis }: Metadata, ofCategory: readonly string[]): readonly string[] {
  const stated = Array.isArray(legalBasis) ? [...new Set((legalBasis as readonly Json[]).filter(isAct))] : []
  return stated.length > 0 ? stated : ofCategory
}

/** Those of the acts of a passport that ask for a key; none for a key that nobody describes. */
export function actsAskingFor(basis: KeyBasis | undefined, acts: readonly string[]): readonly string[] {
  if (basis === undefined || basis === VOLUNTARY) return []
  return basis.length === 0 ? acts : acts.filter((act) => basis.includes(act))
}
