import { beginningOf } from '../../../../src/plugin/index.ts'
import { AAS_CLASSES, assertCleanText, type Member, modelTypeOf } from '../../../../src/plugin/module.ts'
import { xmlParser } from './package.ts'
import { TableError } from './table.ts'

const NAMESPACE = /^https:\/\/admin-shell\.io\/aas\/3\/[0-2]$/
/** Namespaces of AAS 1 and 2, which have other classes. */
const EARLIER = /^https?:\/\/(?:www\.)?admin-shell\.io\/aas\/([12])\/([0-9])$/
const ADVICE = 'Export the file as AAS 3.0 or 3.1, for example with the AASX Package Explorer, and send it again.'
const MAX_ELEMENTS = 500_000
const GO_BYTES = 8192
const SHOWN_CHARACTERS = 100

interface AasDocument {
  readonly document: Readonly<Record<string, unknown>>
  readonly characters: number
}

type Open =
  | { readonly name: string; readonly is: 'object'; readonly class: string; readonly value: Record<string, unknown> }
  | {
      readonly name: string
      readonly is: 'list' | 'one'
      readonly names: readonly string[]
      readonly items: unknown[]
    }
  | { readonly name: string; readonly is: 'text' | 'boolean'; text: string }

/**
 * Reads AAS 3.0 to 3.2 XML into its JSON form, yielding often.
 * @throws Error for other XML, and for unknown elements
 */
export function* readAasXml(bytes: Uint8Array): Generator<void, AasDocument> {
  const environment = environmentHandler()
  const parser = xmlParser(environment)
  const decode = utf8Decoder()
  let isAfterReturn = false
  for (let at = 0; at < bytes.length; at += GO_BYTES) {
    const piece = decode(bytes.subarray(at, at + GO_BYTES), at + GO_BYTES >= bytes.length)
    // XML 1.0, 2.11: sax does not normalize line ends.
    parser.write((isAfterReturn && piece.startsWith('\n') ? piece.slice(1) : piece).replace(/\r\n?/g, '\n'))
    isAfterReturn = piece.endsWith('\r')
    yield
  }
  parser.end()
  return environment.result()
}

function utf8Decoder() {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return (bytes: Uint8Array, isLast: boolean): string => {
    try {
      return decoder.decode(bytes, { stream: !isLast })
    } catch (cause) {
      throw new TableError('The environment is not valid UTF-8.', { cause })
    }
  }
}

function environmentHandler() {
  const stack: Open[] = []
  let ownNamespace = ''
  let elements = 0
  let characters = 0
  let document: Record<string, unknown> | undefined

  return { open, text, close, result }

  function open(name: string, _attributes: unknown, namespace: string): void {
    elements += 1
    if (elements > MAX_ELEMENTS) throw new TableError(`The environment has more than ${MAX_ELEMENTS} elements.`)
    const parent = stack.at(-1)
    if (parent === undefined) {
      assertEnvironment(name, namespace)
      ownNamespace = namespace
      stack.push({ name, is: 'object', class: name, value: {} })
      return
    }
    const child = namespace === ownNamespace ? childOf(parent, name) : undefined
    if (child === undefined) {
      throw new TableError(`The environment has an unknown element <${shown(name)}> in <${parent.name}>.`)
    }
    stack.push(child)
  }

  function text(piece: string): void {
    const inside = stack.at(-1)
    if (inside !== undefined && 'text' in inside) inside.text += piece
    else if (piece.trim() !== '') {
      throw new TableError(`The environment has text in <${inside?.name}>, which may contain only elements.`)
    }
  }

  function close(): void {
    const closed = stack.pop()
    if (closed === undefined) return
    const value = contentOf(closed)
    characters += closed.name.length + 6 + ('text' in closed ? closed.text.length : 0)
    const parent = stack.at(-1)
    if (parent === undefined) document = value as Record<string, unknown>
    else if (parent.is === 'object') parent.value[closed.name] = value
    else if ('items' in parent) parent.items.push(value)
  }

  function result(): AasDocument {
    if (document === undefined) throw new TableError('The environment has no element.')
    return { document, characters }
  }
}

function childOf(parent: Open, name: string): Open | undefined {
  if (parent.is === 'object') {
    const member = AAS_CLASSES[parent.class]?.[name]
    if (member !== undefined && Object.hasOwn(parent.value, name)) {
      throw new TableError(`The environment has <${name}> twice in one <${parent.name}>.`)
    }
    return member && memberOf(member, name)
  }
  if (!('items' in parent) || !parent.names.includes(name)) return undefined
  if (parent.is === 'one' && parent.items.length > 0) {
    throw new TableError(`The environment has more than one element in <${parent.name}>.`)
  }
  const modelType = modelTypeOf(name)
  return { name, is: 'object', class: name, value: modelType === undefined ? {} : { modelType } }
}

function memberOf(member: Member, name: string): Open {
  if (member.kind === 'object') return { name, is: 'object', class: member.name, value: {} }
  if ('names' in member) return { name, is: member.kind, names: member.names, items: [] }
  return { name, is: member.kind, text: '' }
}

function contentOf(closed: Open): unknown {
  if (closed.is === 'object') return closed.value
  if (closed.is === 'list') return closed.items
  if (closed.is === 'one') {
    if (closed.items.length === 0) throw new TableError(`The environment has an empty <${closed.name}>.`)
    return closed.items[0]
  }
  const text = 'text' in closed ? closed.text : ''
  if (closed.is === 'text') {
    assertCleanText(text, `<${closed.name}>`)
    return text
  }
  if (!/^\s*(?:true|false|0|1)\s*$/.test(text)) {
    throw new TableError(`The environment has "${shown(text)}" in <${closed.name}>, which must be true or false.`)
  }
  return /true|1/.test(text)
}

function assertEnvironment(name: string, namespace: string): void {
  if (name === 'environment' && NAMESPACE.test(namespace)) return
  const [, major, minor] = EARLIER.exec(namespace) ?? []
  const found =
    major === undefined
      ? `The environment begins with <${shown(name)}> in the namespace "${shown(namespace)}", not with <environment> of AAS 3.0 to 3.2.`
      : `The environment is XML of AAS ${major}.${minor}, which is not supported.`
  throw new TableError(`${found} ${ADVICE}`)
}

const shown = (text: string) => beginningOf(text, SHOWN_CHARACTERS)
