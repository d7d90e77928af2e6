import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseGuardedJson } from '../../../src/domain/json-guard.ts'
import { verifyTree } from '../../../src/domain/merkle.ts'
import type { Json } from '../../../src/domain/metadata.ts'
import { Problem } from '../../../src/domain/problem.ts'
import { REDACTED } from '../../../src/domain/view.ts'
import { environment, views } from '../../../test/support/aas-environments.ts'
import { validator } from '../../../test/support/categories.ts'
import { passport } from '../../../test/support/passport-row.ts'
import { randomMetadata } from '../../../test/support/random-metadata.ts'
import { parseEnvironment } from './parse.ts'

describe('an environment that comes back', async () => {
  const any = fc.oneof(...Object.values(randomMetadata()))
  const parse = (document: unknown) =>
    parseEnvironment(document, {
      parseJson: (text) => parseGuardedJson(Buffer.from(text)) as Json,
      takesStructure: (category, key) => validator.takesStructure(category, key),
      redacted: REDACTED,
    })

  test('as the owner sees it has the same metadata in the same order, and the leaves that were sealed', () => {
    fc.assert(
      fc.property(any, (metadata) => {
        const row = passport(metadata)
        const view = views.view(row, 'owner')
        const document = JSON.parse(JSON.stringify(environment(view)))
        const { metadata: read, issues, productId, seal } = parse(document)
        expect(issues).toEqual([])
        expect(JSON.stringify(read)).toBe(JSON.stringify(metadata))
        const { subject, salts } = seal as unknown as { subject: Json; salts: Record<string, string> }
        expect(verifyTree({ metadata: read, subject, salts })).toBe(seal?.merkleRoot)
        expect(subject).toEqual(row.seal?.subject)
        expect(productId).toBe(row.productId)
      }),
      { numRuns: 250 },
    )
  })

  test('as the public sees it has everything but the masked values', () => {
    fc.assert(
      fc.property(any, (metadata) => {
        const view = views.view(passport(metadata), 'public')
        const visible = Object.entries(metadata).filter(([key]) => !view.maskedKeys.includes(key))
        const text = JSON.stringify(environment(view))
        expect(JSON.stringify(parse(JSON.parse(text)).metadata)).toBe(JSON.stringify(Object.fromEntries(visible)))
        expect(text).not.toContain(REDACTED)
      }),
      { numRuns: 60 },
    )
  })

  test('damaged anywhere is read or refused with a 400, and never crashes the reader', () => {
    const sound = environment(
      views.view(passport({ category: 'toys', list: [1], nested: { a: { b: [null] } } }), 'owner'),
    )
    const places = (value: unknown, at: readonly string[] = []): (readonly string[])[] =>
      typeof value !== 'object' || value === null
        ? [at]
        : [at, ...Object.entries(value).flatMap(([key, inner]) => places(inner, [...at, key]))]
    const damaged = (place: readonly string[], value: unknown) => {
      const root = { document: structuredClone(sound) as unknown }
      const parent = place.slice(0, -1).reduce<unknown>((found, key) => (found as never)[key], root.document)
      const last = place.at(-1)
      if (last === undefined) root.document = value
      else Object.assign(parent as object, { [last]: value })
      return root.document
    }
    const read = (document: unknown) => {
      try {
        expect(parse(document).metadata).toBeTypeOf('object')
      } catch (error) {
        expect(error).toBeInstanceOf(Problem)
        expect((error as Problem).status).toBe(400)
      }
    }
    const wrong = [undefined, null, 0, '', 'x', true, [], {}, [null], [0], ['x'], [{}], [[]]]
    const everywhere = places(sound)
    for (const place of everywhere) for (const value of wrong) read(damaged(place, value))
    const anywhere = fc.tuple(fc.constantFrom(...everywhere), fc.jsonValue())
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          anywhere.map(([place, value]) => damaged(place, value)),
        ),
        read,
      ),
      { numRuns: 300 },
    )
  })

  test('review-3-inputs N30: has names of types as AAS 2 writes them', () => {
    const read = (element: object) =>
      parse({
        assetAdministrationShells: [],
        submodels: [
          {
            modelType: { name: 'Submodel' },
            idShort: 'ComplianceMetadata',
            submodelElements: [{ idShort: 'a', ...element }],
          },
        ],
      })
    const property = (value: string, type: unknown) => ({
      modelType: { name: 'Property' },
      idShort: 'p',
      valueType: type,
      value,
    })
    expect(read(property('1', 'string')).metadata).toEqual({ p: '1' })
    expect(read(property('1.5', 'double')).metadata).toEqual({ p: 1.5 })
    expect(read(property('1.5', { dataObjectType: { name: 'double' } })).metadata).toEqual({ p: 1.5 })
    const value = [property('true', { dataObjectType: { name: 'boolean' } })]
    expect(read({ modelType: { name: 'SubmodelElementCollection' }, value }).metadata).toEqual({ a: { p: true } })
    const texts = { langString: [{ language: 'de', text: 'Akku' }] }
    for (const given of [texts, texts.langString]) {
      expect(read({ modelType: { name: 'MultiLanguageProperty' }, value: given }).metadata).toEqual({
        a: { de: 'Akku' },
      })
    }
    expect(() => read({ modelType: { name: 'Operation' } })).toThrow(
      'ComplianceMetadata.a is Operation, which metadata',
    )
    for (const modelType of [5, {}, { name: 5 }, []]) {
      expect(() => read({ modelType, value: '1' })).toThrow('ComplianceMetadata.a is of an unknown kind')
    }
  })

  test('is a list where another gateway wrote a collection and a qualifier that says so', () => {
    const text = (idShort: string, value: string) => ({ modelType: 'Property', idShort, valueType: 'xs:string', value })
    const element = {
      modelType: 'SubmodelElementCollection',
      idShort: 'certificates',
      qualifiers: [{ kind: 'ConceptQualifier', type: 'vendorCollectionKind', valueType: 'xs:string', value: 'array' }],
      value: [
        { modelType: 'SubmodelElementCollection', idShort: 'item_0', value: [text('name', 'A')] },
        text('item_1', 'B'),
      ],
    }
    const submodels = [{ idShort: 'ComplianceMetadata', submodelElements: [element] }]
    expect(parse({ assetAdministrationShells: [], submodels }).metadata).toEqual({ certificates: [{ name: 'A' }, 'B'] })
  })
})
