import jsonld from 'jsonld'
import { describe, expect, test } from 'vitest'
import { productPassportCredential } from '../../plugins/representations/untp/untp.ts'
import type { PassportView } from '../../src/domain/view.ts'
import { standard } from '../support/reference-tools.ts'
import { contextOf, errorsOf, SCHEMAS, useUntp, viewOf } from '../support/untp.ts'

const { loader } = await useUntp()

interface Claimed {
  readonly id: string
  readonly name: string
  readonly claimedPerformance: readonly [{ readonly measure: { readonly value: number; readonly unit: string } }]
}

describe('the mapping to UNTP 0.7.0', () => {
  const subjectOf = async (metadata: object, more: Partial<PassportView> = {}) => {
    const view = viewOf(metadata as PassportView['metadata'], more)
    const credential = await productPassportCredential(view, contextOf('untp-0.7.0'))
    // biome-ignore lint/suspicious/noExplicitAny: tests read into what they have made.
    return credential.credentialSubject as any
  }

  test('states a material only where its origin and share are known, and keeps all of them as they came', async () => {
    const fiberComposition = [
      { fiber: 'Wool', percentage: 55, countryOfOrigin: 'NZ' },
      { fiber: 'Polyester', percentage: 45 },
    ]
    const { materialProvenance, characteristics } = await subjectOf({ category: 'textiles', fiberComposition })
    expect(materialProvenance).toMatchObject([
      { name: 'Wool', originCountry: { countryCode: 'NZ' }, massFraction: 0.55 },
    ])
    expect(characteristics.fiberComposition).toEqual(fiberComposition)
  })

  test('takes the country of production from the facility and not from the origin of the product', async () => {
    const { countryOfProduction, characteristics } = await subjectOf({ category: 'textiles', originCountry: 'CN' })
    expect([countryOfProduction, characteristics.originCountry]).toEqual([{ countryCode: 'DE' }, 'CN'])
  })

  test.each([
    ['gtin', 'https://id.gs1.org/01/'],
    ['grai', 'https://id.gs1.org/8003/'],
    ['sku', 'did:web:issuer.example'],
  ] as const)('names the scheme of a %s', async (scheme, id) => {
    const subject = await subjectOf({ category: 'textiles' }, { identifier: { scheme, value: 'x' } })
    expect(subject.idScheme.id).toBe(id)
  })

  test('leaves masked values out, and their placeholder', async () => {
    const view = {
      metadata: { category: 'batteries', recycledContentPct: '[REDACTED]', facilityDetails: '[REDACTED]' },
      maskedKeys: ['recycledContentPct', 'facilityDetails'],
    }
    expect(JSON.stringify(await subjectOf(view.metadata, view))).not.toContain('REDACTED')
  })

  test('claims what is measured, with unit and date', async () => {
    const { performanceClaim } = await subjectOf({ category: 'iron-steel', carbonEmissionIntensityPerTon: 1.85 })
    expect(performanceClaim).toMatchObject([
      {
        name: 'Greenhouse gas emissions, in t CO2 equivalent per t of product',
        claimDate: '2026-01-02',
        claimedPerformance: [{ measure: { value: 1.85, unit: 'TNE' } }],
        conformityTopic: [{ name: 'Greenhouse Gas Emissions' }],
      },
    ])
  })

  test.each([
    [{ category: 'batteries', carbonFootprint: 61.5 }, [['carbonFootprint', 61.5, 'KGM', 'per kWh']]],
    [{ category: 'toys', carbonFootprint: 2 }, [['carbonFootprint', 2, 'KGM', 'per piece']]],
    [
      { category: 'batteries', carbonFootprint: { kgCo2ePerKWh: 60, absolute: 4000 } },
      [
        ['carbonFootprint-kgCo2ePerKWh', 60, 'KGM', 'per kWh'],
        ['carbonFootprint-absolute', 4000, 'KGM', 'per piece'],
      ],
    ],
    [
      { category: 'toys', carbonFootprint: { co2eKg: 1, unit: 'kg CO2e per m2' } },
      [['carbonFootprint-co2eKg', 1, 'KGM', 'per m2']],
    ],
    [{ category: 'toys', carbonFootprint: { co2eKg: 1, unit: 'lb CO2e' } }, []],
    [
      { category: 'textiles', recycledContent: { percentage: 40, source: 'mixed' } },
      [['recycledContent-percentage', 40, 'P1', 'in percent by mass']],
    ],
    [
      { category: 'toys', recycledContentPct: 5, durabilityScore: 3 },
      [['recycledContentPct', 5, 'P1', 'percent by mass']],
    ],
    // A claim of another category under this key is not mapped.
    [{ category: 'toys', carbonEmissionIntensityPerTon: 1.85, recycledContent: { percentage: 40 } }, []],
    [{ category: 'toys', other: { recycledContentPct: 5 } }, []],
  ])('claims what the schema of the category says: %j', async (metadata, expected) => {
    const { performanceClaim = [] } = await subjectOf(metadata)
    const found = performanceClaim.map(({ id, name, claimedPerformance: [{ measure }] }: Claimed) => [
      id.split('#claim-')[1],
      measure.value,
      measure.unit,
      name,
    ])
    expect(found).toEqual(
      expected.map(([id, value, unit, end]) => [id, value, unit, expect.stringMatching(new RegExp(`${end}$`))]),
    )
    const credential = await productPassportCredential(
      viewOf(metadata as PassportView['metadata']),
      contextOf('untp-0.7.0'),
    )
    for (const path of SCHEMAS['untp-0.7.0'] ?? []) expect(errorsOf(standard(path) ?? '', credential)).toBe('')
    await jsonld.expand(credential, { safe: true, documentLoader: await loader() })
  })
})
