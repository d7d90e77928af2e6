import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { openPackage, relationshipsOf, xmlParser } from './package.ts'
import { openXlsx } from './xlsx-reader.ts'

const KIND = { name: 'package', maxParts: 100, advice: 'Send it in parts.' }
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const WORKBOOK = `<workbook xmlns="${MAIN}" xmlns:r="${TYPES}"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`
const relationships = (...each: readonly string[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join('')}</Relationships>`
/** Stored, not deflated, so that the ratio limit does not apply. */
const packed = (parts: Readonly<Record<string, string | Uint8Array>>) => {
  const contents = Object.entries(parts).map(([name, content]) => [name, Buffer.from(content)])
  return Buffer.from(zipSync(Object.fromEntries(contents), { level: 0 }))
}
const workbook = (more: Readonly<Record<string, string | Uint8Array>>) =>
  packed({
    '_rels/.rels': relationships(`<Relationship Id="r0" Type="${TYPES}/officeDocument" Target="xl/workbook.xml"/>`),
    'xl/workbook.xml': WORKBOOK,
    'xl/_rels/workbook.xml.rels': relationships(
      `<Relationship Id="r1" Type="${TYPES}/worksheet" Target="worksheets/s.xml"/>`,
      `<Relationship Id="r2" Type="${TYPES}/sharedStrings" Target="sharedStrings.xml"/>`,
      `<Relationship Id="r3" Type="${TYPES}/styles" Target="styles.xml"/>`,
    ),
    'xl/worksheets/s.xml': '<worksheet/>',
    ...more,
  })
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
    expect(message).toBe('The file has invalid XML: it is nested more than 64 levels deep.')
    expect(megabytes).toBeLessThan(32)
  })

  test('100,000 attributes are rejected at the 257th, in workbooks and in relationships', async () => {
    const attributes = Array.from({ length: 100_000 }, (_, number) => `a${number}=""`).join(' ')
    const message = 'The file has invalid XML: it has an element with more than 256 attributes.'
    await expect(openXlsx(workbook({ 'xl/sharedStrings.xml': `<sst ${attributes}/>` }))).rejects.toThrow(message)
    const parts = await openPackage(packed({ '_rels/.rels': `<Relationships ${attributes}/>` }), KIND)
    await expect(relationshipsOf(parts, '')).rejects.toThrow(message)
  })

  test('names of elements and attributes are bounded', () => {
    for (const element of [`<${'n'.repeat(1025)}/>`, `<a ${'n'.repeat(1025)}=""/>`]) {
      expect(() => xmlParser({ namespaces: new Set(['']) }).write(element)).toThrow(
        'it has a name of more than 1024 characters.',
      )
    }
  })

  test('namespaces of one element are bounded, since each that declares some copies them', () => {
    const declared = (from: number) => Array.from({ length: 40 }, (_, index) => `xmlns:a${from + index}="n"`).join(' ')
    const parser = xmlParser({ namespaces: new Set(['n']) })
    parser.write(`<a0:b ${declared(0)}><a0:b ${declared(0)}>`)
    expect(() => parser.write(`<a0:b ${declared(40)}>`)).toThrow('it has an element with more than 64 namespaces.')
  })

  test('an attribute, a comment and an instruction of megabytes are rejected after 64 KiB, and a text comes in pieces', () => {
    const written = (text: string, handler = {}) => {
      const parser = xmlParser(handler)
      for (let at = 0; at < text.length; at += 8192) parser.write(text.slice(at, at + 8192))
      parser.end()
    }
    const long = 'x'.repeat(3_000_000)
    for (const xml of [`<a b="${long}"/>`, `<!--${long}--><a/>`, `<?b ${long}?><a/>`]) {
      expect(() => written(xml)).toThrow('The file has invalid XML: Max buffer length exceeded: ')
    }
    const pieces: string[] = []
    written(`<a>${long}<![CDATA[${long}]]></a>`, { text: (piece: string) => pieces.push(piece) })
    expect(pieces.join('')).toBe(long + long)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(80_000)
  })

  test('64 levels and 256 attributes are read, in one element after the other', () => {
    const attributes = Array.from({ length: 256 }, (_, number) => `a${number}=""`).join(' ')
    const parser = xmlParser({ namespaces: new Set(['']) })
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

describe('review-3-inputs N1', () => {
  const replay = (namespace: string, xml: string) => {
    const found: string[] = []
    const parser = xmlParser({
      namespaces: new Set([namespace]),
      open: (name, attributes) =>
        found.push(`<${name}${Object.entries(attributes).map(([key, value]) => ` ${key}=${value}`)}>`),
      text: (text) => found.push(text),
      close: (name) => found.push(`</${name}>`),
    })
    parser.write(xml)
    parser.end()
    return found.join('')
  }

  test('elements are identified by namespace, not by prefix', () => {
    expect(replay('n', '<x:a xmlns:x="n"><x:b/></x:a>')).toBe('<a><b></b></a>')
    expect(replay('n', '<a xmlns="n">1<b xmlns="m">2<c xmlns="n">3</c></b>4</a>').replace(' xmlns=n', '')).toBe(
      '<a>14</a>',
    )
    expect(replay('n', '<constructor:a xmlns:b="n"><b:c/></constructor:a>')).toBe('')
    expect(replay('n', '<b:a xmlns:b="n"><a xmlns:b="m"><b:c/></a><b:d/></b:a>')).toBe('<a><d></d></a>')
  })

  test('attributes of other namespaces are ignored', () => {
    expect(replay('n', '<x:a xmlns:x="n" xmlns:y="m" y:r="1" r="2"/>')).toContain(' r=2')
    expect(replay('n', '<x:a xmlns:x="n" xmlns:y="m" y:r="1" r="2"/>')).not.toContain('r=1')
  })

  test('the alternative for all programs is used', () => {
    const compatibility = 'http://schemas.openxmlformats.org/markup-compatibility/2006'
    const xml = `<a xmlns="n" xmlns:mc="${compatibility}"><mc:AlternateContent><mc:Choice Requires="z"><b/></mc:Choice><mc:Fallback><c/></mc:Fallback></mc:AlternateContent></a>`
    expect(replay('n', xml)).toMatch(/^<a[^>]*><c><\/c><\/a>$/)
  })
})

describe('review-3-inputs N26', () => {
  test('backslashes in names are slashes, and lead out of a package as little as these', async () => {
    const parts = await openPackage(packed({ '_rels\\.rels': relationships(), 'a\\b.xml': 'x' }), KIND)
    expect(parts.names).toEqual(['_rels/.rels', 'a/b.xml'])
    expect(parts.has('a/b.xml')).toBe(true)
    for (const [name, message] of [
      ['..\\a', /invalid relative path/],
      ['a\\..\\..\\b', /invalid relative path/],
      ['\\a', /absolute path/],
    ] as const) {
      await expect(openPackage(packed({ [name]: 'x' }), KIND)).rejects.toThrow(message)
    }
    await expect(openPackage(packed({ 'a/b': 'x', 'a\\b': 'y' }), KIND)).rejects.toThrow(
      /The file contains the part .* twice/,
    )
  })
})
