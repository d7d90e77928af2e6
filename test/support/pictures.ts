import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** A photograph as from a camera, with maker, place and comment. */
export async function photograph(width = 1600, height = 1200): Promise<Buffer> {
  const jpeg = await sharp(noise(width, height), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 70 })
    .withExif({
      IFD0: { Make: 'SECRET-CAMERA', Copyright: 'SECRET-PERSON' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1' },
    })
    .toBuffer()
  const comment = Buffer.from('SECRET-COMMENT')
  // COM segment after the start of the image (ISO 10918-1, B.2.4.5).
  const length = Buffer.from([0xff, 0xfe, 0, comment.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), length, comment, jpeg.subarray(2)])
}

export const png = (width = 400, height = 300): Promise<Buffer> => plain(width, height).png().toBuffer()
export const webp = (width = 400, height = 300): Promise<Buffer> => plain(width, height).webp().toBuffer()

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 11, g: 95, b: 90, alpha: 0.5 } } })

export async function animated(): Promise<Buffer> {
  const frames = await Promise.all(['#f00', '#0f0', '#00f'].map((background) => frame(background)))
  return sharp(frames, { join: { animated: true } })
    .webp({ loop: 0, delay: [100, 100, 100] })
    .toBuffer()
}

const frame = (background: string) =>
  sharp({ create: { width: 40, height: 40, channels: 3, background } })
    .png()
    .toBuffer()

/** A small PNG whose header declares this size (PNG, 11.2.1). */
export function pngOf(width: number, height: number, { bits = 8, colour = 0 } = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([bits, colour, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1024 * 1024))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** Reproducible noise. */
function noise(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height * 3)
  for (let index = 0, seed = 1; index < pixels.length; index += 1) {
    seed = (seed * 1103515245 + 12345) % 2147483648
    pixels[index] = (seed >> 16) % 64
  }
  return pixels
}

/** Chunk types of a WebP (WebP Container Specification), parsed without a library. */
export function chunksOf(file: Buffer): string[] {
  const names: string[] = []
  for (let at = 12; at + 8 <= file.length; ) {
    names.push(file.toString('latin1', at, at + 4))
    const size = file.readUInt32LE(at + 4)
    at += 8 + size + (size % 2)
  }
  return names
}

/** A document of one empty page, padded to `bytes`. */
export function pdf(bytes = 400): Buffer {
  const head = '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n%'
  const end = '\ntrailer<</Root 1 0 R>>\n%%EOF\n'
  return Buffer.from(head + 'x'.repeat(bytes - head.length - end.length) + end)
}
