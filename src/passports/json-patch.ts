import type { Json } from '../domain/metadata.ts'
import { isRecord } from '../domain/record.ts'

/** Subset of RFC 6902. */
type Operation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string }

/** Maximum operations before the whole value is replaced. */
const MAX_OPERATIONS = 100
/** Maximum path length, to avoid repeating long names. */
const MAX_PATH_CHARACTERS = 1000

/** Returns the patch in linear time and size. Objects are unordered (RFC 8259, 4); lists are matched from both ends. */
export function patchBetween(before: Json, after: Json, shapeOf = shapes()): Operation[] {
  return between(before, after, '')

  function between(old: Json, now: Json, path: string): Operation[] {
    if (shapeOf(old) === shapeOf(now)) return []
    const whole: Operation = { op: 'replace', path, value: now }
    if (path.length > MAX_PATH_CHARACTERS) return [whole]
    const steps =
      Array.isArray(old) && Array.isArray(now)
        ? betweenLists(old, now, path)
        : isRecord(old) && isRecord(now)
          ? betweenObjects(old, now, path)
          : [whole]
    return steps.length > MAX_OPERATIONS ? [whole] : steps
  }

  function betweenObjects(old: Record<string, unknown>, now: Record<string, unknown>, path: string): Operation[] {
    const steps: Operation[] = []
    for (const key of Object.keys(old)) {
      const at = `${path}/${escaped(key)}`
      if (Object.hasOwn(now, key)) append(steps, between(old[key] as Json, now[key] as Json, at))
      else steps.push({ op: 'remove', path: at })
    }
    for (const key of Object.keys(now)) {
      if (!Object.hasOwn(old, key)) steps.push({ op: 'add', path: `${path}/${escaped(key)}`, value: now[key] as Json })
    }
    return steps
  }

  function betweenLists(old: readonly Json[], now: readonly Json[], path: string): Operation[] {
    const isSame = (a: number, b: number) => shapeOf(old[a] as Json) === shapeOf(now[b] as Json)
    let start = 0
    while (start < old.length && start < now.length && isSame(start, start)) start += 1
    let [oldEnd, nowEnd] = [old.length, now.length]
    while (oldEnd > start && nowEnd > start && isSame(oldEnd - 1, nowEnd - 1)) {
      oldEnd -= 1
      nowEnd -= 1
    }
    const steps: Operation[] = []
    const shared = Math.min(oldEnd, nowEnd)
    for (let at = start; at < shared; at += 1) {
      append(steps, between(old[at] as Json, now[at] as Json, `${path}/${at}`))
    }
    for (let at = oldEnd - 1; at >= shared; at -= 1) steps.push({ op: 'remove', path: `${path}/${at}` })
    for (let at = shared; at < nowEnd; at += 1) steps.push({ op: 'add', path: `${path}/${at}`, value: now[at] as Json })
    return steps
  }
}

/** Equal values share a number. Visits each object once. */
export function shapes(): (value: Json) => number {
  const numbers = new Map<string, number>()
  const known = new WeakMap<object, number>()
  const numberOf = (text: string): number => {
    const found = numbers.get(text) ?? numbers.size
    numbers.set(text, found)
    return found
  }
  return function shapeOf(value: Json): number {
    if (typeof value !== 'object' || value === null) return numberOf(JSON.stringify(value))
    const found = known.get(value)
    if (found !== undefined) return found
    const text = Array.isArray(value)
      ? `[${value.map(shapeOf).join()}`
      : `{${Object.keys(value)
          .toSorted()
          .map((key) => `${JSON.stringify(key)}:${shapeOf((value as Record<string, Json>)[key] as Json)}`)
          .join()}`
    const number = numberOf(text)
    known.set(value, number)
    return number
  }
}

function append(steps: Operation[], more: readonly Operation[]): void {
  for (const step of more) steps.push(step)
}

/** Escapes by RFC 6901, 3. */
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
