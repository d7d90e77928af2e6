import type { Json } from './metadata.ts'
import { isRecord } from './record.ts'

/** One step of a JSON Patch (RFC 6902). */
type Operation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string }

/** Steps for one value: where there would be more, the value is replaced as a whole. */
const MAX_OPERATIONS = 100
/** Characters of a path that leads further: what lies deeper is replaced as a whole, or long names would be repeated. */
const MAX_PATH_CHARACTERS = 1000

/**
 * The patch that makes `after` of `before`, in time and size that grow with the two documents and no faster. Members of
 * objects have no order (RFC 8259, 4). Lists are compared from both ends; what lies between is compared place by place.
 * @param shapeOf for documents of which some have been compared already
 */
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

/**
 * Numbers values so that two are equal if and only if they have the same number. Each value is looked at once, however
 * often it is compared.
 */
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

/** A name as a part of a path (RFC 6901, 3). */
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
