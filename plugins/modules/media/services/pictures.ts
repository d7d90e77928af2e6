import type { Sharp, SharpOptions } from 'sharp'
import { badRequest, KeyedSemaphore } from '../../../../src/plugin/module.ts'

interface Box {
  readonly width: number
  readonly height: number
}

/** Picture as WebP without metadata. */
export interface Picture {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
}

const BOXES: readonly Box[] = [320, 640, 1280].map((width) => ({ width, height: 2 * width }))
const LOGO: readonly Box[] = [{ width: 320, height: 160 }]

/** Validated by the header, before decoding. */
const MAX_PIXELS = 50_000_000
/** WebP allows 16,383. */
const MAX_SIDE_PIXELS = 16_000
/** Some PNG and JPEG files cannot be decoded line by line. */
const MAX_DECODED_BYTES = 160 * 1024 * 1024
const MAX_SECONDS = 15
const QUALITY = 80

const OPTIONS: SharpOptions = { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true }

export default function pictures() {
  // Decoding takes memory and one of few threads.
  const turnstile = new KeyedSemaphore({ places: 1, maxWaiting: 20, maxWaitMs: 20_000 })

  return {
    /** @throws Problem 400 like {@link sizesOf}; 503 if too many wait */
    sizes: (file: Buffer) => resizeInSequence(file, BOXES),
    /** @throws Problem like `sizes` */
    logo: async (file: Buffer) => (await resizeInSequence(file, LOGO))[0] as Picture,
  }

  async function resizeInSequence(file: Buffer, boxes: readonly Box[]): Promise<Picture[]> {
    const leave = await turnstile.enter('')
    try {
      return await sizesOf(file, boxes)
    } finally {
      leave()
    }
  }
}

/** @throws Problem 400 if undecodable, animated or too large */
async function sizesOf(file: Buffer, boxes: readonly Box[]): Promise<Picture[]> {
  const sharp = await library()
  const decoded = (options: SharpOptions, input = file) => sharp(input, options).timeout({ seconds: MAX_SECONDS })
  const { width, height, channels, depth, pages = 1 } = await read(decoded(OPTIONS).metadata())
  if (pages > 1) throw refused('it has several frames. Upload a still picture.')
  if (Math.max(width, height) > MAX_SIDE_PIXELS || width * height > MAX_PIXELS) {
    throw refused(`it has ${width} × ${height} pixels.`)
  }
  if (width * height * channels * (depth === 'uchar' ? 1 : 2) > MAX_DECODED_BYTES) {
    throw refused(`its ${width} × ${height} pixels take too much memory.`)
  }
  const largest = boxes.at(-1) as Box
  const { data, info } = await read(
    inside(decoded(OPTIONS).autoOrient().toColourspace('srgb'), largest).raw().toBuffer({ resolveWithObject: true }),
  )
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const made: Picture[] = []
  for (const box of boxes) {
    const picture = await read(
      inside(decoded({ raw }, data), box).webp({ quality: QUALITY }).toBuffer({ resolveWithObject: true }),
    )
    if (picture.info.width === made.at(-1)?.width) continue
    made.push({ bytes: picture.data, width: picture.info.width, height: picture.info.height })
  }
  return made
}

const inside = (image: Sharp, { width, height }: Box): Sharp =>
  image.resize({ width, height, fit: 'inside', withoutEnlargement: true })

async function read<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    const isLarge = (cause as Error).message.includes('pixel limit')
    throw refused(isLarge ? `it has more than ${MAX_PIXELS} pixels.` : 'it is corrupt, or takes too long to decode.')
  }
}

const refused = (why: string) => badRequest(`The picture was rejected: ${why}`, 'MEDIA_REFUSED')

/** Loaded on demand because of its memory, and only for accepted formats. */
async function library() {
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`) })
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}
