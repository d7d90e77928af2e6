import { spawnSync } from 'node:child_process'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { CategoryValidator } from '../../../src/categories/category-validator.ts'
import type { Json, Metadata } from '../../../src/domain/metadata.ts'
import { COMMON_SCHEMA } from '../../../src/plugin/common-schema.ts'
import type { CategoryPlugin } from '../../../src/plugin/contracts.ts'
import { categoryNames, descriptions, plugins, translator, validator } from '../../support/categories.ts'

const published = ['batteries', 'chemicals', 'construction', 'electronics', 'textiles']
const unpublished = ['aluminium', 'cosmetics', 'iron-steel', 'toys']

const entries = [...plugins.categories.values()]

/** A validator with one made-up category. */
const withCategory = (plugin: CategoryPlugin, schema?: Record<string, unknown>) =>
  new CategoryValidator(
    new Map([[plugin.name, { plugin, schema, published: false }]]),
    translator.translate,
    descriptions,
  )

describe('category', () => {
  it('knows the nine of the specification', () => {
    expect([...categoryNames].sort()).toEqual([...published, ...unpublished].sort())
    for (const { plugin } of entries) expect(categoryNames).toContain(plugin.name)
  })

  it.each([
    [{}],
    [{ category: null }],
    [{ category: 7 }],
    [{ category: ['toys'] }],
    [{ category: 'furniture' }],
    [{ category: 'Toys' }],
    [{ category: 'constructor' }],
  ])('answers one error without friendlyMessage to %j', (metadata) => {
    const verdict = validator.validate({ ...metadata, originCountry: 'nowhere' }, 'de')
    expect(verdict.category).toBe('unknown')
    expect(verdict.errors).toEqual([{ path: 'category', message: expect.stringContaining('iron-steel, textiles') }])
    expect(verdict.errors[0]).not.toHaveProperty('friendlyMessage')
  })

  it('needs neither a schema nor code beyond a name', () => {
    const bare = withCategory({ kind: 'category', name: 'footwear' })
    expect(bare.validate({ category: 'footwear', originCountry: 'IT' }, 'en')).toEqual({
      category: 'footwear',
      errors: [],
    })
    expect(bare.validate({ category: 'footwear', gtin: 1 }, 'en').errors.map(({ path }) => path)).toEqual([
      'originCountry',
      'gtin',
    ])
  })

  it('applies the common rules where a schema does not refer to them', () => {
    const footwear = withCategory(
      { kind: 'category', name: 'footwear' },
      { $id: 'https://example.org/footwear', type: 'object', properties: { sole: { type: 'string' } } },
    )
    const { errors } = footwear.validate({ category: 'footwear', sole: 1 }, 'en')
    expect(errors.map(({ path }) => path)).toEqual(['originCountry', 'sole'])
  })
})

it('names the category whose schema is broken', () => {
  const schema = { type: 'object', properties: { sole: { typ: 'string' } } }
  expect(() => withCategory({ kind: 'category', name: 'footwear', schema }, schema)).toThrow(
    /category footwear cannot be used: .*unknown keyword/,
  )
})

describe('texts', () => {
  it('gives technical English and a friendly text in the language of the caller', () => {
    const metadata = { category: 'textiles', originCountry: 'DE', size: 42 }
    expect(validator.validate(metadata, 'de').errors).toEqual([
      { path: 'size', message: 'must be string', friendlyMessage: '„Größe“ muss ein Text sein.' },
    ])
  })

  it('gives a rule its English text as message', () => {
    const metadata = {
      category: 'toys',
      originCountry: 'DE',
      materialComposition: [{ material: 'a', percentage: 99.8 }],
    }
    expect(validator.validate(metadata, 'de').errors).toEqual([
      {
        path: 'materialComposition',
        message: 'The percentages in materialComposition must add up to 100. They add up to 99.8.',
        friendlyMessage: 'Die Prozentwerte in „Materialzusammensetzung“ müssen zusammen 100 ergeben. Sie ergeben 99,8.',
      },
    ])
  })

  it('says how the numbers of notified bodies and licences are written, and which end of a range is too high', () => {
    const texts = (more: object) =>
      validator
        .validate({ category: 'toys', originCountry: 'DE', ...more }, 'de')
        .errors.map((error) => error.friendlyMessage)
    expect(texts({ notifiedBody: { number: '123' } })).toEqual([
      '„Notifizierte Stelle › Nummer“ muss die Nummer einer notifizierten Stelle sein: vier Ziffern, zum Beispiel 0123.',
    ])
    expect(texts({ ecolabel: '17' })).toEqual([
      '„EU-Umweltzeichen“ muss die Nummer einer Lizenz für das EU-Umweltzeichen sein, zum Beispiel DE/020/012.',
    ])
    expect(texts({ substancesOfConcern: [{ name: 'Blei', concentrationPct: { min: 0.3, max: 0.1 } }] })).toEqual([
      expect.stringMatching(/^„.* 1 › .*“ darf nicht höher sein als „.*“ \(0,1\)\.$/),
    ])
  })

  it("prefers the category's own text", () => {
    const metadata = { category: 'chemicals', originCountry: 'DE', ufi: 'x' }
    expect(validator.validate(metadata, 'en').errors[0]?.friendlyMessage).toMatch(/^“UFI” must be a UFI/)
  })

  it('says something about a code that has no text', () => {
    const odd = withCategory({
      kind: 'category',
      name: 'odd',
      *check() {
        yield { path: 'a', code: 'noSuchCode' }
      },
    })
    const { errors } = odd.validate({ category: 'odd', originCountry: 'DE' }, 'de')
    expect(errors).toEqual([{ path: 'a', message: 'a is not valid.', friendlyMessage: 'a ist nicht gültig.' }])
  })

  it('names the types of a union in words', () => {
    const metadata = { category: 'batteries', originCountry: 'DE', chemistry: 5 }
    expect(validator.validate(metadata, 'en').errors[0]?.friendlyMessage).toBe(
      '“Battery chemistry” must be text or a group of fields.',
    )
  })

  it.each(['en', 'de'])('has a text for every keyword and definition in use: %s', (lang) => {
    const pairs = new Set<string>()
    const skipped = /^(type|properties|items|description|title|\$\w+|allOf|additionalProperties|examples|x-[\w-]+)$/
    const walk = (schema: Record<string, unknown>, category: string, definition?: string) => {
      for (const [keyword, value] of Object.entries(schema)) {
        if (keyword === 'properties') {
          for (const property of Object.values(value as object)) walk(property, category)
        } else if (keyword === '$defs') {
          for (const [name, inner] of Object.entries(value as object)) walk(inner, category, name)
        } else if (keyword === 'items') walk(value as Record<string, unknown>, category)
        const isSpelling = keyword === 'pattern' || keyword === 'format'
        if (!skipped.test(keyword)) pairs.add(`${category} ${isSpelling ? (definition ?? keyword) : keyword}`)
      }
    }
    walk(COMMON_SCHEMA, 'gateway')
    for (const { plugin, schema } of entries) walk((schema ?? {}) as Record<string, unknown>, plugin.name)
    for (const pair of pairs) {
      const [namespace = '', code] = pair.split(' ')
      expect(translator.translate(lang, namespace, `issue.${code}`, { count: 1 }), pair).not.toBe(`issue.${code}`)
    }
    expect(pairs).toContain('gateway countryCode')
  })
})

describe('errors of a schema', () => {
  it('turns a pointer into a key path, odd keys included', () => {
    const schema = {
      type: 'object',
      properties: { 'a/b~c': { type: 'array', items: { type: 'object', properties: { '0': { type: 'string' } } } } },
    }
    const odd = withCategory({ kind: 'category', name: 'odd', schema }, schema)
    const { errors } = odd.validate({ category: 'odd', originCountry: 'DE', 'a/b~c': [{ 0: 1 }] }, 'en')
    expect(errors.map(({ path }) => path)).toEqual(['a/b~c[0].0'])
  })

  it('names the key that is missing or not allowed', () => {
    const schema = {
      type: 'object',
      properties: {
        sole: {
          type: 'object',
          required: ['material/kind'],
          properties: { 'material/kind': {} },
          additionalProperties: false,
        },
        lace: { type: 'string' },
      },
      dependentRequired: { lace: ['eyelets'] },
    }
    const odd = withCategory({ kind: 'category', name: 'odd', schema }, schema)
    const metadata = { category: 'odd', originCountry: 'DE', sole: { heel: 1 }, lace: 'long' }
    const { errors } = odd.validate(metadata, 'en')
    expect(errors.map(({ path }) => path).sort()).toEqual(['eyelets', 'sole.heel', 'sole.material/kind'])
    expect(errors.map(({ friendlyMessage }) => friendlyMessage)).toContain(
      'Please fill in eyelets too, because lace is given.',
    )
  })

  it.each<[Json, string[]]>([
    [5, ['value']],
    [{ unit: 5 }, ['value.unit']],
    ['', ['value']],
    [
      [1, ''],
      ['value[0]', 'value[1]'],
    ],
  ])('says once what is wrong with %j under anyOf', (value, paths) => {
    const text = { type: 'string', minLength: 1 }
    const schema = {
      type: 'object',
      properties: {
        value: {
          anyOf: [text, { type: 'array', items: text }, { type: 'object', properties: { unit: { type: 'string' } } }],
        },
      },
    }
    const odd = withCategory({ kind: 'category', name: 'odd', schema }, schema)
    const { errors } = odd.validate({ category: 'odd', originCountry: 'D', value }, 'en')
    expect(errors.map(({ path }) => path)).toEqual(['originCountry', ...paths])
    if (value === 5) expect(errors[1]?.friendlyMessage).toBe('“Value” has none of the allowed formats.')
  })

  it('says once what the common schema and a category both refuse', () => {
    const metadata = { category: 'batteries', originCountry: 'DE', carbonFootprint: -1 }
    expect(validator.validate(metadata, 'en').errors).toHaveLength(1)
  })

  it('stops at 100 errors', () => {
    const materialComposition = Array(5000).fill({ material: '', percentage: 0 })
    expect(
      validator.validate({ category: 'toys', originCountry: 'DE', materialComposition }, 'en').errors,
    ).toHaveLength(100)
  })

  it('reports findings of rules in addition to those of the schema', () => {
    const metadata = { category: 'textiles', originCountry: 'ZZ', countryOfWeaving: 'XX' }
    const paths = (more: Metadata) => validator.validate({ ...metadata, ...more }, 'en').errors.map(({ path }) => path)
    expect(paths({ size: 42 })).toEqual(['size', 'originCountry', 'countryOfWeaving'])
    expect(paths({})).toEqual(['originCountry', 'countryOfWeaving'])
  })
})

describe('published schema', () => {
  // Instances on which an independent validator must agree, except for rules that schemas cannot express.
  const instances = published.flatMap((category) =>
    [
      {},
      { originCountry: 'DE' },
      { originCountry: 'de' },
      { originCountry: 'DE', facilityDetails: [{}] },
      { originCountry: 'DE', materialComposition: [{ material: 'x', percentage: 100 }] },
      { originCountry: 'DE', materialComposition: [{ material: 'x', percentage: 100, casNumber: 'x' }] },
      { originCountry: 'DE', repairManualUrl: 'ftp://example.org' },
      { originCountry: 'DE', carbonFootprint: { co2eKg: -1 } },
      { originCountry: 'DE', ufi: 'x' },
      { originCountry: 'DE', careInstructions: [[{ value: 'x', language: 'en' }]] },
      { originCountry: 'DE', careInstructions: [5] },
    ].map((metadata) => ({ category, metadata: { category, ...metadata } as unknown as Metadata })),
  )
  const verdicts = instances.map(({ metadata }) => validator.validate(metadata, 'en').errors.length === 0)

  it('is served for exactly the five', () => {
    expect(categoryNames.filter((name) => validator.publishedSchema(name) !== undefined).sort()).toEqual(published)
    expect(validator.publishedSchema('furniture')).toBeUndefined()
  })

  it.each(published)('compiles alone and judges as the gateway does: %s', (name) => {
    const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true })
    addFormats.default(ajv)
    const schema = validator.publishedSchema(name) as object
    const accepts = ajv.compile(JSON.parse(JSON.stringify(schema)))
    for (const [index, { category, metadata }] of instances.entries()) {
      if (category === name) expect(accepts(metadata), JSON.stringify(metadata)).toBe(verdicts[index])
    }
    expect(accepts({ category: 'furniture', originCountry: 'DE' })).toBe(false)
  })

  const python = `
import json, sys
from jsonschema import Draft202012Validator
given = json.load(sys.stdin)
judges = {}
for name, schema in given['schemas'].items():
    Draft202012Validator.check_schema(schema)
    judges[name] = Draft202012Validator(schema)
print(json.dumps([judges[i['category']].is_valid(i['metadata']) for i in given['instances']]))
`
  const hasPython = spawnSync('python3', ['-c', 'from jsonschema import Draft202012Validator']).status === 0

  it('is judged alike by jsonschema of Python', ({ skip }) => {
    skip(!hasPython, 'python3 with its package jsonschema is not installed here')
    const schemas = Object.fromEntries(published.map((name) => [name, validator.publishedSchema(name)]))
    const { stdout, stderr } = spawnSync('python3', ['-c', python], { input: JSON.stringify({ schemas, instances }) })
    expect(String(stderr)).not.toMatch(/Error/)
    expect(JSON.parse(String(stdout))).toEqual(verdicts)
  })

  it('describes every key', () => {
    const bare: string[] = []
    const walk = (schema: Record<string, unknown>, at: string) => {
      for (const group of ['properties', '$defs']) {
        for (const [key, inner] of Object.entries((schema[group] ?? {}) as Record<string, Record<string, unknown>>)) {
          if (typeof inner.description !== 'string' || inner.description === '') bare.push(`${at}/${key}`)
          walk(inner, `${at}/${key}`)
        }
      }
      if (schema.items !== undefined) walk(schema.items as Record<string, unknown>, `${at}[]`)
    }
    walk(COMMON_SCHEMA, 'common')
    for (const { plugin, schema } of entries) walk((schema ?? {}) as Record<string, unknown>, plugin.name)
    expect(bare).toEqual([])
  })
})
