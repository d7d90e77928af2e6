import { beforeAll, describe, expect, test } from 'vitest'
import { UNIT_STATUSES, type UnitStatus } from '../../src/domain/unit.ts'
import { unzip } from '../support/aasx-reader.ts'
import type { Answer } from '../support/contract-client.ts'
import { bearer, newGln } from '../support/gateway.ts'
import { inDays } from '../support/sample-calls.ts'
import { unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

// Every representation × tier × category × status, of passports and of units. Representations and categories come from the
// loaded plugins, so a new one is in the matrix by being there.

const RESTRICTED = ['detailedPerformance', 'lifecycleAndInUse', 'circularityAndDisassembly']
const STATUSES = ['ACTIVE', 'RECALLED', 'DECOMMISSIONED', 'DRAFT'] as const
const PLACEHOLDER = '[REDACTED - Privileged Access Required]'
const STREET = 'canary-street'
let facilityId: string
let tenantToken: string
let authorityToken: string

const { gateway, workspace, passports } = await useGateway()
const units = unitClient(gateway, workspace.as)

beforeAll(async () => {
  const { body } = await gateway.request('POST', '/api/v1/facilities', {
    headers: workspace.as,
    json: { gln: newGln(), name: 'Works', country: 'PT', streetAddress: STREET, city: STREET, postalCode: STREET },
  })
  facilityId = body.facility.id
  const issued = await gateway.request('POST', '/api/v1/grants', {
    headers: workspace.as,
    json: { granteeName: 'Repair Ltd', scopeType: 'TENANT', expiresAt: inDays(1) },
  })
  tenantToken = issued.body.token
  const minted = await gateway.container.cradle.grants.issueAuthority({
    scope: 'TENANT',
    target: workspace.id,
    expires: inDays(1),
  })
  authorityToken = minted.token
})

/** Metadata whose hidden values can be searched for in anything that the gateway answers. */
const metadataOf = (category: string) => ({
  category,
  originCountry: 'DE',
  facilityDetails: [{ facilityName: 'canary-facilityDetails' }],
  ...(category === 'batteries' ? Object.fromEntries(RESTRICTED.map((key) => [key, { note: `canary-${key}` }])) : {}),
})

async function given(category: string, status: (typeof STATUSES)[number], isSealed: boolean): Promise<string> {
  const { id } = await passports.given({ metadata: metadataOf(category), facilityId, draft: status === 'DRAFT' })
  if (isSealed) expect((await passports.seal(id)).status).toBe(200)
  if (status === 'RECALLED' || status === 'DECOMMISSIONED') await passports.setStatus(id, status)
  return id
}

/** How each tier asks, and which canaries it may see. */
const TIERS = {
  anonymous: { headers: () => ({}), sees: () => [] as string[] },
  'legitimate interest': { headers: () => bearer(tenantToken), sees: () => RESTRICTED },
  authority: { headers: () => bearer(authorityToken), sees: () => RESTRICTED },
  owner: { headers: () => workspace.as, sees: () => [...RESTRICTED, 'facilityDetails', 'street'] },
}

const plain = (text: string) => text.replaceAll('\u00ad', '').replaceAll('<wbr>', '')

/** Everything that an answer says, base64url parts of signed forms and packed containers included. */
async function contentOf({ text: sent, bytes, rawHeaders }: Answer): Promise<string> {
  const isPacked = sent.startsWith('PK')
  const text = isPacked ? [...(await unzip(bytes)).entries()].join('\n') : sent
  if (isPacked) expect(text).toContain('originCountry')
  const parts = [text, ...text.split(/[.~"\s]/)]
    .filter((part) => part.length > 12)
    .map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? Buffer.from(part, 'base64url').toString('utf8') : part))
  return plain([text, ...parts, ...rawHeaders].join('\n'))
}

/** Measured so, a unit has values that can be searched for. */
const HEALTH = 91.734
const MEASURED = [String(HEALTH), 'canary-payload']

async function givenUnit(passportStatus: (typeof STATUSES)[number], status: UnitStatus): Promise<string> {
  const passportId = await given('batteries', passportStatus, false)
  const { id } = await units.given(passportId, { status })
  await units.measure(id, HEALTH, '2026-01-01T00:00:00.000Z', { note: 'canary-payload' })
  return id
}

describe('every representation of units in every tier', () => {
  const ofUnits = gateway.container.cradle.plugins.representations.filter(({ renderUnit }) => renderUnit !== undefined)

  test.each(STATUSES)('of a passport that is %s', async (passportStatus) => {
    expect(ofUnits.map(({ name }) => name)).toContain('jsonld')
    for (const status of UNIT_STATUSES) {
      const id = await givenUnit(passportStatus, status)
      for (const [tier, { headers, sees }] of Object.entries(TIERS)) {
        for (const { name, mediaTypes, isSigned } of ofUnits) {
          const at = `${passportStatus} ${status} ${tier} ${name}`
          const answer = await gateway.request('GET', `/unit/${id}`, {
            headers: { ...headers(), accept: mediaTypes[0] },
          })
          const content = await contentOf(answer)
          for (const canary of [...RESTRICTED, 'facilityDetails', 'street']) {
            if (!sees().includes(canary)) expect(content, at).not.toContain(`canary-${canary}`)
          }
          if (tier === 'anonymous') for (const measured of MEASURED) expect(content, at).not.toContain(measured)
          if (passportStatus === 'DRAFT' && tier !== 'owner') {
            expect([at, answer.status]).toEqual([at, 404])
            continue
          }
          if (status === 'RECYCLED') {
            expect([at, answer.status]).toEqual([at, 410])
            for (const measured of MEASURED) expect(content, at).not.toContain(measured)
            continue
          }
          // A draft is no credential.
          const isRefused = isSigned === true && passportStatus === 'DRAFT'
          expect([at, answer.status]).toEqual([at, isRefused ? 406 : 200])
          if (isRefused) continue
          expect(answer.headers['content-type'], at).toContain(mediaTypes[0])
          expect(answer.headers['cache-control'], at).toBe(
            tier === 'anonymous' ? 'public, no-cache' : 'private, no-store',
          )
          expect(answer.headers.vary, at).toMatch(/Authorization/)
          if (name === 'jsonld' && tier !== 'anonymous') {
            for (const measured of MEASURED) expect(content, at).toContain(measured)
            for (const canary of sees()) expect(content, at).toContain(`canary-${canary}`)
          }
          // What is signed is kept, and would be wrong after the next measurement.
          if (isSigned) {
            for (const measured of MEASURED) expect(content, at).not.toContain(measured)
            expect(content, at).not.toContain(PLACEHOLDER)
          }
        }
      }
    }
  })
})

describe('every representation in every tier', () => {
  test.each(STATUSES)('of a passport that is %s', async (status) => {
    const { plugins } = gateway.container.cradle
    expect(plugins.categories.size).toBeGreaterThanOrEqual(9)
    for (const category of plugins.categories.keys()) {
      for (const isSealed of category === 'batteries' && status !== 'DRAFT' ? [false, true] : [false]) {
        const id = await given(category, status, isSealed)
        for (const [tier, { headers, sees }] of Object.entries(TIERS)) {
          for (const { name, mediaTypes } of plugins.representations) {
            const at = `${category} ${status} ${isSealed ? 'sealed ' : ''}${tier} ${name}`
            const answer = await gateway.request('GET', `/passport/${id}`, {
              headers: { ...headers(), accept: mediaTypes[0] },
            })
            const content = await contentOf(answer)
            for (const canary of [...RESTRICTED, 'facilityDetails', 'street']) {
              if (!sees().includes(canary)) expect(content, at).not.toContain(`canary-${canary}`)
            }
            if (status === 'DRAFT' && tier !== 'owner') {
              expect([at, answer.status]).toEqual([at, 404])
              continue
            }
            expect([200, 406], at).toContain(answer.status)
            if (answer.status !== 200) continue
            expect(answer.headers['content-type'], at).toContain(mediaTypes[0])
            expect(answer.headers['cache-control'], at).toBe(
              tier === 'anonymous' ? 'public, no-cache' : 'private, no-store',
            )
            expect(answer.headers.vary, at).toMatch(/Authorization/)
            // JSON-LD is the whole document: what a tier may see is there.
            if (name === 'jsonld') {
              for (const canary of sees().filter((key) => category === 'batteries' || !RESTRICTED.includes(key))) {
                expect(content, at).toContain(`canary-${canary}`)
              }
            }
            if (/vc|dc|jwt/.test(mediaTypes[0])) expect(content, at).not.toContain(PLACEHOLDER)
          }
        }
      }
    }
  })
})
