import { isDeepStrictEqual } from 'node:util'
import type { Json, Metadata } from '../../../../src/plugin/index.ts'

export interface Conflict {
  readonly key: string
  readonly mine: Json | undefined
  readonly theirs: Json | undefined
}

interface Merged {
  readonly metadata: Metadata
  readonly conflicts: readonly Conflict[]
}

/**
 * Merges two changes of `base` by key: the changed value of either side, or of `choices` if both changed it differently. A key without a
 * choice stays as theirs.
 */
export function merge(
  base: Metadata,
  mine: Metadata,
  theirs: Metadata,
  choices: Readonly<Record<string, string | undefined>>,
): Merged {
  const metadata = new Map(Object.entries(theirs))
  const conflicts: Conflict[] = []
  for (const key of new Set([...Object.keys(base), ...Object.keys(mine), ...Object.keys(theirs)])) {
    const [before, own, other] = [base, mine, theirs].map((one) => (Object.hasOwn(one, key) ? one[key] : undefined))
    if (isDeepStrictEqual(own, before) || isDeepStrictEqual(own, other)) continue
    const choice = choices[key]
    if (!isDeepStrictEqual(other, before) && choice !== 'mine') {
      if (choice !== 'theirs') conflicts.push({ key, mine: own, theirs: other })
      continue
    }
    if (own === undefined) metadata.delete(key)
    else metadata.set(key, own)
  }
  return { metadata: Object.fromEntries(metadata), conflicts }
}

/**
 * Merges a part of `stored`, the keys of `base` and `mine`.
 * @param form choices as `keep.<key>`
 */
export function mergeInto(
  stored: Metadata,
  base: Metadata,
  mine: Metadata,
  form: Readonly<Record<string, string | undefined>>,
): Merged {
  const keys = new Set([...Object.keys(base), ...Object.keys(mine)])
  const theirs = Object.fromEntries(Object.entries(stored).filter(([key]) => keys.has(key)))
  const choices = Object.fromEntries([...keys].map((key) => [key, form[`keep.${key}`]]))
  const { metadata: part, conflicts } = merge(base, mine, theirs, choices)
  const kept = Object.entries(stored).filter(([key]) => !keys.has(key))
  return { metadata: Object.fromEntries([...kept, ...Object.entries(part)]), conflicts }
}
