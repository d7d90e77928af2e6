import { crc32, deflateSync } from 'node:zlib'
import { type Matrix, modulesAcross } from './matrix.ts'

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
/** Bit depth 1, greyscale (PNG, 11.2.1). */
const ONE_BIT_GREY = [1, 0, 0, 0, 0]

/**
 * Draws a square 1-bit PNG of `size` pixels with whole-pixel modules; the quiet zone absorbs the rest.
 * @returns undefined if `size` is below one pixel per module
 */
export function drawPng(matrix: Matrix, size: number): Uint8Array | undefined {
  const scale = Math.floor(size / modulesAcross(matrix))
  if (scale < 1) return undefined
  const { modules, isDark } = matrix
  const start = Math.floor((size - modules * scale) / 2)
  // Filter type 0 per row; white is 1.
  const bytesPerRow = 1 + Math.ceil(size / 8)
  const pixels = new Uint8Array(bytesPerRow * size).fill(0xff)
  const row = new Uint8Array(bytesPerRow)
  for (let y = 0; y < size; y += 1) {
    const moduleY = Math.floor((y - start) / scale)
    if (moduleY < 0 || moduleY >= modules) {
      pixels[y * bytesPerRow] = 0
      continue
    }
    if ((y - start) % scale === 0) {
      row.fill(0xff)
      row[0] = 0
      for (let x = 0; x < modules; x += 1) {
        if (!isDark(x, moduleY)) continue
        for (let at = start + x * scale; at < start + (x + 1) * scale; at += 1) {
          const index = 1 + (at >> 3)
          row[index] = (row[index] as number) & ~(0x80 >> (at & 7))
        }
      }
    }
    pixels.set(row, y * bytesPerRow)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set(ONE_BIT_GREY, 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', new Uint8Array()),
  ])
}

/** PNG, 5.3. */
function chunk(type: string, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + data.length)
  bytes.writeUInt32BE(data.length, 0)
  bytes.write(type, 4, 'latin1')
  bytes.set(data, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length)
  return bytes
}
