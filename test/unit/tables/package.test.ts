import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { openPackage, relationshipsOf, xmlParser } from '../../../src/tables/package.ts'
import { openXlsx } from '../../../src/tables/xlsx-reader.ts'

const KIND = { name: 'package', mostParts: 100, advice: 'Send it in parts.' }
const WORKBOOK = '<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>'
const RELATIONSHIPS = '<Relationships><Relationship Id="r1" Target="worksheets/s.xml"/></Relationships>'
/** Stored and not deflated, so that the limit on the ratio does not decide. */
const packed = (parts: Readonly<Record<string, string | Uint8Array>>) => {
  const contents = Object.entries(parts).map(([name, content]) => [name, Buffer.from(content)])
  return Buffer.from(zipSync(Object.fromEntries(contents), { level: 0 }))
}
const workbook = (more: Readonly<Record<string, string | Uint8Array>>) =>
  packed({
    'xl/workbook.xml': WORKBOOK,
    'xl/_rels/workbook.xml.rels': RELATIONSHIPS,
    'xl/worksheets/s.xml': '<worksheet/>',
    ...more,
  })
/** Megabytes of heap that reading takes at most, and what it was rejected with. */
async function rejected(read: () => Promise<unknown>): Promise<{ message: string; megabytes: number }> {
  const before = process.memoryUsage().heapUsed
  const message = await read().then(
    () => 'accepted',
    (error: Error) => error.message,
  )
  return { message, megabytes: (process.memoryUsage().heapUsed - before) / 2 ** 20 }
}

describe('review-3-security S3', () => {
  test('a million elements inside each other are rejected at the 65th', async () => {
    const bytes = workbook({ 'xl/sharedStrings.xml': `<sst>${'<a>'.repeat(1_000_000)}` })
    const { message, megabytes } = await rejected(() => openXlsx(bytes))
    expect(message).toBe('The file is not what it should be: it has more than 64 elements inside each other.')
    expect(megabytes).toBeLessThan(32)
  })

  test('100,000 attributes are rejected at the 257th, in workbooks and in relationships', async () => {
    const attributes = Array.from({ length: 100_000 }, (_, number) => `a${number}=""`).join(' ')
    const message = 'The file is not what it should be: it has an element with more than 256 attributes.'
    await expect(openXlsx(workbook({ 'xl/sharedStrings.xml': `<sst ${attributes}/>` }))).rejects.toThrow(message)
    const parts = await openPackage(packed({ '_rels/.rels': `<Relationships ${attributes}/>` }), KIND)
    await expect(relationshipsOf(parts, '')).rejects.toThrow(message)
  })

  test('names of elements and attributes are bounded', () => {
    for (const element of [`<${'n'.repeat(1025)}/>`, `<a ${'n'.repeat(1025)}=""/>`]) {
      expect(() => xmlParser({}).write(element)).toThrow('it has a name of more than 1024 characters.')
    }
  })

  test('64 levels and 256 attributes are read, in one element after the other', () => {
    const attributes = Array.from({ length: 256 }, (_, number) => `a${number}=""`).join(' ')
    const parser = xmlParser({})
    parser.write(`<a>${`${'<b>'.repeat(63)}${'</b>'.repeat(63)}<c ${attributes}/>`.repeat(3)}</a>`)
    parser.end()
  })
})

describe('review-3-security S5', () => {
  test('parts that only describe others are bounded by themselves', async () => {
    const bytes = workbook({ 'xl/styles.xml': Buffer.alloc(33 * 2 ** 20, ' ') })
    await expect(openXlsx(bytes)).rejects.toThrow('xl/styles.xml has more than 33554432 bytes.')
  })
})
