import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openBackup, sealBackup } from '../../../plugins/modules/backup/storage/file.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const HEAD = { version: '1.2.3', createdAt: '2026-11-23T00:00:00.000Z', migrations: ['core/one'] }
/** Bytes of an encrypted full piece, with length and tag. */
const PIECE_BYTES = 4 + 256 * 1024 + 16

const folder = await mkdtemp(join(tmpdir(), 'dpp-backup-file-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const file = join(folder, 'backup')

async function* parts(content: Buffer, size = 100_000) {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}
async function sealed(content: Buffer): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of sealBackup(HEAD, KEY, parts(content))) pieces.push(piece)
  return Buffer.concat(pieces)
}
async function opened(bytes: Buffer, key = KEY) {
  await writeFile(file, bytes)
  const { head, plain } = await openBackup(file, key)
  const pieces: Buffer[] = []
  for await (const piece of plain()) pieces.push(piece)
  return { head, content: Buffer.concat(pieces) }
}
const headBytes = (bytes: Buffer) => 13 + 4 + bytes.readUInt32BE(13) + 32

describe('a back-up as a file', () => {
  test.each([0, 1, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 3_000_000])('gives back %i bytes', async (count) => {
    const content = randomBytes(count)
    const bytes = await sealed(content)
    const found = await opened(bytes)
    expect(found.content.equals(content)).toBe(true)
    expect(found.head).toEqual(HEAD)
  })

  test('says nothing of its content, and no two are alike', async () => {
    const content = Buffer.from('a telling word '.repeat(10))
    const [one, other] = [await sealed(content), await sealed(content)]
    expect(one.includes('telling')).toBe(false)
    expect(one.subarray(headBytes(one)).equals(other.subarray(headBytes(other)))).toBe(false)
  })

  test('opens under no other MASTER_KEY, and says so', async () => {
    const bytes = await sealed(Buffer.from('content'))
    await expect(opened(bytes, Buffer.alloc(32, 8).toString('base64'))).rejects.toThrow(/^MASTER_KEY does not decrypt/)
  })

  test('is refused wherever one bit of it was turned', async () => {
    const bytes = await sealed(Buffer.from('some content'))
    for (let at = 0; at < bytes.length; at += 1) {
      const altered = Buffer.from(bytes)
      altered[at] = (altered[at] as number) ^ 1
      await expect(opened(altered), `byte ${at}`).rejects.toThrow()
    }
  })

  test('is refused wherever it was cut, also between two pieces', async () => {
    const bytes = await sealed(randomBytes(600_000))
    const start = headBytes(bytes)
    for (const end of [
      5,
      16,
      start - 1,
      start,
      start + 3,
      start + PIECE_BYTES,
      start + 2 * PIECE_BYTES,
      bytes.length - 1,
    ]) {
      await expect(opened(bytes.subarray(0, end)), `after ${end}`).rejects.toThrow(/is incomplete|is not a backup/)
    }
  })

  test('is refused with pieces in another order, twice, or of another back-up', async () => {
    const [bytes, other] = [await sealed(randomBytes(900_000)), await sealed(randomBytes(900_000))]
    const start = headBytes(bytes)
    const piece = (from: Buffer, number: number) =>
      from.subarray(start + number * PIECE_BYTES, start + (number + 1) * PIECE_BYTES)
    const rest = bytes.subarray(start + 2 * PIECE_BYTES)
    const head = bytes.subarray(0, start)
    const [first, second] = [piece(bytes, 0), piece(bytes, 1)]
    expect((await opened(Buffer.concat([head, first, second, rest]))).content.length).toBe(900_000)
    for (const forged of [
      [second, first, rest],
      [first, first, rest],
      [second, rest],
      [first, piece(other, 1), rest],
      [first, second, rest, Buffer.from('more')],
    ]) {
      await expect(opened(Buffer.concat([head, ...forged]))).rejects.toThrow(/Use another copy of the file/)
    }
    // The last-piece flag is authenticated.
    const last = Buffer.from(first)
    last.writeUInt32BE(last.readUInt32BE() + 0x8000_0000)
    await expect(opened(Buffer.concat([head, last]))).rejects.toThrow(/altered/)
  })

  test('is not read where its lengths promise too much', async () => {
    const bytes = await sealed(Buffer.from('x'))
    const long = Buffer.from(bytes)
    long.writeUInt32BE(0x7fff_ffff, headBytes(bytes))
    await expect(opened(long)).rejects.toThrow(/altered/)
    const head = Buffer.from(bytes)
    head.writeUInt32BE(0xffff_ffff, 13)
    await expect(opened(head)).rejects.toThrow(/the header is too long/)
    await expect(opened(await readFile(import.meta.filename))).rejects.toThrow(/is not a backup/)
    await expect(openBackup(join(folder, 'nowhere'), KEY)).rejects.toThrow(/cannot be read/)
  })
})
