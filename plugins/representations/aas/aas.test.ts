import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SALT_RANDOM_BYTES, sealTree } from '../../../src/domain/merkle.ts'
import type { Metadata } from '../../../src/domain/metadata.ts'
import { loadPlugins } from '../../../src/plugin/loader.ts'
import { checkRepresentation } from '../../../src/plugin/testing.ts'
import type { PassportRow } from '../../../src/services/passport-rows.ts'
import { PassportViews } from '../../../src/services/passport-views.ts'
import { aasJudges, judgesAreAbsent } from '../../../test/support/aas-judges.ts'
import { randomMetadata } from '../../../test/support/random-metadata.ts'
import { categoryNames } from '../../categories/testing.ts'
import { environment } from './environment.ts'

const TIERS = ['public', 'restricted', 'owner'] as const

const views = new PassportViews({
  config: { baseUrl: 'https://passport.example' } as never,
  plugins: await loadPlugins(['plugins/categories']),
})

function passport(metadata: Metadata, more: Partial<PassportRow> = {}): PassportRow {
  const tree = sealTree(metadata, () => randomBytes(SALT_RANDOM_BYTES))
  return {
    id: '3f0c6a52-0000-4000-8000-000000000001',
    tenantId: '3f0c6a52-0000-4000-8000-000000000002',
    operatorId: '3f0c6a52-0000-4000-8000-000000000003',
    productId: '09506000134352',
    status: 'ACTIVE',
    metadata,
    enrichment: null,
    version: 1,
    archivedAt: null,
    retentionUntil: null,
    createdAt: '2026-11-21T17:00:00.000Z',
    updatedAt: '2026-11-21T17:00:00.000Z',
    operator: { id: '3f0c6a52-0000-4000-8000-000000000003', name: 'Mühle 1', regId: 'DE1', role: 'MANUFACTURER' },
    facility: {
      id: '3f0c6a52-0000-4000-8000-000000000004',
      gln: '4012345000009',
      name: 'Works 1',
      activity: null,
      country: 'DE',
      streetAddress: 'Street 1',
      city: 'Köln',
      postalCode: '50667',
    },
    seal: {
      merkleRoot: tree.root,
      signature: 'MEQCIBX5bQyEj1PNFX8lBp3DJQ6VR63ec9tExtB7b5nl04O5',
      publicKeyPem: '-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----',
      leaves: tree.leaves,
      createdAt: '2026-11-21T17:00:00.000Z',
    },
    ...more,
  }
}

test('keeps the contract of representations', () => checkRepresentation('plugins/representations/aas'))

describe.skipIf(judgesAreAbsent)(
  'an environment passes the official schemas 3.0, 3.1 and 3.2 and aas-core',
  async () => {
    const judge = judgesAreAbsent ? () => [] : aasJudges()
    const rich = await randomMetadata(true)
    const any = await randomMetadata()

    test.each(categoryNames)('%s with everything that its schema names, in three tiers', (category) => {
      fc.assert(
        fc.property(rich[category] as fc.Arbitrary<Metadata>, (metadata) => {
          for (const tier of TIERS) {
            for (const row of [
              passport(metadata),
              passport(metadata, { seal: null, facility: null, productId: 'SKU 1/ä' }),
            ])
              expect(judge(environment(views.view(row, tier)))).toEqual([])
          }
        }),
        { numRuns: 3 },
      )
    })

    test.each(categoryNames)('%s with any other keys and texts', (category) => {
      fc.assert(
        fc.property(
          any[category] as fc.Arbitrary<Metadata>,
          fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
          (metadata, productId) => {
            const view = views.view(passport(metadata, { productId: productId.toWellFormed() }), 'owner')
            expect(judge(environment(view))).toEqual([])
          },
        ),
        { numRuns: 60 },
      )
    })
  },
)
