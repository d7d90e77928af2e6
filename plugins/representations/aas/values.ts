import { isGroup, type Json, type JsonRecord } from '../../../src/plugin/index.ts'

/** The number under `key`, if there is one. */
export function numberIn(group: JsonRecord<Json>, key: string): number | undefined {
  const value = group[key]
  return typeof value === 'number' ? value : undefined
}

/** The text under `key`, unless it is blank. */
export function textIn(group: JsonRecord<Json>, key: string): string | undefined {
  const value = group[key]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** The texts under `key`, where one text may stand for a list of one. */
export function textsIn(group: JsonRecord<Json>, key: string): string[] {
  return [group[key] ?? []].flat().filter((value): value is string => typeof value === 'string' && value.trim() !== '')
}

/** The groups in the list under `key`; undefined unless it is a list of nothing but groups. */
export function groupsIn(group: JsonRecord<Json>, key: string): JsonRecord<Json>[] | undefined {
  const value = group[key]
  return Array.isArray(value) && value.every(isGroup) ? [...value] : undefined
}
