import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { isRecord } from '../../../../src/plugin/index.ts'

// Backup file format: a plaintext head, then individually encrypted pieces.
//
//   "dpp-backup 1\n" | uint32 length | head (JSON) | HMAC-SHA-256 of the preceding bytes (32 bytes)
//   repeated: uint32 length, top bit set in the last piece | ciphertext | tag (16 bytes)
//
// Keys are derived per file from MASTER_KEY and the salt in the head, so the piece number can be the nonce (NIST SP 800-38D, 8.2.1). Each
// tag authenticates the piece, its number, the last-piece flag and the head.

interface BackupHead {
  readonly version: string
  /** Time of the snapshot: ISO 8601 in UTC. */
  readonly createdAt: string
  readonly migrations: readonly string[]
}

export interface Backup {
  readonly head: BackupHead
  /**
   * Authenticates each piece before it is yielded.
   * @throws UnreadableBackup if a piece was altered, moved or is missing
   */
  plain(): AsyncGenerator<Buffer>
}

/** Unusable backup. The message states the remedy. */
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

/** @param masterKey Base64 of 32 bytes */
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
    // Retains some bytes, so that the last piece is not empty.
    while (rest.length > MAX_PIECE_BYTES) {
      yield sealed(rest.subarray(0, MAX_PIECE_BYTES), false)
      rest = rest.subarray(MAX_PIECE_BYTES)
    }
    waiting = [Buffer.from(rest)]
    bytes = rest.length
  }
  yield sealed(Buffer.concat(waiting), true)
}

/** @throws UnreadableBackup if the file is missing, invalid or made under another key */
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
  if (!magic.equals(MAGIC)) throw new UnreadableBackup(`${file} is not a backup made by "dpp backup".`)
  const length = await reading.exactly(4)
  const bytes = length.readUInt32BE()
  if (bytes > MAX_HEAD_BYTES)
    throw new UnreadableBackup(`${file}: the header is too long. Use another copy of the file.`)
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
      `MASTER_KEY does not decrypt ${file}, or its header was altered. Set the MASTER_KEY of the installation that made the backup, or set that key as MASTER_KEY_PREVIOUS.`,
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
    // Reported below.
  }
  throw new UnreadableBackup(`${file}: the header cannot be read. Use another copy of the file.`)
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
          `${file} was altered, or its parts are out of order (part ${number}). Use another copy of the file.`,
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
        throw new UnreadableBackup(`${file} has extra data after its end. Use another copy of the file.`)
      return
    }
  } finally {
    reading.close()
  }
}

/** RFC 5869. */
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

  /** @throws UnreadableBackup if the file ends early */
  async exactly(count: number): Promise<Buffer> {
    const found = await this.upTo(count)
    if (found.length < count)
      throw new UnreadableBackup(`${this.#file} is incomplete: its end is missing. Use another copy of the file.`)
    return found
  }

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
