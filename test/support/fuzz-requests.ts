import fc from 'fast-check'
import type { Operation } from '../../src/http/contract.ts'
import { anyText } from './any-text.ts'

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its own rules.
type Document = any

/** A request whose address has `{name}` placeholders. */
export interface FuzzRequest {
  readonly operation: Operation
  readonly path: readonly Value[]
  readonly query: readonly (readonly [string, string])[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly text: string; readonly contentType: string } | undefined
  readonly credential: 'owner' | 'auditor' | 'other' | 'session' | 'invalid' | 'none'
}

/** An address value: an existing one, or a text. */
export type Value = { readonly known: number } | { readonly text: string }

/** Texts that break parsers, databases, addresses and pages. */
export const NASTY: readonly string[] = [
  '',
  ' ',
  '\t\r\n',
  '0',
  '-1',
  '1e400',
  'NaN',
  'null',
  'true',
  '9'.repeat(30),
  '00000000000000',
  '09506000134352',
  '09506000134353',
  '4000000000006',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u2066',
  '\ufeff',
  'é',
  'é',
  '💩',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  "'; drop table passport; --",
  '$1',
  '?',
  '??',
  '\\',
  '%',
  '%00',
  '%zz',
  '../../etc/passwd',
  '{{7*7}}',
  '#{7*7}',
  '<%= 1 %>',
  '[REDACTED - Privileged Access Required]',
  'EORI-MOCK-1',
  'DE123',
  'a@b.eu',
  '2024-02-30',
  '+275760-09-13T00:00:00Z',
  'x'.repeat(300),
  'ä'.repeat(5000),
]

const NASTY_NUMBERS = [0, -0, 1, -1, 0.1, 1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63), 100.1, 99.9]

const KEYS = [
  'category',
  'originCountry',
  'gtin',
  'grai',
  'serialNumber',
  '21',
  'materialComposition',
  'fiberComposition',
  'facilityDetails',
  'regulatoryCompliance',
  'detailedPerformance',
  'id',
  '@type',
  'proof',
  'careInstructions',
  'email',
]
const CATEGORIES = [
  'textiles',
  'batteries',
  'electronics',
  'cosmetics',
  'toys',
  'iron-steel',
  'aluminium',
  'chemicals',
  'construction',
  'TEXTILES',
]

const nastyText = fc.oneof(fc.constantFrom(...NASTY), anyText({ maxLength: 20 }), fc.string({ maxLength: 10 }))
// The HTTP parser rejects heads above 16 KiB before any operation.
const shortText = nastyText.filter((text) => text.length < 500)
/** Any JSON, mostly odd. */
export const nastyValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    nastyText,
    fc.constantFrom<unknown>(null, true, false, ...NASTY_NUMBERS),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...KEYS), nastyText), tie('value'), { maxKeys: 4 }),
  ),
})).value

const composition = fc.array(
  fc.record(
    {
      material: nastyText,
      fiber: nastyText,
      percentage: fc.oneof(fc.constantFrom<unknown>(100, 50, ...NASTY_NUMBERS), nastyValue),
    },
    { requiredKeys: [] },
  ),
  { maxLength: 3 },
)
const plainMetadata = fc.constant({ category: 'textiles', originCountry: 'PT' })
const oddMetadata = fc
  .tuple(
    fc.record(
      { category: fc.constantFrom(...CATEGORIES), originCountry: fc.constantFrom('DE', 'PT', 'ZZ', 'UK') },
      { requiredKeys: [] },
    ),
    fc.record({ materialComposition: composition, fiberComposition: composition }, { requiredKeys: [] }),
    fc.dictionary(fc.oneof(fc.constantFrom(...KEYS), nastyText), nastyValue, { maxKeys: 3 }),
  )
  .map(([kind, compositions, others]) => ({ ...others, ...compositions, ...kind }))
const validWithOdd = fc
  .tuple(fc.dictionary(nastyText, nastyValue, { maxKeys: 3 }), plainMetadata)
  .map(([others, plain]) => ({ ...others, ...plain }))
const metadata = fc.oneof(plainMetadata, validWithOdd, oddMetadata)

/** Valid values by member name of the contract. */
const MEANINGFUL: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  metadata,
  productId: fc.oneof(
    fc.nat(200).map((number) => `SKU-${number}`),
    fc.constantFrom('09506000134352', '09506000134352A1'),
  ),
  operatorId: fc.constant(null),
  status: fc.constantFrom('ACTIVE', 'RECALLED', 'DECOMMISSIONED'),
  draft: fc.boolean(),
  serialNumber: fc.nat(500).map((number) => `S-${number}`),
  batchNumber: fc.nat(500).map((number) => `L-${number}`),
  name: fc.string({ minLength: 1, maxLength: 20 }),
  regId: fc.nat(50).map((number) => `REG-${number}`),
  regIdScheme: fc.constantFrom('EORI', 'VAT', 'OTHER'),
  gln: fc.constantFrom('4006381333931', '4000001000005', '9521321000010'),
  country: fc.constantFrom('DE', 'fr'),
  granteeName: fc.string({ minLength: 1, maxLength: 200 }),
  scopeType: fc.constantFrom('TENANT', 'PASSPORT', 'UNIT'),
  expiresAt: fc.integer({ min: 1, max: 400 }).map((days) => new Date(Date.now() + days * 86_400_000).toISOString()),
  enrichment: fc.record({ tagline: nastyText, images: fc.array(nastyText) }, { requiredKeys: [] }),
}

/** Requests of every operation: mostly well-formed with odd values, some damaged. */
export function fuzzRequests(document: Document, operations: readonly Operation[]): fc.Arbitrary<FuzzRequest> {
  const weighted = operations.map((operation) => ({
    weight: operation.bodyType !== undefined ? 3 : 1,
    arbitrary: fc.constant(operation),
  }))
  return fc.oneof(...weighted).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      path: fc.array(valueOfAddress, { minLength: 2, maxLength: 2 }),
      query: fc.array(
        fc.tuple(
          fc.oneof(
            fc.constantFrom('x', 'page', 'limit', 'category', 'originCountry', 'lang', 'archived', 'grant', 'unit'),
            shortText,
          ),
          fc.oneof(fc.constantFrom('1', '0', 'de', 'true', 'textiles'), shortText),
        ),
        { maxLength: 2 },
      ),
      headers: fc.dictionary(
        fc.constantFrom('accept', 'accept-language', 'if-none-match', 'x-request-id', 'x-csrf-token'),
        fc.oneof(fc.constantFrom('text/html', '*/*', '*', 'de'), fc.string({ maxLength: 30 })),
        { maxKeys: 2 },
      ),
      body: operation.bodyType !== undefined ? bodyOf(document, operation) : fc.constant(undefined),
      credential: fc.oneof(
        { weight: 6, arbitrary: fc.constant('owner' as const) },
        { weight: 2, arbitrary: fc.constantFrom('auditor' as const, 'other' as const, 'session' as const) },
        { weight: 1, arbitrary: fc.constantFrom('invalid' as const, 'none' as const) },
      ),
    }),
  )
}

const valueOfAddress: fc.Arbitrary<Value> = fc.oneof(
  { weight: 3, arbitrary: fc.nat(1000).map((known) => ({ known })) },
  { weight: 1, arbitrary: shortText.map((text) => ({ text })) },
)

function bodyOf(document: Document, operation: Operation): fc.Arbitrary<FuzzRequest['body']> {
  if (operation.bodyType === 'application/x-www-form-urlencoded') {
    const pair = fc.tuple(
      fc.constantFrom(...Object.keys(bodySchemaOf(document, operation).properties ?? {}), 'x'),
      nastyText,
    )
    return fc.array(pair, { maxLength: 6 }).map((pairs) => ({
      text: new URLSearchParams(
        pairs.map(([name, value]): [string, string] => [name, value.toWellFormed()]),
      ).toString(),
      contentType: 'application/x-www-form-urlencoded',
    }))
  }
  const text = fc.oneof(
    { weight: 8, arbitrary: objectOf(bodySchemaOf(document, operation)).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: nastyValue.map((value) => JSON.stringify(value)) },
    {
      weight: 1,
      arbitrary: damaged(objectOf(bodySchemaOf(document, operation)).map((value) => JSON.stringify(value))),
    },
  )
  const contentType = fc.oneof(
    { weight: 15, arbitrary: fc.constantFrom('application/json', 'application/json; charset=utf-8') },
    { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/xml', '') },
  )
  return fc.option(fc.record({ text, contentType }), { freq: 15, nil: undefined })
}

export function bodySchemaOf(document: Document, { path, method, bodyType = 'application/json' }: Operation): Document {
  const follow = (node: Document): Document => {
    const [, , kind, name] = node.$ref?.split('/') ?? []
    return name === undefined ? node : document.components[kind][name]
  }
  return follow(follow(document.paths[path][method.toLowerCase()].requestBody).content[bodyType].schema)
}

function objectOf(schema: Document): fc.Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {})
  const record = (oddity: number, requiredKeys: string[]) =>
    fc.record(
      Object.fromEntries(
        names.map((name) => [
          name,
          fc.oneof({ weight: 6, arbitrary: MEANINGFUL[name] ?? nastyText }, { weight: oddity, arbitrary: nastyValue }),
        ]),
      ),
      { requiredKeys },
    )
  return fc.oneof(
    {
      weight: 3,
      arbitrary: record(
        0,
        names.filter((name) => MEANINGFUL[name] !== undefined),
      ),
    },
    { weight: 2, arbitrary: record(1, []) },
  )
}

/** The text with a piece cut, doubled or replaced. */
function damaged(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(text, fc.nat(), fc.nat(20), fc.constantFrom('', '\\u0000', '\\ud800', '}', '"', ',', '[', '1e400', '\u0000'))
    .map(([whole, at, length, piece]) => {
      const start = whole.length === 0 ? 0 : at % whole.length
      return whole.slice(0, start) + piece + whole.slice(start + length)
    })
}
