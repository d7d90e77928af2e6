import { describe, expect, test } from 'vitest'
import { passportContent, unitContent } from '../../../src/carriers/content.ts'
import { ERROR_CORRECTIONS, encoderOf, type Matrix, modulesAcross } from '../../../src/carriers/matrix.ts'
import { drawPng } from '../../../src/carriers/png.ts'
import { pixelsOf, readByDmtx, readByJsQr, readByZbar, readByZxing } from '../../support/code-readers.ts'
import { referenceTool } from '../../support/reference-tools.ts'

/** Limits, their neighbours, usual and unusual sizes. */
const SIZES = [128, 129, 160, 199, 256, 333, 512, 777, 1024, 2048]

const unit = (baseUrl: string, serialNumber: string) =>
  unitContent(baseUrl, { id: '', serialNumber, productId: '09506000134352' })

/** Links from shortest to longest, for codes of different versions. */
const CONTENTS = [
  passportContent('https://a.eu', { id: '', productId: '09506000134352' }),
  unit('https://id.example.org', 'S1'),
  unit('https://id.example.org', 'ABCDEFGHIJKLMNOPQRST'),
  unit('https://passports.a-company-with-a-long-name.example.org/of/batteries', 'ABCDEFGHIJKLMNOPQRST'),
]

/** One code at every size, and every code at some. Large pictures are the same with every error correction. */
const given = (errorCorrection: (typeof ERROR_CORRECTIONS)[number]) =>
  CONTENTS.flatMap((content, index) =>
    (index === 2 ? SIZES.filter((size) => size < 600 || errorCorrection === 'Q') : [128, 333]).map((size) => {
      const matrix = encoderOf('qr', errorCorrection)(content) as Matrix
      const png = drawPng(matrix, size) as Uint8Array
      return { size, name: `${size} ${content.uri}`, matrix, png, uri: content.uri }
    }),
  )

const zbar = referenceTool('zbarimg')
const dmtx = referenceTool('dmtxread')

describe.each(ERROR_CORRECTIONS)('a QR code with error correction %s', (errorCorrection) => {
  const drawn = given(errorCorrection)

  test('has a quiet zone of four modules, or a little more, and modules of one width', () => {
    for (const { png, matrix, size } of drawn) measure(png, matrix, size)
  })

  test('is read by jsQR and ZBar', { timeout: 120_000 }, () => {
    expect(drawn.map(({ size, png }) => `${size} ${readByJsQr(png)}`)).toEqual(drawn.map(({ name }) => name))
    if (zbar === undefined) return
    // ZBar needs two pixels per module; the longest link has one at 128 pixels with error correction H.
    const legible = drawn.filter(({ size, matrix }) => size >= 2 * modulesAcross(matrix))
    expect(drawn.length - legible.length).toBe(errorCorrection === 'H' ? 1 : 0)
    expect(readByZbar(legible.map(({ png }) => png))).toEqual(legible.map(({ uri }) => uri))
  })

  test('declares its error correction to ZXing, and has the minimum size', async () => {
    const encode = encoderOf('qr', errorCorrection)
    const versions: number[] = []
    for (const content of CONTENTS) {
      const [found] = await readByZxing(drawPng(encode(content) as Matrix, 512) as Uint8Array)
      expect([found?.text, found?.ecLevel]).toEqual([content.uri, errorCorrection])
      versions.push(Number(found?.version))
    }
    expect(versions).toEqual(VERSIONS[errorCorrection])
  })
})

/** Versions of the codes of {@link CONTENTS} (ISO/IEC 18004, table 7). */
const VERSIONS = { M: [2, 3, 4, 6], Q: [3, 4, 5, 8], H: [3, 5, 6, 10] }

/** Measures a picture: the first dark run of a code is the edge of its finder pattern, seven modules. */
function measure(png: Uint8Array, matrix: Matrix, expectedSize: number): void {
  const { size, isDark } = pixelsOf(png)
  expect(size).toBe(expectedSize)
  const at = (index: number) => ({ x: index % size, y: Math.floor(index / size) })
  let first = 0
  while (!isDark(at(first).x, at(first).y)) first += 1
  const { x: left, y: top } = at(first)
  let width = 0
  while (isDark(left + width, top)) width += 1
  const module = width / 7
  expect(module).toBe(Math.floor(size / modulesAcross(matrix)))
  const end = left + matrix.modules * module
  expect(top).toBe(left)
  // Remaining pixels are split, the odd one on the right and below.
  const zones = [left, size - end]
  expect(zones[0]).toBeGreaterThanOrEqual(4 * module)
  expect((zones[1] as number) - (zones[0] as number)).toBeOneOf([0, 1])
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const isInside = x >= left && x < end && y >= top && y < end
      if (!isInside && isDark(x, y)) throw new Error(`(${x}, ${y}) is not empty at ${size} pixels.`)
    }
  }
  // Every module is one square of one colour, by its corners.
  for (let y = 0; y < matrix.modules; y += 1) {
    for (let x = 0; x < matrix.modules; x += 1) {
      for (const dx of [0, module - 1]) {
        for (const dy of [0, module - 1]) {
          if (isDark(left + x * module + dx, top + y * module + dy) !== matrix.isDark(x, y)) {
            throw new Error(`The module (${x}, ${y}) is not whole at ${size} pixels.`)
          }
        }
      }
    }
  }
}

test('a picture has no less than a pixel for each module', async () => {
  const matrix = encoderOf('qr', 'H')(unit(`https://${'long-'.repeat(60)}.example`, 'S')) as Matrix
  expect(modulesAcross(matrix)).toBeGreaterThan(100)
  expect(drawPng(matrix, modulesAcross(matrix) - 1)).toBeUndefined()
  expect(pixelsOf(drawPng(matrix, modulesAcross(matrix)) as Uint8Array).size).toBe(modulesAcross(matrix))
})

describe('a GS1 DataMatrix', () => {
  const grai = passportContent('https://a.eu', { id: '', productId: '09506000134352AB12' })
  test.each([
    ['a GTIN', passportContent('https://a.eu', { id: '', productId: '09506000134352' }), '0109506000134352'],
    ['a GRAI', grai, '800309506000134352AB12'],
    ['a unit', unit('https://a.eu', 'ABC-1.2_3'), '010950600013435221ABC-1.2_3'],
  ])('of %s is read by ZXing and libdmtx, with FNC1 ahead', async (_, content, elements) => {
    const matrix = encoderOf('datamatrix', 'Q')(content) as Matrix
    for (const size of [128, 333, 1024]) {
      const png = drawPng(matrix, size) as Uint8Array
      const [found] = await readByZxing(png)
      // The symbology identifier ]d2 is that of a DataMatrix with FNC1 in the first place (ISO/IEC 16022).
      expect([size, found?.symbologyIdentifier, found?.bytes && Buffer.from(found.bytes).toString('latin1')]).toEqual([
        size,
        ']d2',
        elements,
      ])
      if (dmtx !== undefined) expect(readByDmtx(png)).toBe(`~${elements}`)
    }
  })

  test('is not drawn of what has no GS1 key, or none that has a serial number', async () => {
    const encode = encoderOf('datamatrix', 'Q')
    expect(encode(passportContent('https://a.eu', { id: 'x', productId: 'SKU-1' }))).toBeUndefined()
    const ofGrai = { id: 'x', serialNumber: 'S', productId: '09506000134352AB12' }
    expect(encode(unitContent('https://a.eu', ofGrai))).toBeUndefined()
  })
})
