import { posix } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import sax from 'sax'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { TableError } from './table.ts'

/** Unpacked bytes, per part and in total. */
const MAX_PART_BYTES = 512 * 1024 * 1024
/** Bytes of descriptive parts, such as relationships and styles. */
const MAX_DESCRIBING_BYTES = 32 * 1024 * 1024
/** sax keeps these in memory until an element closes. */
const MAX_DEPTH = 64
const MAX_ATTRIBUTES = 256
const MAX_NAME_CHARACTERS = 1024
/** In scope of one element; each declaring element copies them. */
const MAX_NAMESPACES = 64
/** Max expansion above RATIO_FROM_BYTES. */
const MAX_RATIO = 200
const RATIO_FROM_BYTES = 1024 * 1024
const GO_BYTES = 8192
const MAX_RELATIONSHIPS = 100_000

interface Kind {
  readonly name: string
  readonly maxParts: number
  /** Remedy for too large packages, as a sentence. */
  readonly advice: string
}

/** Parts by lower-case name: names differ in more than case (ISO/IEC 29500-2, 6.2.2). */
export interface Parts {
  readonly names: readonly string[]
  has(name: string): boolean
  /** Unpacked bytes, enforced when read. */
  sizeOf(name: string): number
  /** @throws TableError if too large or corrupt */
  bytes(name: string): AsyncGenerator<Buffer>
  /** @throws TableError as {@link bytes} */
  read(name: string): AsyncGenerator<string>
}

/**
 * Opens an OPC package (ISO/IEC 29500-2) and unpacks parts only when read.
 * @throws TableError for other files, password protection, or names that lead out of the package
 */
export async function openPackage(bytes: Buffer, { name: kind, maxParts, advice }: Kind): Promise<Parts> {
  const broken = (cause: unknown) =>
    new TableError(`The file is not a valid ${kind}, or is truncated: ${(cause as Error).message}`, { cause })
  const tooLarge = ({ fileName, compressedSize }: Entry) =>
    new TableError(
      `${fileName} has ${compressedSize} bytes and decompresses to far more, which is not allowed. ${advice}`,
    )
  const entries = new Map<string, Entry>()
  const opened = new Set<Entry>()
  let bytesLeft = MAX_PART_BYTES
  let zip: ZipFile
  try {
    // Enforces declared sizes. Reads backslashes in names as slashes.
    zip = await fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: false, validateEntrySizes: true })
    if (zip.entryCount > maxParts) throw new TableError(`The file has more than ${maxParts} parts. ${advice}`)
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName.toLowerCase()
      if (/\p{Cc}/u.test(name)) throw new Error('a part has a name with a control character')
      if (entries.has(name)) throw new TableError(`The file contains the part ${entry.fileName} twice.`)
      if (entry.isEncrypted()) {
        throw new TableError(`${entry.fileName} is password-protected. Save the file without a password.`)
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
    // Parts that are read again count once.
    if (!opened.has(entry)) bytesLeft -= entry.uncompressedSize
    opened.add(entry)
    if (bytesLeft < 0) {
      throw new TableError(`The parts of the file decompress to more than ${MAX_PART_BYTES} bytes. ${advice}`)
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
      if (checksum !== entry.crc32) throw new Error(`${entry.fileName} has a wrong checksum`)
    } catch (error) {
      throw error instanceof TableError ? error : broken(error)
    }
  }
}

const isBomb = (size: number, { compressedSize }: Entry) => size > RATIO_FROM_BYTES && size > MAX_RATIO * compressedSize

interface Handler {
  readonly namespaces?: ReadonlySet<string>
  open?(name: string, attributes: Readonly<Record<string, string>>, namespace: string): void
  text?(text: string): void
  close?(name: string): void
}

/** Alternatives for extensions, and the fallback (ISO/IEC 29500-3). */
const COMPATIBILITY = 'http://schemas.openxmlformats.org/markup-compatibility/2006'
const FOR_ALL: ReadonlySet<string> = new Set(['AlternateContent', 'Fallback'])

/**
 * Returns a streaming parser with limits on depth, attributes and names. Rejects document types (ISO/IEC 29500-2).
 * @throws TableError from `write` and `end`
 */
export function xmlParser({ namespaces, open, text, close }: Handler): { write(piece: string): void; end(): void } {
  // sax bounds its buffers (64 KiB) only if it tracks positions; longer text arrives in pieces.
  const parser = sax.parser(true)
  let depth = 0
  let attributeCount = 0
  let isDeclaring = false
  let scope: Scope = new Map()
  const scopes: Scope[] = []
  let skippedDepth = 0
  const namespaceOf = (name: string) => scope.get(prefixOf(name)) ?? ''
  const isKnown = (name: string) => namespaces === undefined || namespaces.has(namespaceOf(name))
  const isForAll = (name: string) => namespaceOf(name) === COMPATIBILITY && FOR_ALL.has(local(name))
  const fail = (message: string): never => {
    throw new TableError(`The file has invalid XML: ${message}`)
  }
  // XML 1.0, 2.2: rejects character references that later output cannot represent.
  const clean = (value: string) =>
    value.includes('\0') || !value.isWellFormed() ? fail('it has a character that is not allowed in XML.') : value
  parser.onerror = (error) => fail(error.message.split('\n', 1)[0] ?? '')
  parser.ondoctype = () => fail('it has a document type.')
  parser.onopentagstart = ({ name }) => {
    if (name.length > MAX_NAME_CHARACTERS) fail(`it has a name of more than ${MAX_NAME_CHARACTERS} characters.`)
    depth += 1
    if (depth > MAX_DEPTH) fail(`it is nested more than ${MAX_DEPTH} levels deep.`)
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

type Scope = ReadonlyMap<string, string>

/** Namespaces in XML 1.0, section 3. */
function scopeWith(scope: Scope, attributes: object): Scope {
  const declared = Object.entries(attributes)
    .filter(([key]) => key === 'xmlns' || key.startsWith('xmlns:'))
    .map(([key, value]): [string, string] => [key.slice(6), String(value)])
  return new Map([...scope, ...declared])
}

/**
 * @param maxBytes unpacked
 * @throws TableError if too large or not well-formed
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

/** ISO/IEC 29500-2, 6.5.3. */
const PACKAGE_NAMESPACES: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/package/2006/relationships',
])

interface Relationship {
  readonly id: string
  readonly type: string
  readonly target: string
  /** Target part, possibly missing; undefined: outside the package. */
  readonly part: string | undefined
}

/** URI with scheme or authority (RFC 3986, 3 and 4.2). */
const OUTSIDE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i

/**
 * Resolves a target. An external path is a part if one exists: until 2026 common writers marked every relationship as external
 * (eclipse-aas4j/aas4j 358 and 484).
 */
function partAt(parts: Parts, folder: string, target: string, isExternal: boolean): string | undefined {
  if (OUTSIDE.test(target)) return undefined
  // Prevents escape above the root.
  const written = posix.resolve(folder, target).slice(1)
  const part = parts.has(written) ? written : (namesWithoutEscapes(parts).get(withoutEscapes(written)) ?? written)
  return isExternal && !parts.has(part) ? undefined : part
}

const unescapedNames = new WeakMap<Parts, ReadonlyMap<string, string | undefined>>()

/** Maps unescaped names; undefined if ambiguous. */
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

/** Returns relationships; `source` is empty for the package (ISO/IEC 29500-2, 6.5). */
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
