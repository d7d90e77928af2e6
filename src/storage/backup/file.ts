import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { isRecord } from '../../domain/record.ts'

// A back-up as a file: a head that everybody can read, and pieces of which each is encrypted by itself.
//
//   "dpp-backup 1\n" | uint32 length | head, JSON | HMAC-SHA-256 of all that (32 bytes)
//   and again and again: uint32 length, its first bit set in the last piece | ciphertext | tag (16 bytes)
//
// Each file has keys of its own, made of MASTER_KEY and the salt in its head, so that the number of a piece can be its nonce
// (NIST SP 800-38D, 8.2.1). What a tag stands for is the piece, its number, whether it is the last, and the head.

/** What stands in clear at the beginning of a back-up. */
interface BackupHead {
  /** The gateway's version. */
  readonly version: string
  /** When what is in it was so: ISO 8601 in UTC. */
  readonly createdAt: string
  /** Names of the migrations that had run. */
  readonly migrations: readonly string[]
}

/** A back-up whose head is that of its MASTER_KEY. */
export interface Backup {
  readonly head: BackupHead
  /**
   * Its content from the beginning, piece by piece; each was checked before it is given.
   * @throws UnreadableBackup where a piece was altered, moved or is missing
   */
  plain(): AsyncGenerator<Buffer>
}

/** A file that is no back-up, not a whole one, or none of this installation. Its message says what to do. */
export class UnreadableBackup extends Error {
  override name = 'Unreadable'
}

const MAGIC = Buffer.from('dpp-backup 1\n')
const MAX_HEAD_BYTES = 1024 * 1024
const MAX_PIECE_BYTES = 256 * 1024
const SALT_BYTES = 32
const KEY_BYTES = 32
const MAC_BYTES = 32
const TAG_BYTES = 16
const IS_LAST = 0x8000_0000

/**
 * The bytes of a back-up.
 * @param masterKey Base64 of 32 bytes
 */
export async function* sealBackup(
  head: BackupHead,
  masterKey: string,
  plain: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  const keys = keysOf(masterKey, salt)
  const text = Buffer.from(JSON.stringify({ ...head, salt: salt.toString('base64') }))
  const open = Buffer.concat([MAGIC, uint32(text.length), text])
  const mac = createHmac('sha256', keys.head).update(open).digest()
  yield Buffer.concat([open, mac])
  let number = 0
  const sealed = (piece: Buffer, isLast: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', keys.content, nonceOf(number++), { authTagLength: TAG_BYTES })
    cipher.setAAD(Buffer.concat([mac, Buffer.from([isLast ? 1 : 0])]))
    const length = uint32(isLast ? piece.length + IS_LAST : piece.length)
    return Buffer.concat([length, cipher.update(piece), cipher.final(), cipher.getAuthTag()])
  }
  let waiting: Buffer[] = []
  let bytes = 0
  for await (const part of plain) {
    waiting.push(part)
    bytes += part.length
    if (bytes <= MAX_PIECE_BYTES) continue
    let rest = Buffer.concat(waiting)
    // The last piece is never empty by chance: something is always kept for it.
    while (rest.length > MAX_PIECE_BYTES) {
      yield sealed(rest.subarray(0, MAX_PIECE_BYTES), false)
      rest = rest.subarray(MAX_PIECE_BYTES)
    }
    waiting = [Buffer.from(rest)]
    bytes = rest.length
  }
  yield sealed(Buffer.concat(waiting), true)
}

/**
 * Opens a back-up, and reads its head.
 * @param masterKeys any of which it may have been made under
 * @throws UnreadableBackup where there is none, or it was made under another key
 */
export async function openBackup(file: string, ...masterKeys: readonly string[]): Promise<Backup> {
  const reading = new Reading(file)
  try {
    const { head, keys } = await readHead(reading, file, masterKeys)
    return { head, plain: () => piecesOf(file, masterKeys, keys.content) }
  } finally {
    reading.close()
  }
}

async function readHead(reading: Reading, file: string, masterKeys: readonly string[]) {
  const magic = await reading.upTo(MAGIC.length)
  if (!magic.equals(MAGIC)) throw new UnreadableBackup(`${file} is no back-up of "dpp backup".`)
  const length = await reading.exactly(4)
  const bytes = length.readUInt32BE()
  if (bytes > MAX_HEAD_BYTES)
    throw new UnreadableBackup(`${file}: its head is longer than any. Use another copy of it.`)
  const text = await reading.exactly(bytes)
  const mac = await reading.exactly(MAC_BYTES)
  const { salt, ...head } = headOf(text, file)
  const keys = masterKeys
    .map((masterKey) => keysOf(masterKey, Buffer.from(salt, 'base64')))
    .find((each) =>
      timingSafeEqual(mac, createHmac('sha256', each.head).update(magic).update(length).update(text).digest()),
    )
  if (keys === undefined) {
    throw new UnreadableBackup(
      `MASTER_KEY is not the one that ${file} was made under, or the head of the file was altered: set the MASTER_KEY of the installation that made it, or that key as MASTER_KEY_PREVIOUS.`,
    )
  }
  return { head, keys, mac }
}

function headOf(text: Buffer, file: string): BackupHead & { salt: string } {
  try {
    const head: unknown = JSON.parse(text.toString())
    if (isRecord(head) && typeof head.salt === 'string' && Array.isArray(head.migrations)) {
      return head as unknown as BackupHead & { salt: string }
    }
  } catch {
    // What is said below holds for it too.
  }
  throw new UnreadableBackup(`${file}: its head cannot be read. Use another copy of it.`)
}

async function* piecesOf(file: string, masterKeys: readonly string[], key: Buffer): AsyncGenerator<Buffer> {
  const reading = new Reading(file)
  try {
    const { mac } = await readHead(reading, file, masterKeys)
    for (let number = 0; ; number += 1) {
      const word = (await reading.exactly(4)).readUInt32BE()
      const isLast = word >= IS_LAST
      const bytes = isLast ? word - IS_LAST : word
      const altered = () =>
        new UnreadableBackup(
          `${file} was altered, or its parts are not in their order (piece ${number}). Use another copy of it.`,
        )
      if (bytes > MAX_PIECE_BYTES) throw altered()
      const ciphertext = await reading.exactly(bytes)
      const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number), { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.concat([mac, Buffer.from([isLast ? 1 : 0])]))
      decipher.setAuthTag(await reading.exactly(TAG_BYTES))
      const plain = decipher.update(ciphertext)
      try {
        decipher.final()
      } catch {
        throw altered()
      }
      yield plain
      if (!isLast) continue
      if ((await reading.upTo(1)).length > 0)
        throw new UnreadableBackup(`${file} goes on behind its end. Use another copy of it.`)
      return
    }
  } finally {
    reading.close()
  }
}

/** RFC 5869: keys for this one file. */
function keysOf(masterKey: string, salt: Buffer): { readonly content: Buffer; readonly head: Buffer } {
  const both = Buffer.from(
    hkdfSync('sha256', Buffer.from(masterKey, 'base64'), salt, 'dpp-gateway back-up', 2 * KEY_BYTES),
  )
  return { content: both.subarray(0, KEY_BYTES), head: both.subarray(KEY_BYTES) }
}

function nonceOf(number: number): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number), 4)
  return nonce
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A file from its beginning, so many bytes at a time. */
class Reading {
  readonly #file: string
  readonly #stream: ReturnType<typeof createReadStream>
  readonly #parts: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(file: string) {
    this.#file = file
    this.#stream = createReadStream(file, { highWaterMark: MAX_PIECE_BYTES })
    this.#parts = this.#stream[Symbol.asyncIterator]()
  }

  /** @throws UnreadableBackup where the file ends before */
  async exactly(count: number): Promise<Buffer> {
    const found = await this.upTo(count)
    if (found.length < count)
      throw new UnreadableBackup(`${this.#file} is not whole: its end is missing. Use another copy of it.`)
    return found
  }

  /** Fewer where the file ends. */
  async upTo(count: number): Promise<Buffer> {
    const parts = [this.#rest]
    let bytes = this.#rest.length
    while (bytes < count) {
      const { value, done } = await this.#next()
      if (done) break
      parts.push(value)
      bytes += value.length
    }
    const all = Buffer.concat(parts)
    this.#rest = all.subarray(count)
    return all.subarray(0, count)
  }

  async #next(): Promise<IteratorResult<Buffer>> {
    try {
      return await this.#parts.next()
    } catch (error) {
      throw new UnreadableBackup(`${this.#file} cannot be read: ${(error as Error).message}`)
    }
  }

  close(): void {
    this.#stream.destroy()
  }
}
