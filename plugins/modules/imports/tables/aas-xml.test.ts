import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { aasXml } from '../../../../src/domain/aas-xml.ts'
import { environment, views } from '../../../../test/support/aas-environments.ts'
import { aasStandard } from '../../../../test/support/aas-reference.ts'
import { readXml } from '../../../../test/support/aasx-reader.ts'
import { xmlOf } from '../../../../test/support/aasx-writer.ts'
import { passport } from '../../../../test/support/passport-row.ts'
import { referenceTool, standard } from '../../../../test/support/reference-tools.ts'
import { readAasXml } from './aas-xml-reader.ts'
import { openTable } from './read-table.ts'

const VERSIONS = ['3/0', '3/1'] as const

function ended<T>(steps: Generator<void, T>): { value: T; steps: number } {
  for (let count = 1; ; count += 1) {
    const { done, value } = steps.next()
    if (done) return { value, steps: count }
  }
}

const around = (inside: string, namespace = 'https://admin-shell.io/aas/3/0') =>
  `<environment xmlns="${namespace}"><submodels><submodel>${inside}</submodel></submodels></environment>`
const submodelIn = (xml: string) => (readXml(xml).submodels as object[])[0]

const samples = standard('aas/xml')
const xmllint = samples === undefined ? undefined : referenceTool('xmllint')

function findingsOf(xml: string, version: '3/0' | '3/1'): string[] {
  const schema = standard(`aas/xml/aas-${version.replace('/', '.')}.xsd`) ?? ''
  const { status, stderr } = spawnSync(xmllint ?? '', ['--nonet', '--noout', '--schema', schema, '-'], { input: xml })
  return status === 0 ? [] : String(stderr).split('\n').slice(0, 3)
}

const files = (folder: string, extension: string) =>
  readdirSync(standard(folder) ?? '').filter((name) => name.endsWith(extension))

describe.skipIf(samples === undefined)('the samples of the standard', () => {
  test('as XML are the same XML again', () => {
    const names = files('aas/xml', '.xml')
    expect(names.length).toBeGreaterThan(50)
    for (const name of names) {
      const xml = readFileSync(standard(`aas/xml/${name}`) ?? '', 'utf8')
      const plain = xml
        .trim()
        .replace(/>\s+</g, '><')
        .replace(/<(\w+)\/>/g, '<$1></$1>')
        .replaceAll('&quot;', '"')
      expect([name, xmlOf(readXml(xml), '3/1')]).toEqual([name, `<?xml version="1.0" encoding="UTF-8"?>${plain}`])
    }
  })

  test.each(samples === undefined ? [] : files('aas/environments', '.json'))(
    '%s is the same JSON after XML',
    (name) => {
      const document = aasStandard(`environments/${name}`) as object
      for (const version of VERSIONS) expect(readXml(xmlOf(document, version))).toEqual(document)
    },
  )

  test.skipIf(xmllint === undefined)('are valid XML when they are written, in both versions', () => {
    for (const name of files('aas/environments', '.json')) {
      const document = aasStandard(`environments/${name}`) as object
      for (const version of VERSIONS) expect([name, findingsOf(xmlOf(document, version), version)]).toEqual([name, []])
    }
  })

  test.each([
    ['idta-02006-3-0-1', 'idta-02006-nameplate-3-0-1'],
    ['idta-02023-1-0-1', 'idta-02023-pcf-1-0-1'],
  ])('the published package %s has the content of its JSON', async (packaged, name) => {
    const table = await openTable(readFileSync(standard(`aas/packages/${packaged}.aasx`) ?? ''), 'aasx')
    const environments: unknown[] = []
    for await (const record of table.records()) environments.push('shell' in record && record.shell.environment)
    expect(environments).toEqual([aasStandard(`environments/${name}.json`)])
  })
})

describe('an environment of the gateway', () => {
  const metadata = { category: 'toys', text: ' a < b & "c" ]]>\r\n\r', list: ['x', { y: null }], n: 1.5, on: true }
  const document = JSON.parse(JSON.stringify(environment(views.view(passport(metadata), 'owner'))))

  test('is the same JSON after XML', () => {
    for (const version of VERSIONS) expect(readXml(xmlOf(document, version))).toEqual(document)
  })

  test.skipIf(xmllint === undefined)('is valid by the official XML schemas', () => {
    for (const version of VERSIONS) expect(findingsOf(xmlOf(document, version), version)).toEqual([])
    expect(findingsOf(xmlOf({ submodels: [{ idShort: 'a' }] }), '3/0')[0]).toMatch(/Missing child element/)
  })

  test('is written and read in steps', () => {
    const large = environment(
      views.view(
        passport({ category: 'toys', ...Object.fromEntries(range(500).map((i) => [`k${i}`, `${i}`])) }),
        'owner',
      ),
    )
    const { value, steps } = ended(aasXml({ ...large }, '3/0'))
    expect(steps).toBeGreaterThan(500)
    expect(ended(readAasXml(Buffer.from(value))).steps).toBeGreaterThan(value.length / 8192)
  })

  test('with a member that XML does not have is not written', () => {
    const [submodel] = document.submodels
    for (const wrong of [{ extra: 1 }, { idShort: 1 }, { submodelElements: [{ modelType: 'Sensor' }] }]) {
      expect(() => xmlOf({ submodels: [{ ...submodel, ...wrong }] })).toThrow(/^AAS XML /)
    }
    expect(() => xmlOf({ assets: [] })).toThrow('AAS XML cannot hold the member assets of environment.')
  })
})

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('XML as other tools write it', () => {
  const text = (xml: string) => submodelIn(around(`<category>${xml}</category>`))

  test('has prefixes, comments, CDATA, a byte order mark, and attributes of its schema', () => {
    const xml = `\ufeff<?xml version="1.0" encoding="utf-8"?>\r\n<!-- x --><a:environment xmlns:a="https://admin-shell.io/aas/3/1"
      xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="https://admin-shell.io/aas/3/1 AAS.xsd">
      <a:submodels><a:submodel><a:id>urn:x</a:id><a:category><!-- y --><![CDATA[a <b>]]> &amp; c</a:category>
      <a:submodelElements/></a:submodel></a:submodels></a:environment>\n`
    expect(readXml(xml)).toEqual({
      submodels: [{ modelType: 'Submodel', id: 'urn:x', category: 'a <b> & c', submodelElements: [] }],
    })
  })

  test('has line ends of every kind, which are line feeds unless they are references', () => {
    expect(text('a\r\nb\rc\nd&#13;e')).toEqual({ modelType: 'Submodel', category: 'a\nb\nc\nd\re' })
    for (const length of [8090, 8091, 8092, 8093, 8094, 8095, 8096, 8097, 8098, 8099, 8100].map((n) => n - 20)) {
      const long = 'x'.repeat(length)
      expect(text(`${long}\r\n\r\n\r\n\r\n`)).toEqual({ modelType: 'Submodel', category: `${long}\n\n\n\n` })
    }
  })

  test('has texts that are empty, blank or of any script', () => {
    expect(text('')).toEqual({ modelType: 'Submodel', category: '' })
    expect(text('  ')).toEqual({ modelType: 'Submodel', category: '  ' })
    const long = '\u{1f50b} ä '.repeat(20_000)
    expect(text(long)).toEqual({ modelType: 'Submodel', category: long })
  })

  test('has truth values of both spellings', () => {
    const list = (value: string) =>
      around(
        `<submodelElements><submodelElementList><orderRelevant>${value}</orderRelevant></submodelElementList></submodelElements>`,
      )
    for (const [value, is] of [
      ['true', true],
      ['1', true],
      [' false\n', false],
      ['0', false],
    ] as const) {
      expect(submodelIn(list(value))).toMatchObject({ submodelElements: [{ orderRelevant: is }] })
    }
    expect(() => readXml(list('yes'))).toThrow('has "yes" in <orderRelevant>, which must be true or false')
  })
})

describe('XML that is refused, by name', () => {
  const elements = (inside: string) => around(`<submodelElements>${inside}</submodelElements>`)
  test.each<[string, string | Buffer, RegExp]>([
    [
      'AAS 1',
      '<aasenv xmlns="http://www.admin-shell.io/aas/1/0"/>',
      /is XML of AAS 1\.0, which is not supported\. Export the file as AAS 3/,
    ],
    [
      'AAS 2',
      '<aas:aasenv xmlns:aas="http://www.admin-shell.io/aas/2/0"/>',
      /is XML of AAS 2\.0, which is not supported\. Export the file as AAS 3\.0 or 3\.1, for example with the AASX Package Explorer/,
    ],
    [
      'other XML',
      '<html/>',
      /begins with <html> in the namespace "", not with <environment> of AAS 3\.0 to 3\.2\. Export/,
    ],
    [
      'a later version',
      '<environment xmlns="https://admin-shell.io/aas/4/0"/>',
      /in the namespace "https:\/\/admin-shell\.io\/aas\/4\/0"/,
    ],
    ['a submodel alone', '<submodel xmlns="https://admin-shell.io/aas/3/0"/>', /begins with <submodel>/],
    ['no element', '<!-- -->', /has no element/],
    ['a document type', `<!DOCTYPE a>${around('')}`, /it has a document type/],
    ['an entity', around('<id>&x;</id>'), /Invalid character entity/],
    ['another namespace inside', around('<id xmlns="urn:x">1</id>'), /an unknown element <id> in <submodel>/],
    ['an unknown element', around('<ids>1</ids>'), /an unknown element <ids> in <submodel>/],
    ['an unknown submodel element', elements('<sensor/>'), /an unknown element <sensor> in <submodelElements>/],
    ['a name of prototypes', around('<constructor/>'), /an unknown element <constructor> in <submodel>/],
    ['another name of prototypes', elements('<__proto__/>'), /an unknown element <__proto__> in <submodelElements>/],
    ['an element in a text', around('<id><id>1</id></id>'), /an unknown element <id> in <id>/],
    ['a text among elements', around('x<id>1</id>'), /text in <submodel>, which may contain only elements/],
    ['an element twice', around('<id>1</id><id>2</id>'), /has <id> twice in one <submodel>/],
    [
      'two values of a variable',
      elements(
        `<operation><inputVariables><operationVariable><value><property/><property/></value></operationVariable></inputVariables></operation>`,
      ),
      /more than one element in <value>/,
    ],
    [
      'no value of a variable',
      elements(
        `<operation><inputVariables><operationVariable><value/></operationVariable></inputVariables></operation>`,
      ),
      /an empty <value>/,
    ],
    ['U+0000', around('<id>&#0;</id>'), /Invalid character entity/],
    ['U+0000 itself', around('<id>\0</id>'), /<id> contains the character U\+0000/],
    ['half a character', around('<id>&#xD800;</id>'), /Invalid character entity/],
    ['other characters than UTF-8', Buffer.from(around('<id>ä</id>'), 'latin1'), /is not valid UTF-8/],
    ['an end that is missing', around('<id>1</id>').slice(0, -5), /Unclosed root tag|Unexpected end/],
    ['a name without an end', around(`<${'x'.repeat(2000)}/>`), /a name of more than 1024 characters/],
    [
      'elements in one another',
      elements(`${'<submodelElementCollection><value>'.repeat(40)}`),
      /nested more than 64 levels deep/,
    ],
  ])('%s', (_, xml, why) => {
    expect(() => readXml(xml)).toThrow(why)
  })

  test('more elements than an environment may have', () => {
    const keys = '<key/>'.repeat(500_000)
    expect(() => readXml(around(`<semanticId><keys>${keys}</keys></semanticId>`))).toThrow(
      'The environment has more than 500000 elements.',
    )
  })
})
