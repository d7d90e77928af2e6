import { isDeepStrictEqual } from 'node:util'
import { type Check, firstOf, needed, shown, unless } from '../check.ts'
import { anElement, elementAt, offered } from '../en18222.ts'
import type { Probe } from '../probe.ts'
import { type Reply, statusOf, typeOf } from '../reply.ts'

const CLAUSE = 'EN 18222, 6.2 and 8.4, Table 18'
const PATHS = 'EN 18222, 8.1; RFC 9535'

async function read(probe: Probe, path: string, query = ''): Promise<Reply> {
  return offered(await probe.get(elementAt(probe, path, query)), 'ReadDataElement')
}

/** @throws Skipped if no element can be read at all */
async function isOffered(probe: Probe): Promise<void> {
  const path = probe.target.element ?? (await anElement(probe)).path
  const reply = await read(probe, path)
  needed(reply.status === 200 || undefined, `ReadDataElement responds with ${reply.status} to ${path}`)
}

const rejected = (name: string, path: string, title: string): Check => ({
  id: `en18222-elements.${name}`,
  clause: PATHS,
  title,
  async run(probe) {
    await isOffered(probe)
    return statusOf(await read(probe, path), 400)
  },
})

const absent = (name: string, path: string, title: string): Check => ({
  id: `en18222-elements.${name}`,
  clause: 'EN 18222, 6.2 and Table 15',
  title,
  async run(probe) {
    await isOffered(probe)
    return statusOf(await read(probe, path), 404)
  },
})

/** ReadDataElement. */
export const ELEMENT_CHECKS: readonly Check[] = [
  {
    id: 'en18222-elements.read',
    clause: CLAUSE,
    title: 'ReadDataElement returns an element as JSON',
    async run(probe) {
      const reply = await read(probe, probe.target.element ?? (await anElement(probe)).path)
      return firstOf(statusOf(reply, 200), typeOf(reply, 'application/json'))
    },
  },
  {
    id: 'en18222-elements.value',
    clause: CLAUSE,
    title: 'The compressed form of an element is its value in the passport',
    async run(probe) {
      await isOffered(probe)
      const { path, value } = await anElement(probe)
      const reply = await read(probe, path)
      return (
        statusOf(reply, 200) ??
        unless(isDeepStrictEqual(reply.json(), value), `It is ${shown(reply.json())} instead of ${shown(value)}.`)
      )
    },
  },
  {
    id: 'en18222-elements.dots',
    clause: PATHS,
    title: 'A path with dots is as valid as a normalized path',
    async run(probe) {
      await isOffered(probe)
      const { key, path } = await anElement(probe)
      needed(/^[A-Za-z_]\w*$/.test(key) || undefined, `${key} cannot be written with a dot`)
      const [dots, normalized] = [await read(probe, `$.${key}`), await read(probe, path)]
      return statusOf(dots, 200) ?? unless(dots.body.equals(normalized.body), 'It differs from the normalized path.')
    },
  },
  {
    id: 'en18222-elements.quotes',
    clause: PATHS,
    title: 'A path with double quotes is valid',
    async run(probe) {
      await isOffered(probe)
      const { key } = await anElement(probe)
      return statusOf(await read(probe, `$[${JSON.stringify(key)}]`), 200)
    },
  },
  {
    id: 'en18222-elements.full-form',
    clause: 'EN 18222, 8.1; EN 18223, Annex A',
    title: 'The full form of an element has elementId and objectType',
    async run(probe) {
      await isOffered(probe)
      const { key, path } = await anElement(probe)
      const reply = await read(probe, path, '?representation=full')
      const fault = statusOf(reply, 200)
      if (fault !== undefined) return fault
      const { elementId, objectType } = reply.record()
      return unless(elementId === key && typeof objectType === 'string', `It is ${shown(reply.json())}.`)
    },
  },
  {
    id: 'en18222-elements.unknown-form',
    clause: 'EN 18222, 8.1 and Table 15',
    title: 'An unknown representation of an element is a bad request',
    should: true,
    async run(probe) {
      await isOffered(probe)
      return statusOf(await read(probe, (await anElement(probe)).path, '?representation=unknown-form'), 400)
    },
  },
  rejected('not-a-path', '$[', 'A malformed path is a bad request'),
  rejected('wildcard', '$[*]', 'A path with a wildcard is a bad request'),
  rejected('descendants', '$..material', 'A path with descendants is a bad request'),
  rejected('slice', '$.elements[0:2]', 'A path with a slice is a bad request'),
  rejected('filter', '$[?@.a==1]', 'A path with a filter is a bad request'),
  rejected('union', "$['a','b']", 'A path to several elements is a bad request'),
  rejected('draft-path', 'a/b/c', 'A path of the draft standard is a bad request'),
  rejected('unclosed-quote', "$['a", 'A path with an open quote is a bad request'),
  absent('unknown', "$['noSuchElementInThisPassport']", 'An unknown element is not found'),
  absent('inherited', "$['constructor']", 'An inherited member is not an element'),
  absent('prototype', "$['__proto__']", 'A prototype is not an element'),
  {
    id: 'en18222-elements.of-unknown-passport',
    clause: 'EN 18222, 6.2 and Table 15',
    title: 'An element of an unknown passport is not found',
    async run(probe) {
      await isOffered(probe)
      const url = elementAt(probe, (await anElement(probe)).path)
      return statusOf(await probe.get(url.replace('/elements/', 'unknown/elements/')), 404)
    },
  },
]
