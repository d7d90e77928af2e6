import { describe, expect, test } from 'vitest'
import { environmentsOf } from '../../../../test/support/aasx-reader.ts'
import { aasxOf, environmentOf, relationships, xmlOf } from '../../../../test/support/aasx-writer.ts'
import { writeAasx } from './aasx-writer.ts'
import { openTable, type TableRecord } from './read-table.ts'
import { type Shell, TableError } from './table.ts'
import { writeXlsx } from './xlsx-writer.ts'

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

const shellOf = (record: TableRecord): Shell => {
  if (!('shell' in record)) throw new Error('That is no shell.')
  return record.shell
}
const shellsOf = async (bytes: Buffer) => (await all((await openTable(bytes, 'aasx')).records())).map(shellOf)

const SPEC = 'aasx/a/a.aas.json'
const ORIGIN_RELS = 'aasx/_rels/aasx-origin.rels'
const one = environmentOf({ category: 'textiles' })

describe('an AASX package', () => {
  test('gives each shell with its own submodels, in the order of its environments', async () => {
    const [first, second] = [environmentOf({ gtin: '1' }, { gtin: '2' }), environmentOf({ gtin: '3' })]
    const shared = { id: 'urn:x:shared', idShort: 'Nameplate', submodelElements: [] }
    for (const { submodels } of first.assetAdministrationShells) {
      submodels.push({ type: 'ExternalReference', keys: [{ type: 'GlobalReference', value: shared.id }] })
    }
    const bytes = aasxOf({ [SPEC]: { ...first, submodels: [...first.submodels, shared] }, 'aasx/b.json': second })
    const shells = await shellsOf(bytes)
    expect(shells.map(({ number, place, fault }) => [number, place, fault])).toEqual([
      [1, `${SPEC}, Shell_0`, undefined],
      [2, `${SPEC}, Shell_1`, undefined],
      [3, 'aasx/b.json, Shell_0', undefined],
    ])
    expect(shells[1]?.environment).toEqual({
      assetAdministrationShells: [first.assetAdministrationShells[1]],
      submodels: [first.submodels[1], shared],
    })
    expect(shells[2]?.environment).toEqual(second)
  })

  test('as other tools write it: relative targets, other letters, an older namespace, a byte order mark, additional files', async () => {
    const bytes = aasxOf(
      { 'AASX/Spec.json': `\ufeff${JSON.stringify(one)}` },
      {
        '_rels/.rels': relationships(
          ['http://www.admin-shell.io/aasx/relationships/aasx-origin', 'aasx/aasx-origin'],
          ['http://schemas.openxmlformats.org/package/2006/relationships/metadata/thumbnail', '/thumb.png'],
        ),
        [ORIGIN_RELS]: relationships(
          ['http://www.admin-shell.io/aasx/relationships/aas-spec', 'spec.JSON'],
          ['aas-spec', '/aasx/../aasx/spec.json'],
        ),
        'AASX/_rels/Spec.json.rels': relationships(['aas-suppl', '/aasx/files/manual.pdf']),
        'aasx/files/manual.pdf': '%PDF-1.7',
        'thumb.png': 'PNG',
      },
    )
    const table = await openTable(bytes, 'aasx')
    expect(table.remarks).toEqual([
      { code: 'FILES_IGNORED', place: 'aasx/files/manual.pdf' },
      { code: 'FILES_IGNORED', place: 'thumb.png' },
    ])
    expect((await all(table.records())).map((record) => shellOf(record).environment)).toEqual([one])
  })

  test('tells what is wrong with one environment, and reads the others', async () => {
    const shells = await shellsOf(
      aasxOf({
        'a.xml':
          '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "&c;&c;"><!ENTITY c "&b;&b;">]><environment>&b;</environment>',
        'b.json': '{"assetAdministrationShells":[',
        'c.json': '{"submodels":[],"submodels":[]}',
        'd.json': '[]',
        'e.json': one,
      }),
    )
    expect(shells.map(({ place, fault }) => [place, fault])).toEqual([
      ['a.xml', 'The environment has invalid XML: it has a document type.'],
      ['b.json', expect.stringMatching(/^The environment is not valid JSON/)],
      ['c.json', 'submodels is a duplicate key.'],
      ['d.json', undefined],
      ['e.json, Shell_0', undefined],
    ])
  })

  test('review-3-inputs N3: marked as external as a whole leads where its paths lead', async () => {
    const bytes = aasxOf(
      { [SPEC]: one },
      {
        '_rels/.rels': relationships(['aasx-origin', '/aasx/aasx-origin', 'External']),
        [ORIGIN_RELS]: relationships(['aas-spec', 'a/a.aas.json', 'External']),
        'aasx/a/_rels/a.aas.json.rels': relationships(['aas-suppl', '/aasx/files/x.pdf', 'External']),
        'aasx/files/x.pdf': '%PDF-1.7',
      },
    )
    expect((await shellsOf(bytes)).map(({ environment }) => environment)).toEqual([one])
    for (const [target, mode] of [
      ['http://127.0.0.1:9/aasx/a/a.aas.json', undefined],
      ['file:///aasx/a/a.aas.json', 'External'],
      ['//aasx/a/a.aas.json', 'External'],
      ['C:\\aasx\\a\\a.aas.json', undefined],
      ['/aasx/b.json', 'External'],
    ] as const) {
      const away = aasxOf({ [SPEC]: one }, { [ORIGIN_RELS]: relationships(['aas-spec', target, mode]) })
      await expect(shellsOf(away)).rejects.toThrow(
        `refers to ${target} outside the package. Add the target to the package.`,
      )
    }
  })

  test('review-3-inputs N13: with environments as XML of 3.0 and 3.1 gives what it gives as JSON, and XML of AAS 2 is refused', async () => {
    const two = environmentOf({ gtin: '1' }, { gtin: '2' })
    const parts = { 'a.xml': xmlOf(two, '3/0'), 'b.aas.xml': `\ufeff${xmlOf(two, '3/1')}`, 'c.json': two }
    const shells = await shellsOf(
      aasxOf({ ...parts, 'd.xml': '<aas:aasenv xmlns:aas="http://www.admin-shell.io/aas/2/0"></aas:aasenv>' }),
    )
    expect(shells.slice(0, 6).map(({ place }) => place)).toEqual(
      Object.keys(parts).flatMap((name) => [`${name}, Shell_0`, `${name}, Shell_1`]),
    )
    const asJson = shells.slice(4, 6).map(({ environment }) => environment)
    for (const at of [0, 2]) expect(shells.slice(at, at + 2).map(({ environment }) => environment)).toEqual(asJson)
    expect(shells[6]?.fault).toBe(
      'The environment is XML of AAS 2.0, which is not supported. Export the file as AAS 3.0 or 3.1, for example with the AASX Package Explorer, and send it again.',
    )
  })

  test('review-3-inputs N27: has names with percent-escapes in its relationships, in its parts, or in neither', async () => {
    for (const [part, target] of [
      ['aasx/My Shell.aas.json', '/aasx/My%20Shell.aas.json'],
      ['aasx/My%20Shell.aas.json', 'My Shell.aas.json'],
      ['aasx/Gehäuse.json', '/aasx/Geh%C3%A4use.json'],
      ['aasx/100%.json', '/aasx/100%.json'],
    ] as const) {
      const bytes = aasxOf({ [part]: one }, { [ORIGIN_RELS]: relationships(['aas-spec', target, 'External']) })
      expect((await shellsOf(bytes)).map(({ place }) => place)).toEqual([`${part}, Shell_0`])
    }
    const both = { 'aasx/a b.json': one, 'aasx/a%20b.json': environmentOf({ gtin: '2' }) }
    for (const [index, target] of ['a b.json', 'a%20b.json'].entries()) {
      const bytes = aasxOf(both, { [ORIGIN_RELS]: relationships(['aas-spec', target]) })
      expect((await shellsOf(bytes)).map(({ environment }) => environment)).toEqual([Object.values(both)[index]])
    }
    const unclear = aasxOf(both, { [ORIGIN_RELS]: relationships(['aas-spec', 'a%20%62.json']) })
    await expect(shellsOf(unclear)).rejects.toThrow('refers to a%20%62.json, which is missing in the package.')
  })

  test('of ten thousand shells is read through, and one shell may not have more than a mebibyte', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ gtin: String(index) }))
    const shells = await shellsOf(aasxOf({ [SPEC]: environmentOf(...many, { gtin: 'x'.repeat(1024 * 1024) }) }))
    expect([shells.length, shells[9999]?.place]).toEqual([10_001, `${SPEC}, Shell_9999`])
    expect(shells.filter(({ fault }) => fault !== undefined).map(({ number }) => number)).toEqual([10_001])
    expect(shells.at(-1)?.fault).toMatch(/^has \d+ characters with its submodels\. The maximum is 1048576/)
  })
})

function encrypted(bytes: Buffer): Buffer {
  const marked = Buffer.from(bytes)
  for (const [signature, at] of [
    ['PK\x03\x04', 6],
    ['PK\x01\x02', 8],
  ] as const) {
    for (let found = marked.indexOf(signature); found !== -1; found = marked.indexOf(signature, found + 4)) {
      marked[found + at] = (marked[found + at] ?? 0) | 1
    }
  }
  return marked
}

const xlsx = async () => Buffer.concat(await all(writeXlsx({ rows: [['productId'], ['A']] })))
const blank = aasxOf({ [SPEC]: ' '.repeat(2_000_000) })

function claiming({ parts, size }: { parts?: number; size?: number }): Buffer {
  const bytes = aasxOf({ [SPEC]: one })
  const end = bytes.lastIndexOf('PK\x05\x06')
  if (parts !== undefined) for (const at of [8, 10]) bytes.writeUInt16LE(parts, end + at)
  if (size !== undefined) bytes.writeUInt32LE(size, bytes.lastIndexOf(SPEC) - 22)
  return bytes
}

function shared(): Buffer {
  const environment = environmentOf({ a: 'x'.repeat(500_000) })
  const [shell] = environment.assetAdministrationShells
  return aasxOf({ [SPEC]: { ...environment, assetAdministrationShells: Array.from({ length: 2000 }, () => shell) } })
}

describe('a file that is not such a package, or a hostile one, is rejected by name', () => {
  test.each<[string, () => Buffer | Promise<Buffer>, RegExp]>([
    ['nothing that is a ZIP', () => Buffer.from('productId\n1\n'), /not a valid AASX package, or is truncated/],
    ['three bytes', () => Buffer.from('PK\x03'), /not a valid AASX package, or is truncated/],
    ['a workbook', xlsx, /^The file is a workbook, not an AASX package\. Send it as \.xlsx\./],
    ['encrypted', () => encrypted(aasxOf({ [SPEC]: one })), /is password-protected\. Save the file without a password/],
    [
      'without relationships',
      () => aasxOf({ [SPEC]: one }, { '_rels/.rels': undefined }),
      /no relationship of type aasx-origin/,
    ],
    [
      'without its origin',
      () => aasxOf({ [SPEC]: one }, { 'aasx/aasx-origin': undefined }),
      /aasx-origin, which is missing in/,
    ],
    [
      'without environments',
      () => aasxOf({}),
      /^aasx\/aasx-origin has no relationship of type aas-spec\. Add an environment/,
    ],
    [
      'whose environment is not there',
      () => aasxOf({ [SPEC]: one }, { [SPEC]: undefined }),
      /refers to \/aasx\/a\/a\.aas\.json, which is missing in the package/,
    ],
    [
      'whose environment is elsewhere',
      () => aasxOf({}, { [ORIGIN_RELS]: relationships(['aas-spec', 'http://127.0.0.1:9/a.json', 'External']) }),
      /refers to http:\/\/127\.0\.0\.1:9\/a\.json outside the package\. Add the target/,
    ],
    [
      'that climbs out of itself by a relationship',
      () => aasxOf({}, { [ORIGIN_RELS]: relationships(['aas-spec', '../../../../etc/passwd']) }),
      /refers to \.\.\/\.\.\/\.\.\/\.\.\/etc\/passwd, which is missing in the package/,
    ],
    [
      'that climbs out of itself by a name',
      () => aasxOf({ [SPEC]: one }, { '../../etc/x': '1' }),
      /invalid relative path/,
    ],
    ['with an absolute name', () => aasxOf({ [SPEC]: one }, { '/etc/x': '1' }), /absolute path/],
    ['with a control character in a name', () => aasxOf({ [SPEC]: one }, { 'a\0b': '1' }), /with a control character/],
    [
      'with two parts of a name',
      () => aasxOf({ [SPEC]: one }, { 'AASX/A/A.aas.json': '1' }),
      /The file contains the part .* twice/,
    ],
    [
      'with entities',
      () =>
        aasxOf({ [SPEC]: one }, { '_rels/.rels': '<!DOCTYPE a [<!ENTITY b "c">]><Relationships>&b;</Relationships>' }),
      /it has a document type/,
    ],
    [
      'with characters that XML does not have',
      () => aasxOf({ [SPEC]: one }, { '_rels/.rels': relationships(['aasx-origin', '/a\0b']) }),
      /a character that is not allowed in XML/,
    ],
    ['that inflates', () => blank, /decompresses to far more/],
    [
      'with a large environment',
      () => claiming({ size: 17_000_000 }),
      /has more than 16777216 bytes\. Send it in parts/,
    ],
    ['whose shells share what is large', shared, /more than 536870912 characters in total\. Send it in parts/],
    ['with many parts', () => claiming({ parts: 25_001 }), /more than 25000 parts\. Send it in parts/],
    [
      'cut off in the midst',
      () => {
        const whole = aasxOf({ [SPEC]: one })
        return whole.subarray(0, Math.floor(whole.length / 2))
      },
      /truncated/,
    ],
  ])('%s', async (_, make, why) => {
    const bytes = await make()
    const error = await shellsOf(bytes).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(TableError)
    expect((error as Error).message).toMatch(why)
  })
})

test('a written package has the minimum number of environments, for any reader', async () => {
  const given = ['a', 'b', 'c'].map((gtin) => environmentOf({ gtin, note: 'x'.repeat(1_700_000) }))
  const few = given.map((environment) => environmentOf({ gtin: String(environment.submodels.length) }))
  const written = async (environments: typeof given) =>
    Buffer.concat(
      await all(
        writeAasx(
          (async function* () {
            yield* environments
          })(),
        ),
      ),
    )
  const bytes = await written(given)
  expect(bytes.equals(await written(given))).toBe(true)
  expect((await environmentsOf(bytes)) as unknown[]).toHaveLength(2)
  expect(await environmentsOf(await written(few))).toEqual([
    {
      assetAdministrationShells: few.flatMap(({ assetAdministrationShells }) => assetAdministrationShells),
      submodels: few.flatMap(({ submodels }) => submodels),
    },
  ])
})
