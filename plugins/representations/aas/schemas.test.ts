import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Metadata } from '../../../src/domain/metadata.ts'
import { battery, environment, unitEnvironmentOf, views } from '../../../test/support/aas-environments.ts'
import { aasReferenceErrors, isReferenceMissing } from '../../../test/support/aas-reference.ts'
import { categoryNames } from '../../../test/support/categories.ts'
import { passport } from '../../../test/support/passport-row.ts'
import { randomMetadata } from '../../../test/support/random-metadata.ts'
import { anyUnit, NO_CONDITION, unitOf } from '../../../test/support/unit-views.ts'

const AUDIENCES = ['public', 'legitimateInterest', 'authority', 'owner'] as const

describe.skipIf(isReferenceMissing)(
  'an environment passes the official schemas 3.0, 3.1 and 3.2 and aas-core',
  async () => {
    const errorsOf = isReferenceMissing ? () => [] : aasReferenceErrors()

    test('and each of the judges can fail', () => {
      const sound = () => JSON.parse(JSON.stringify(environment(views.view(passport({ category: 'toys' }), 'owner'))))
      expect(errorsOf(sound())).toEqual([])
      const spoiled = (spoil: (environment: ReturnType<typeof sound>) => void) => {
        const environment = sound()
        spoil(environment)
        return errorsOf(environment).map((finding) => finding.split(':')[0])
      }
      const all = ['3.0.9', '3.1.2', '3.2.0', 'core']
      expect(spoiled((environment) => Object.assign(environment, { conceptDescriptions: [] }))).toEqual(all)
      expect(spoiled((environment) => delete environment.submodels[0].modelType)).toEqual(all)
      const rename = (idShort: string) => (environment: ReturnType<typeof sound>) =>
        Object.assign(environment.submodels[0].submodelElements[0], { idShort })
      expect(spoiled(rename('with-hyphen'))).toEqual(['3.0.9', 'core'])
      expect(spoiled(rename('x'))).toEqual(['3.1.2', '3.2.0'])
      expect(spoiled(rename('status'))).toEqual(['core'])
    })

    const rich = randomMetadata(true)

    test.each(categoryNames)('%s with everything that its schema names, for every audience', (category) => {
      fc.assert(
        fc.property(rich[category] as fc.Arbitrary<Metadata>, (metadata) => {
          for (const audience of AUDIENCES) {
            for (const row of [
              passport(metadata),
              passport(metadata, { seal: null, facility: null, productId: 'SKU 1/ä' }),
            ])
              expect(errorsOf(environment(views.view(row, audience)))).toEqual([])
          }
        }),
        { numRuns: 2 },
      )
    })

    test('of any unit for every audience', () => {
      const models = AUDIENCES.map((audience) => views.view(passport(battery), audience))
      fc.assert(
        fc.property(fc.constantFrom(...models).chain(anyUnit), (unit) => {
          expect(errorsOf(unitEnvironmentOf(unit))).toEqual([])
        }),
        { numRuns: 60 },
      )
    })

    test('of a unit with as many records as a document shows, and of one whose product has no facility', () => {
      const model = views.view(passport(battery, { facility: null, productId: 'SKU 1/ä' }), 'owner')
      const dynamicData = Array.from({ length: 500 }, (_, index) => ({
        eventType: 'OTHER' as const,
        stateOfHealth: 99.5 - index / 10,
        cycleCount: index === 7 ? Number.MAX_SAFE_INTEGER : null,
        remainingCapacityAh: null,
        temperatureC: -273.15,
        recordedAt: '+012027-01-02T03:04:05.678Z',
        payload: { note: '\u0001\uffff', list: [1] },
      }))
      expect(
        errorsOf(
          unitEnvironmentOf(unitOf(model, { telemetry: { currentState: null, dynamicData, kept: NO_CONDITION } })),
        ),
      ).toEqual([])
    })
  },
)
