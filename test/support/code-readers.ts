import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import jsQr from 'jsqr'
import { PNG } from 'pngjs'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

// Codes are read by other people's code: jsQR and ZXing, which come as packages, and ZBar and libdmtx from Debian.

const pictures = new WeakMap<Uint8Array, ReturnType<typeof PNG.sync.read>>()

/** Decodes a PNG, the same one once. */
function decoded(png: Uint8Array) {
  const picture = pictures.get(png) ?? PNG.sync.read(Buffer.from(png))
  pictures.set(png, picture)
  return picture
}

/** The pixels of a PNG: whether each is dark. */
export function pixelsOf(png: Uint8Array): { readonly size: number; isDark(x: number, y: number): boolean } {
  const { width, height, data } = decoded(png)
  if (width !== height) throw new Error(`${width} × ${height} is not a square.`)
  return { size: width, isDark: (x, y) => (data[4 * (y * width + x)] as number) < 128 }
}

/** What jsQR reads in a picture of one QR code. */
export function readByJsQr(png: Uint8Array): string | undefined {
  const { width, height, data } = decoded(png)
  // Its types say that the function is one of its members.
  const read = jsQr as unknown as typeof jsQr.default
  return read(new Uint8ClampedArray(data), width, height, { inversionAttempts: 'dontInvert' })?.data
}

let isPrepared = false

/** What ZXing reads in a picture: every code, with its format, version and error correction. */
export async function readByZxing(picture: Uint8Array) {
  if (!isPrepared) {
    // Otherwise it would fetch its own code from another machine.
    const file = join(import.meta.dirname, '../../node_modules/zxing-wasm/dist/reader/zxing_reader.wasm')
    prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(file)).buffer } })
    isPrepared = true
  }
  return readBarcodes(new Blob([Uint8Array.from(picture)]), { maxNumberOfSymbols: 50, tryDownscale: true })
}

/** What ZBar reads in pictures, in the order of the pictures. */
export const readByZbar = (pictures: readonly Uint8Array[]): string[] =>
  inFiles(pictures, (files) =>
    run('zbarimg', ['--quiet', '--raw', ...files])
      .split('\n')
      .filter((line) => line !== ''),
  )

/** What libdmtx reads in a picture of one GS1 DataMatrix; `~` is FNC1. */
export const readByDmtx = (picture: Uint8Array): string =>
  inFiles([picture], (files) => run('dmtxread', ['--stop-after=1', '--gs1=126', ...files]))

/** Pages of a PDF as pictures, by Poppler: as PGM, since to pack a PNG would take ten times as long as to draw it. */
export function rasterised(pdf: Uint8Array, dotsPerInch: number): Uint8Array[] {
  const folder = mkdtempSync(join(tmpdir(), 'dpp-pdf-'))
  try {
    writeFileSync(join(folder, 'in.pdf'), pdf)
    run('pdftoppm', ['-r', String(dotsPerInch), '-gray', join(folder, 'in.pdf'), join(folder, 'page')])
    const pages = readdirSync(folder)
      .filter((name) => name.endsWith('.pgm'))
      .sort()
    return pages.map((name) => readFileSync(join(folder, name)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The text of a PDF, by Poppler. */
export const textOf = (pdf: Uint8Array): string => inFiles([pdf], ([file = '']) => run('pdftotext', [file, '-']))

const run = (program: string, words: readonly string[]): string =>
  execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 * 1024 * 1024 })

function inFiles<T>(contents: readonly Uint8Array[], use: (files: string[]) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'dpp-codes-'))
  try {
    const files = contents.map((content, index) => {
      const file = join(folder, String(index).padStart(5, '0'))
      writeFileSync(file, content)
      return file
    })
    return use(files)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** An SVG as a PNG, in a process of its own: the gateway, which shares this one, has forbidden its library to read SVG. */
export const drawnFromSvg = (svg: string): Uint8Array =>
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import sharp from 'sharp'
      const parts = []
      for await (const part of process.stdin) parts.push(part)
      process.stdout.write(await sharp(Buffer.concat(parts)).png().toBuffer())`,
    ],
    { input: svg, cwd: import.meta.dirname },
  )
