import { isGroup, type Json, type JsonRecord } from '../../../src/plugin/index.ts'

export function numberIn(group: JsonRecord<Json>, key: string): number | undefined {
  const value = group[key]
  return typeof value === 'number' ? value : undefined
}

export function textIn(group: JsonRecord<Json>, key: string): string | undefined {
  const value = group[key]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

export function textsIn(group: JsonRecord<Json>, key: string): string[] {
  return [group[key] ?? []].flat().filter((value): value is string => typeof value === 'string' && value.trim() !== '')
}

/** Returns undefined unless the value is a list of only groups. */
export function groupsIn(group: JsonRecord<Json>, key: string): JsonRecord<Json>[] | undefined {
  const value = group[key]
  return Array.isArray(value) && value.every(isGroup) ? [...value] : undefined
}
