import { AAS_CLASSES } from './aas-classes.ts'
import { isRecord, type JsonRecord } from './record.ts'

const NAMESPACE = 'https://admin-shell.io/aas/'
const GO_CHARACTERS = 32_768
export type AasXmlVersion = '3/0' | '3/1'

/** Serializes an environment as XML (IDTA-01001), with frequent yields. */
export function* aasXml(environment: JsonRecord, version: AasXmlVersion): Generator<void, string> {
  const pieces: string[] = []
  yield* writeObject(pieces, 'environment', 'environment', environment)
  pieces[0] = beginning(version)
  return pieces.join('')
}

/** Wraps shells, submodels and concept descriptions that are already XML. */
export function aasXmlAround(texts: Readonly<Record<string, readonly string[]>>, version: AasXmlVersion): string {
  const members = Object.keys(AAS_CLASSES.environment ?? {})
    .filter((member) => Object.hasOwn(texts, member))
    .map((member) => `<${member}>${texts[member]?.join('')}</${member}>`)
  return `${beginning(version)}${members.join('')}</environment>`
}

const beginning = (version: AasXmlVersion) =>
  `<?xml version="1.0" encoding="UTF-8"?><environment xmlns="${NAMESPACE}${version}">`

/**
 * @param name XML element name
 * @throws Error if the XML schema has no such element or member
 */
export function* aasXmlOf(name: string, object: unknown): Generator<void, string> {
  const pieces: string[] = []
  yield* writeObject(pieces, name, name, object)
  return pieces.join('')
}

function* writeObject(pieces: string[], tag: string, className: string, object: unknown): Generator<void> {
  const members = AAS_CLASSES[className]
  if (members === undefined || !isRecord(object)) throw misfit(tag)
  for (const key of Object.keys(object)) {
    if (key !== 'modelType' && members[key] === undefined) throw misfit(tag, key)
  }
  pieces.push(`<${tag}>`)
  for (const [key, member] of Object.entries(members)) {
    const value = object[key]
    if (value === undefined) continue
    if (member.kind === 'object') {
      yield* writeObject(pieces, key, member.name, value)
      continue
    }
    pieces.push(`<${key}>`)
    if (member.kind === 'list' || member.kind === 'one') {
      for (const item of member.kind === 'list' && Array.isArray(value) ? value : [value]) {
        const name = nameOf(item, member.names)
        yield* writeObject(pieces, name, name, item)
        yield
      }
    } else if (member.kind === 'text' && typeof value === 'string') {
      for (let at = 0; at < value.length; at += GO_CHARACTERS) {
        pieces.push(escaped(value.slice(at, at + GO_CHARACTERS)))
        if (at > 0) yield
      }
    } else if (member.kind === 'boolean' && typeof value === 'boolean') pieces.push(`${value}`)
    else throw misfit(tag, key)
    pieces.push(`</${key}>`)
  }
  pieces.push(`</${tag}>`)
}

function nameOf(item: unknown, names: readonly [string, ...string[]]): string {
  if (names.length === 1) return names[0]
  const type = isRecord(item) && typeof item.modelType === 'string' ? item.modelType : ''
  return names.find((name) => name.toLowerCase() === type.toLowerCase()) ?? ''
}

const misfit = (name: string, member?: string) =>
  new Error(
    member === undefined ? `AAS XML has no element ${name}.` : `AAS XML cannot hold the member ${member} of ${name}.`,
  )

// Parsers convert a bare carriage return to a line feed (XML 1.0, 2.11).
const escaped = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\r/g, '&#13;')
