import { describe, expect, test } from 'vitest'
import { UNTP_PROFILES, unitCredential } from '../../plugins/representations/untp/untp.ts'
import type { UnitView } from '../../src/domain/unit.ts'
import { BASE_URL } from '../support/gateway.ts'
import { unitOf } from '../support/unit-views.ts'
import { contextOf, viewOf } from '../support/untp.ts'

describe('a unit', () => {
  const model = viewOf(
    {
      category: 'batteries',
      productName: 'Pack',
      carbonFootprint: 61.5,
      serialNumber: 'SERIES',
      materialComposition: [{ material: 'Nickel', percentage: 100, countryOfOrigin: 'FI' }],
    },
    { productId: '09506000134352', updatedAt: '2026-07-01T00:00:00.000Z' },
  )
  // biome-ignore lint/suspicious/noExplicitAny: tests read into what they have made.
  const credentialOf = async (unit: UnitView, profile: string): Promise<any> => unitCredential(unit, contextOf(profile))
  const reference = { unitId: 'x', serialNumber: 'P', digitalLinkUri: `${BASE_URL}/01/09506000134352/21/P` }
  const unit = unitOf(model, { repurposedFrom: reference, successorUnits: [reference] })
  const id = '5b0c6a52-0000-4000-8000-000000000042'
  const characteristics = {
    status: 'IN_SERVICE',
    repurposedFrom: reference.digitalLinkUri,
    successorUnits: [reference.digitalLinkUri],
    typePassport: `${BASE_URL}/passport/${model.id}`,
    typePassportCredential: `${BASE_URL}/credentials/${model.id}`,
    typePassportStatus: 'ACTIVE',
  }

  test('is an item with its serial number in 0.7.0, and says nothing that is known of its model alone', async () => {
    const { credentialSubject, ...credential } = await credentialOf(unit, 'untp-0.7.0')
    expect(credential).toMatchObject({
      id: `${BASE_URL}/credentials/unit/${id}`,
      name: 'Digital Product Passport – Pack (unit SN-0042)',
      validFrom: model.updatedAt,
      credentialStatus: { statusListIndex: 3 },
    })
    expect(credentialSubject).toMatchObject({
      id: unit.digitalLinkUri,
      name: 'Pack',
      modelNumber: '09506000134352',
      itemNumber: 'SN-0042',
      idGranularity: 'item',
      productionDate: '2026-02-18',
      countryOfProduction: { countryCode: 'DE' },
    })
    expect(credentialSubject.characteristics).toEqual(characteristics)
    for (const member of ['performanceClaim', 'materialProvenance'])
      expect(credentialSubject).not.toHaveProperty(member)
  })

  test('is an item with its serial number in 0.6.1', async () => {
    const { id: credentialId, credentialSubject } = await credentialOf(unit, 'untp-0.6.1')
    expect(credentialId).toBe(`${BASE_URL}/credentials/unit/${id}`)
    expect(credentialSubject).toMatchObject({
      id: `${BASE_URL}/unit/${id}`,
      granularityLevel: 'item',
      product: {
        id: unit.digitalLinkUri,
        registeredId: '09506000134352.21.SN-0042',
        serialNumber: 'SN-0042',
        productionDate: '2026-02-18',
      },
    })
    const { type: _type, ...stated } = credentialSubject.product.characteristics
    expect(stated).toEqual(characteristics)
    expect(credentialSubject).not.toHaveProperty('materialsProvenance')
  })

  test('changed after its product is valid from then, and has no unknown date', async () => {
    const changed = unitOf(model, { updatedAt: '2026-08-01T00:00:00.000Z', manufacturedAt: null })
    const { validFrom, credentialSubject } = await credentialOf(changed, 'untp-0.7.0')
    expect(validFrom).toBe('2026-08-01T00:00:00.000Z')
    expect(credentialSubject).not.toHaveProperty('productionDate')
    expect(credentialSubject.characteristics).not.toHaveProperty('repurposedFrom')
  })

  test.each(UNTP_PROFILES)('of a draft, and of a product without a facility, is refused in %s', async (profile) => {
    for (const more of [{ status: 'DRAFT' }, { facility: null }] as const) {
      await expect(credentialOf(unitOf({ ...model, ...more }), profile)).rejects.toMatchObject({ status: 406 })
    }
  })
})
