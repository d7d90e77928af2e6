import { isGroup, type Json, type Metadata } from '../../../../src/plugin/index.ts'
import type { Segment } from '../element-path.ts'

/** JSON Merge Patch (RFC 7396, 2). */
export function merged(target: Json | undefined, patch: Json): Json {
  if (!isGroup(patch)) return patch
  const result = new Map(Object.entries(isGroup(target) ? target : {}))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name)
    else result.set(name, merged(result.get(name), value))
  }
  return Object.fromEntries(result) as Metadata
}

/** Returns the value with the member or item at a path set, or removed by null; undefined if its parent or item is absent. */
export function withValueAt(
  value: Json | undefined,
  [segment, ...rest]: readonly Segment[],
  content: Json,
): Json | undefined {
  if (segment === undefined) return content
  if (Array.isArray(value)) {
    const index = typeof segment === 'number' ? (segment < 0 ? value.length + segment : segment) : -1
    if (index < 0 || index >= value.length) return undefined
    if (rest.length === 0 && content === null) return value.toSpliced(index, 1)
    const changed = withValueAt(value[index], rest, content)
    return changed === undefined ? undefined : value.with(index, changed)
  }
  if (!isGroup(value) || typeof segment !== 'string') return undefined
  const known = Object.hasOwn(value, segment)
  if (rest.length > 0 && !known) return undefined
  const members = new Map(Object.entries(value))
  if (rest.length === 0 && content === null) {
    if (!members.delete(segment)) return undefined
    return Object.fromEntries(members) as Metadata
  }
  const changed = withValueAt(members.get(segment), rest, content)
  return changed === undefined ? undefined : (Object.fromEntries(members.set(segment, changed)) as Metadata)
}
