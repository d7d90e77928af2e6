import { describe, expect, test } from 'vitest'
import { passportContent, unitContent } from '../../../src/carriers/content.ts'
import { ERROR_CORRECTIONS, encoderOf, type Matrix, SYMBOLOGIES } from '../../../src/carriers/matrix.ts'
import { drawSvg } from '../../../src/carriers/svg.ts'
import { readByZxing } from '../../support/code-readers.ts'
import { pictureOf } from '../../support/svg-picture.ts'

const CONTENT = unitContent('https://id.example.org', {
  id: '',
  serialNumber: 'ABCDEFGHIJKLMNOPQRST',
  productId: '09506000134352',
})

describe.each(SYMBOLOGIES)('%s', (symbology) => {
  test.each(ERROR_CORRECTIONS)('%s: the drawing is the code, and its quiet zone is exact', async (errorCorrection) => {
    const matrix = encoderOf(symbology, errorCorrection)(CONTENT) as Matrix
    const { picture, across, dark } = pictureOf(drawSvg(matrix, CONTENT, { size: 512, isReadable: false }))
    const quiet = symbology === 'qr' ? 4 : 2
    const edges = (of: (module: { x: number; y: number }) => number) => [
      Math.min(...dark.map(of)),
      across - 1 - Math.max(...dark.map(of)),
    ]
    expect(edges(({ x }) => x)).toEqual([quiet, quiet])
    expect(edges(({ y }) => y)).toEqual([quiet, quiet])
    const [found] = await readByZxing(picture)
    expect(found?.text).toBe(symbology === 'qr' ? CONTENT.uri : '(01)09506000134352(21)ABCDEFGHIJKLMNOPQRST')
  })
})

describe('the document', () => {
  const drawn = async (productId: string, isReadable: boolean, size = 333) => {
    const content = passportContent('https://id.example.org', { id: 'the-id', productId })
    return drawSvg(encoderOf('qr', 'Q')(content) as Matrix, content, { size, isReadable })
  }

  test('has the width that was asked for, and says how small it may be printed', async () => {
    // 29 modules of the code and eight of its quiet zone, of 0.396 mm each (GS1 General Specifications, 5.12).
    const svg = await drawn('09506000134352', false)
    expect(svg).toContain('width="333" height="333" viewBox="0 0 41 41"')
    expect(svg).toContain(
      '<title id="t">QR code: https://id.example.org/01/09506000134352. Print it at least 16.3 mm wide, margin included.</title>',
    )
    expect(svg).not.toContain('<text')
  })

  test('has room for what people read, by the identifiers of GS1', async () => {
    const svg = await drawn('09506000134352', true)
    expect(svg).toContain('width="333" height="365" viewBox="0 0 41 45"')
    expect(svg).toContain('>(01) 09506000134352</text>')
    expect(await drawn('09506000134352AB12', true)).toContain('>(8003) 09506000134352AB12</text>')
  })

  test('takes no markup, no control characters and no turns from a product id', async () => {
    const hostile = `<script>"&'</script>\u0000\u0007\u202etxt.\u200bexe\n${'W'.repeat(180)}`
    const svg = await drawn(hostile, true)
    expect(svg).toContain(`&lt;script&gt;&quot;&amp;'&lt;/script&gt; txt.exe ${'W'.repeat(180)}</text>`)
    expect(svg.trim()).not.toMatch(/<script|[\p{Cc}\p{Cf}]/u)
    expect(svg).toContain('textLength="')
    expect(svg.match(/<(\w+)/g)).toEqual(['<svg', '<title', '<path', '<path', '<text'])
  })
})
