import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import jsQr from 'jsqr'
import { PNG } from 'pngjs'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

// Codes are read by foreign code: jsQR and ZXing (packages), ZBar and libdmtx (Debian).

const pictures = new WeakMap<Uint8Array, ReturnType<typeof PNG.sync.read>>()

function decoded(png: Uint8Array) {
  const picture = pictures.get(png) ?? PNG.sync.read(Buffer.from(png))
  pictures.set(png, picture)
  return picture
}

/** Pixels of a PNG, true if dark. */
export function pixelsOf(png: Uint8Array): { readonly size: number; isDark(x: number, y: number): boolean } {
  const { width, height, data } = decoded(png)
  if (width !== height) throw new Error(`${width} × ${height} is not a square.`)
  return { size: width, isDark: (x, y) => (data[4 * (y * width + x)] as number) < 128 }
}

export function readByJsQr(png: Uint8Array): string | undefined {
  const { width, height, data } = decoded(png)
  // Its types declare the function as a member.
  const read = jsQr as unknown as typeof jsQr.default
  return read(new Uint8ClampedArray(data), width, height, { inversionAttempts: 'dontInvert' })?.data
}

let isPrepared = false

/** Every code that ZXing reads, with format, version and error correction. */
export async function readByZxing(picture: Uint8Array) {
  if (!isPrepared) {
    // The default would fetch code from another machine.
    const file = join(import.meta.dirname, '../../node_modules/zxing-wasm/dist/reader/zxing_reader.wasm')
    prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(file)).buffer } })
    isPrepared = true
  }
  return readBarcodes(new Blob([Uint8Array.from(picture)]), { maxNumberOfSymbols: 50, tryDownscale: true })
}

export const readByZbar = (pictures: readonly Uint8Array[]): string[] =>
  inFiles(pictures, (files) =>
    run('zbarimg', ['--quiet', '--raw', ...files])
      .split('\n')
      .filter((line) => line !== ''),
  )

/** Decodes one GS1 DataMatrix; `~` is FNC1. */
export const readByDmtx = (picture: Uint8Array): string =>
  inFiles([picture], (files) => run('dmtxread', ['--stop-after=1', '--gs1=126', ...files]))

/** Pages of a PDF by Poppler, as PGM: packing a PNG takes ten times as long as drawing it. */
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

/** An SVG as a PNG, in a separate process: the gateway in this one forbids its library to read SVG. */
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
