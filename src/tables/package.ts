import { posix } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import sax from 'sax'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { TableError } from './table.ts'

/** Bytes of a part, unpacked, and of all parts that are read. */
const MAX_PART_BYTES = 512 * 1024 * 1024
/** Bytes of a part that only describes others, such as relationships and styles. */
const MAX_DESCRIBING_BYTES = 32 * 1024 * 1024
/** Open elements, attributes of one, and characters of a name: sax keeps each in memory until it is closed. */
const MAX_DEPTH = 64
const MAX_ATTRIBUTES = 256
const MAX_NAME_CHARACTERS = 1024
/** Namespaces that hold in one element: each element that declares some copies them. */
const MAX_NAMESPACES = 64
/** How much larger than packed a part may be, beyond so many bytes. */
const MAX_RATIO = 200
const RATIO_FROM_BYTES = 1024 * 1024
/** Bytes that are parsed in one go. */
const GO_BYTES = 8192
/** Relationships of one part. */
const MAX_RELATIONSHIPS = 100_000

/** What a package is said to be. */
interface Kind {
  /** As in "The file is no …". */
  readonly name: string
  readonly mostParts: number
  /** What to do with one that is too large, as a whole sentence. */
  readonly advice: string
}

/** The parts of a package by name, in small letters: names differ in more than their case (ISO/IEC 29500-2, 6.2.2). */
export interface Parts {
  /** As they are written. */
  readonly names: readonly string[]
  has(name: string): boolean
  /** Bytes of a part, unpacked. It has no more when it is read. */
  sizeOf(name: string): number
  /** A part in pieces. @throws TableError where it is larger than it may be, or broken */
  bytes(name: string): AsyncGenerator<Buffer>
  /** The text of a part in pieces. @throws TableError as {@link bytes} */
  read(name: string): AsyncGenerator<string>
}

/**
 * Opens a package by the Open Packaging Conventions (ISO/IEC 29500-2). Nothing of it is unpacked before it is read.
 * @throws TableError for what is none, is protected by a password, or has names that lead out of it
 */
export async function openPackage(bytes: Buffer, { name: kind, mostParts, advice }: Kind): Promise<Parts> {
  const broken = (cause: unknown) =>
    new TableError(`The file is no ${kind}, or it is cut off: ${(cause as Error).message}`, { cause })
  const tooLarge = ({ fileName, compressedSize }: Entry) =>
    new TableError(
      `${fileName} has ${compressedSize} bytes and inflates to far more; such files are not opened. ${advice}`,
    )
  const entries = new Map<string, Entry>()
  const opened = new Set<Entry>()
  let bytesLeft = MAX_PART_BYTES
  let zip: ZipFile
  try {
    // Sizes that are declared are held to: what inflates to more is refused. Backslashes in names are read as slashes.
    zip = await fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: false, validateEntrySizes: true })
    if (zip.entryCount > mostParts) throw new TableError(`The file has more than ${mostParts} parts. ${advice}`)
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName.toLowerCase()
      if (/\p{Cc}/u.test(name)) throw new Error('a part has a name with a control character')
      if (entries.has(name)) throw new TableError(`The part ${entry.fileName} is in the file twice.`)
      if (entry.isEncrypted()) {
        throw new TableError(`${entry.fileName} is protected by a password. Save the file without one.`)
      }
      entries.set(name, entry)
      if (entry.uncompressedSize > MAX_PART_BYTES) throw tooLarge(entry)
    }
  } catch (error) {
    throw error instanceof TableError ? error : broken(error)
  }
  return {
    names: [...entries.values()].map(({ fileName }) => fileName),
    has: (name) => entries.has(name.toLowerCase()),
    sizeOf: (name) => entries.get(name.toLowerCase())?.uncompressedSize ?? 0,
    bytes: bytesOf,
    async *read(name) {
      const decoder = new TextDecoder('utf-8', { fatal: true })
      try {
        for await (const chunk of bytesOf(name)) {
          for (let at = 0; at < chunk.length; at += GO_BYTES) {
            yield decoder.decode(chunk.subarray(at, at + GO_BYTES), { stream: true })
            // Whoever has less to do has a turn in between.
            await setImmediate()
          }
        }
        yield decoder.decode()
      } catch (error) {
        throw error instanceof TableError ? error : broken(error)
      }
    },
  }

  async function* bytesOf(name: string): AsyncGenerator<Buffer> {
    const entry = entries.get(name.toLowerCase())
    if (entry === undefined) return
    if (isBomb(entry.uncompressedSize, entry)) throw tooLarge(entry)
    // A part that is read again, as the rows of an import are, counts once.
    if (!opened.has(entry)) bytesLeft -= entry.uncompressedSize
    opened.add(entry)
    if (bytesLeft < 0) {
      throw new TableError(`The parts of the file inflate to more than ${MAX_PART_BYTES} bytes. ${advice}`)
    }
    let size = 0
    let checksum = 0
    try {
      const stream = await zip.openReadStreamPromise(entry)
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        size += chunk.length
        checksum = crc32(chunk, checksum)
        if (isBomb(size, entry)) throw tooLarge(entry)
        yield chunk
      }
      if (checksum !== entry.crc32) throw new Error(`${entry.fileName} has another checksum`)
    } catch (error) {
      throw error instanceof TableError ? error : broken(error)
    }
  }
}

const isBomb = (size: number, { compressedSize }: Entry) => size > RATIO_FROM_BYTES && size > MAX_RATIO * compressedSize

/** Receives the elements of some namespaces: their names without prefix, their attributes, and the text inside of them. */
interface Handler {
  /** Elements of other namespaces are skipped with all that is inside of them, and so are their attributes; absent: none are. */
  readonly namespaces?: ReadonlySet<string>
  open?(name: string, attributes: Readonly<Record<string, string>>, namespace: string): void
  text?(text: string): void
  close?(name: string): void
}

/** Alternatives for programs that know extensions, and one for all others (ISO/IEC 29500-3). */
const COMPATIBILITY = 'http://schemas.openxmlformats.org/markup-compatibility/2006'
const FOR_ALL: ReadonlySet<string> = new Set(['AlternateContent', 'Fallback'])

/**
 * A parser that keeps no tree, with limits on depth, attributes and names. Rejects a document type (ISO/IEC 29500-2 forbids one).
 * @throws TableError from `write` and `end`
 */
export function xmlParser({ namespaces, open, text, close }: Handler): { write(piece: string): void; end(): void } {
  // Only with positions does sax bound its buffers, to 64 KiB of an attribute, a comment or an instruction; longer texts come in pieces.
  const parser = sax.parser(true)
  let depth = 0
  let attributeCount = 0
  let isDeclaring = false
  /** Namespaces by prefix, in the element that is open and in those around it. */
  let scope: Scope = new Map()
  const scopes: Scope[] = []
  /** Depth of the element that is skipped; 0 if none is. */
  let skippedDepth = 0
  const namespaceOf = (name: string) => scope.get(prefixOf(name)) ?? ''
  const isKnown = (name: string) => namespaces === undefined || namespaces.has(namespaceOf(name))
  const isForAll = (name: string) => namespaceOf(name) === COMPATIBILITY && FOR_ALL.has(local(name))
  const fail = (message: string): never => {
    throw new TableError(`The file is not what it should be: ${message}`)
  }
  // What a reference to a character may name, and XML does not have (XML 1.0, 2.2), nothing that is told of it could hold.
  const clean = (value: string) =>
    value.includes('\0') || !value.isWellFormed() ? fail('it has a character that XML does not have.') : value
  parser.onerror = (error) => fail(error.message.split('\n', 1)[0] ?? '')
  parser.ondoctype = () => fail('it has a document type.')
  parser.onopentagstart = ({ name }) => {
    if (name.length > MAX_NAME_CHARACTERS) fail(`it has a name of more than ${MAX_NAME_CHARACTERS} characters.`)
    depth += 1
    if (depth > MAX_DEPTH) fail(`it has more than ${MAX_DEPTH} elements inside each other.`)
    attributeCount = 0
    isDeclaring = false
  }
  parser.onattribute = ({ name }) => {
    if (name.length > MAX_NAME_CHARACTERS) fail(`it has a name of more than ${MAX_NAME_CHARACTERS} characters.`)
    attributeCount += 1
    isDeclaring ||= name.startsWith('xmlns')
    if (attributeCount > MAX_ATTRIBUTES) fail(`it has an element with more than ${MAX_ATTRIBUTES} attributes.`)
  }
  parser.onopentag = ({ name, attributes }) => {
    scopes.push(scope)
    if (skippedDepth > 0) return
    if (isDeclaring) scope = scopeWith(scope, attributes)
    if (scope.size > MAX_NAMESPACES) fail(`it has an element with more than ${MAX_NAMESPACES} namespaces.`)
    if (isKnown(name)) {
      const plain: Record<string, string> = Object.create(null)
      for (const [key, value] of Object.entries(attributes)) {
        if (!key.includes(':') || isKnown(key)) plain[local(key)] = clean(String(value))
      }
      open?.(local(name), plain, namespaceOf(name))
    } else if (!isForAll(name)) skippedDepth = depth
  }
  parser.onclosetag = (name) => {
    if (skippedDepth === 0 && isKnown(name)) close?.(local(name))
    if (skippedDepth === depth) skippedDepth = 0
    depth -= 1
    scope = scopes.pop() ?? scope
  }
  if (text !== undefined) {
    parser.ontext = parser.oncdata = (piece) => {
      if (skippedDepth === 0) text(piece)
    }
  }
  return { write: (piece) => void parser.write(piece), end: () => void parser.close() }
}

const local = (name: string) => name.slice(name.indexOf(':') + 1)
const prefixOf = (name: string) => name.slice(0, Math.max(0, name.indexOf(':')))

/** Namespaces by prefix; the default one has the empty prefix. */
type Scope = ReadonlyMap<string, string>

/** Namespaces in an element that declares some (Namespaces in XML 1.0, section 3). */
function scopeWith(scope: Scope, attributes: object): Scope {
  const declared = Object.entries(attributes)
    .filter(([key]) => key === 'xmlns' || key.startsWith('xmlns:'))
    .map(([key, value]): [string, string] => [key.slice(6), String(value)])
  return new Map([...scope, ...declared])
}

/**
 * Reads a part that is XML, if it is there.
 * @param maxBytes of the part, unpacked
 * @throws TableError for a part that is too large or not well-formed
 */
export async function readPart(
  parts: Parts,
  name: string,
  handler: Handler,
  maxBytes = MAX_DESCRIBING_BYTES,
): Promise<void> {
  if (!parts.has(name)) return
  if (parts.sizeOf(name) > maxBytes) throw new TableError(`${name} has more than ${maxBytes} bytes.`)
  const parser = xmlParser(handler)
  for await (const piece of parts.read(name)) parser.write(piece)
  parser.end()
}

/** Namespace of relationships (ISO/IEC 29500-2, 6.5.3). */
const PACKAGE_NAMESPACES: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/package/2006/relationships',
])

/** Where a part leads. */
interface Relationship {
  readonly id: string
  readonly type: string
  /** As it is written. */
  readonly target: string
  /** The part to which it leads, which need not be there; undefined: out of the package. */
  readonly part: string | undefined
}

/** A URI with a scheme or an authority (RFC 3986, 3 and 4.2), which is never a part. */
const OUTSIDE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i

/**
 * The part to which a target leads. A path that is said to be external is a part if there is one: until 2026 widespread writers
 * said so of every relationship (eclipse-aas4j/aas4j 358 and 484).
 */
function partAt(parts: Parts, folder: string, target: string, isExternal: boolean): string | undefined {
  if (OUTSIDE.test(target)) return undefined
  // A path that climbs above the root stays in it.
  const written = posix.resolve(folder, target).slice(1)
  const part = parts.has(written) ? written : (namesWithoutEscapes(parts).get(withoutEscapes(written)) ?? written)
  return isExternal && !parts.has(part) ? undefined : part
}

const unescapedNames = new WeakMap<Parts, ReadonlyMap<string, string | undefined>>()

/** Names by what they are without percent-escapes; undefined if several are the same then. */
function namesWithoutEscapes(parts: Parts): ReadonlyMap<string, string | undefined> {
  const known = unescapedNames.get(parts)
  if (known !== undefined) return known
  const names = new Map<string, string | undefined>()
  for (const name of parts.names) {
    const plain = withoutEscapes(name)
    names.set(plain, names.has(plain) ? undefined : name)
  }
  unescapedNames.set(parts, names)
  return names
}

function withoutEscapes(name: string): string {
  try {
    return decodeURIComponent(name).toLowerCase()
  } catch {
    return name.toLowerCase()
  }
}

/** The relationships of a part; those of the package itself have no name (ISO/IEC 29500-2, 6.5). */
export async function relationshipsOf(parts: Parts, source: string): Promise<Relationship[]> {
  const folder = posix.dirname(`/${source}`)
  const found: Relationship[] = []
  await readPart(parts, posix.join(folder, '_rels', `${posix.basename(source)}.rels`).slice(1), {
    namespaces: PACKAGE_NAMESPACES,
    open(name, { Id: id = '', Type: type = '', Target: target = '', TargetMode }) {
      if (name !== 'Relationship') return
      if (found.length === MAX_RELATIONSHIPS) {
        throw new TableError(`A part has more than ${MAX_RELATIONSHIPS} relationships.`)
      }
      found.push({ id, type, target, part: partAt(parts, folder, target, TargetMode === 'External') })
    },
  })
  return found
}
