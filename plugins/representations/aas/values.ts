import { isRecord, type Json } from '../../../src/plugin/index.ts'

/** A group of metadata, in which a key may be anything or missing. */
export type Group = { readonly [key: string]: Json }

export const isGroup = (value: Json | undefined): value is Group => isRecord(value)

/** The number under `key`, if there is one. */
export function numberIn(group: Group, key: string): number | undefined {
  const value = group[key]
  return typeof value === 'number' ? value : undefined
}

/** The text under `key`, if there is one that is not blank. */
export function textIn(group: Group, key: string): string | undefined {
  const value = group[key]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** The texts under `key`, where one text may stand for a list of one. */
export function textsIn(group: Group, key: string): string[] {
  return [group[key] ?? []].flat().filter((value): value is string => typeof value === 'string' && value.trim() !== '')
}

/** The groups in the list under `key`; undefined where there is no list of groups alone. */
export function groupsIn(group: Group, key: string): Group[] | undefined {
  const value = group[key]
  return Array.isArray(value) && value.every(isGroup) ? [...value] : undefined
}
