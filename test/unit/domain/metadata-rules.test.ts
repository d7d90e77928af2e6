import { describe, expect, it } from 'vitest'
import { isCountryCode } from '../../../src/domain/countries.ts'
import type { Json } from '../../../src/domain/metadata.ts'
import { commonRules, sumsTo100 } from '../../../src/domain/metadata-rules.ts'

const composition = (...shares: number[]) => ({
  category: 'toys',
  originCountry: 'DE',
  materialComposition: shares.map((percentage, index) => ({ material: `material ${index}`, percentage })),
})

describe('sum of a composition', () => {
  it.each([
    [[100]],
    [[99.9]],
    [[100.1]],
    [[33.3, 33.3, 33.3]],
    [[33.4, 33.3, 33.4]],
    [[0.1, 0.2, 99.7]],
    [[50.05, 50.05]],
    [Array(10).fill(9.99)],
    [Array(1001).fill(0.1)],
    [Array(999).fill(0.1)],
  ])('accepts %j', (shares) => {
    expect([...commonRules(composition(...shares))]).toEqual([])
  })

  it.each([
    [[99.8], 99.8],
    [[100.2], 100.2],
    [[99.899], 99.899],
    [[100.101], 100.101],
    [[33.3, 33.3, 33.2], 99.8],
    [Array(998).fill(0.1), 99.8],
    [Array(1002).fill(0.1), 100.2],
  ])('refuses %j and tells the total', (shares, total) => {
    expect([...commonRules(composition(...shares))]).toEqual([
      { path: 'materialComposition', code: 'percentageSum', params: { total } },
    ])
  })

  it.each<[Json]>([[[]], ['cotton'], [[{ material: 'wool' }]], [[{ percentage: '60' }]], [[null, 5]]])(
    'leaves %j to the schema',
    (materialComposition) => {
      expect([...sumsTo100({ materialComposition }, 'materialComposition')]).toEqual([])
    },
  )

  it('has nothing to say about a list that is absent', () => {
    expect([...sumsTo100({}, 'materialComposition')]).toEqual([])
  })
})

describe('parties', () => {
  const found = (...parties: object[]) => [...commonRules({ parties: parties as Json })]
  const lei = { scheme: 'LEI', value: '529900T8BM49AURSDO55' }

  it('are taken with numbers whose check digits are right', () => {
    expect(
      found(
        { role: 'manufacturer', name: 'A', identifier: lei, country: 'DE' },
        { role: 'importer', name: 'B', identifier: { scheme: 'EORI', value: 'DE6480562' } },
        { role: 'backupProvider', name: 'C' },
      ),
    ).toEqual([])
  })

  it('say where a number is wrong', () => {
    const wrong = { ...lei, value: '529900T8BM49AURSDO54' }
    expect(
      found({ role: 'manufacturer', name: 'A', identifier: lei }, { role: 'distributor', identifier: wrong }),
    ).toEqual([{ path: 'parties[1].identifier.value', code: 'identifier', params: { scheme: 'LEI' } }])
  })

  it('name importers by an EORI number', () => {
    for (const identifier of [lei, undefined]) {
      expect(found({ role: 'importer', name: 'A', identifier: identifier as never })).toEqual([
        { path: 'parties[0].identifier', code: 'importerEori' },
      ])
    }
  })

  it('are in countries that there are', () => {
    expect(found({ role: 'manufacturer', name: 'A', country: 'ZZ' })).toEqual([
      { path: 'parties[0].country', code: 'unknownCountry' },
    ])
  })

  it.each<[Json]>([['A'], [['A', null, 5]], [[{ identifier: 'LEI', role: 5 }]], [{}]])(
    'leave %j to the schema',
    (parties) => {
      expect([...commonRules({ parties })]).toEqual([])
    },
  )
})

describe('concentrations', () => {
  const found = (...concentrations: Json[]) => [
    ...commonRules({
      substancesOfConcern: concentrations.map((concentrationPct) => ({ name: 'Lead', concentrationPct })),
    }),
  ]

  it('are numbers, and ranges whose ends are in order or alone', () => {
    expect(found(0.1, { min: 0.1, max: 0.3 }, { min: 1, max: 1 }, { max: 0.1 }, { min: 3 }, 'much')).toEqual([])
    expect(found(0.1, { min: 0.3, max: 0.1 })).toEqual([
      {
        path: 'substancesOfConcern[1].concentrationPct.min',
        code: 'rangeOrder',
        params: { upper: 'substancesOfConcern[1].concentrationPct.max', limit: 0.1 },
      },
    ])
  })

  it.each<[Json]>([['A'], [['A', null]], [{}]])('leave %j to the schema', (substancesOfConcern) => {
    expect([...commonRules({ substancesOfConcern })]).toEqual([])
  })
})

describe('countries', () => {
  it.each(['DE', 'GB', 'TW', 'SS', 'AX', 'BQ'])('knows %s', (code) => {
    expect(isCountryCode(code)).toBe(true)
    expect([...commonRules({ originCountry: code })]).toEqual([])
  })

  it.each(['UK', 'ZZ', 'XK', 'EU', 'AN', 'de', 'DEU', '', 'D'])('does not know %j', (code) => {
    expect(isCountryCode(code)).toBe(false)
    expect([...commonRules({ originCountry: code })]).toEqual([{ path: 'originCountry', code: 'unknownCountry' }])
  })

  it('holds the 249 assigned codes', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
    const assigned = letters.flatMap((a) => letters.map((b) => a + b)).filter(isCountryCode)
    expect(assigned).toHaveLength(249)
    // The runtime's region names are an independent list, a superset of ISO 3166-1.
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    expect(assigned.filter((code) => names.of(code) === undefined)).toEqual([])
  })

  it('looks at the origin of each material', () => {
    const materialComposition = [{ material: 'wool', percentage: 100, countryOfOrigin: 'XX' }]
    expect([...commonRules({ materialComposition })]).toEqual([
      { path: 'materialComposition[0].countryOfOrigin', code: 'unknownCountry' },
    ])
  })
})
