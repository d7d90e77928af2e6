import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UNIT_STATUSES, type UnitStatus } from '../../src/domain/unit.ts'
import { COMMON_SCHEMA } from '../../src/plugin/common-schema.ts'
import { unzip } from '../support/aasx-reader.ts'
import { textOf } from '../support/code-readers.ts'
import type { Answer } from '../support/contract-client.ts'
import { bearer, createWorkspace, newGln, startTestGateway, type TestGateway } from '../support/gateway.ts'
import { judge } from '../support/judges.ts'
import { passportClient } from '../support/passport-client.ts'
import { inDays } from '../support/sample-calls.ts'
import { unitClient } from '../support/unit-client.ts'
import { webhookClient } from '../support/webhook-client.ts'
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

// Every key × audience × form × category × status, of passports and of units. Representations and categories come from the
// loaded plugins, so a new one is in the matrix by being there; a new key for an audience has to be entered here.

type ReaderName = 'anonymous' | 'legitimateInterest' | 'authority' | 'strictAuthority' | 'owner'

const EVERY_TOKEN = ['legitimateInterest', 'authority', 'strictAuthority', 'owner'] as const
const AUTHORITIES = ['authority', 'strictAuthority', 'owner'] as const
/** An authority reads what is for a legitimate interest, unless its workspace keeps audiences strictly apart. */
const INTERESTED = ['legitimateInterest', 'authority', 'owner'] as const

const canary = (key: string) => `canary-${key}`
const report = (key: string, more: object = {}) => ({
  documentType: 'technicalDocumentation',
  language: 'en',
  title: canary(key),
  mediaType: 'application/pdf',
  sha256: '0'.repeat(64),
  url: `https://documents.example/${canary(key)}.pdf`,
  ...more,
})

/** Who sees each key of batteries that the public does not, and a value of it that can be searched for. */
const KEYS: Readonly<Record<string, { readonly sees: readonly ReaderName[]; readonly value: unknown }>> = {
  // Annex XIII, point 2.
  circularityAndDisassembly: { sees: EVERY_TOKEN, value: { note: canary('circularityAndDisassembly') } },
  // Point 3.
  complianceEvidence: { sees: AUTHORITIES, value: [{ test: canary('complianceEvidence'), result: 'passed' }] },
  testReportReferences: { sees: AUTHORITIES, value: [canary('testReportReferences')] },
  // Point 4.
  detailedPerformance: { sees: INTERESTED, value: { note: canary('detailedPerformance') } },
  lifecycleAndInUse: { sees: INTERESTED, value: { note: canary('lifecycleAndInUse') } },
  // Specification 2.1.
  facilityDetails: { sees: ['owner'], value: [{ facilityName: canary('facilityDetails') }] },
}
/** The same of construction products: trade secrets (Regulation (EU) 2024/3110). */
const CONSTRUCTION_KEYS: typeof KEYS = {
  confidentialComposition: { sees: AUTHORITIES, value: [{ material: canary('confidentialComposition') }] },
  confidentialCalculations: { sees: AUTHORITIES, value: canary('confidentialCalculations') },
}
/** The same of keys that every category may carry. */
const COMMON_KEYS: typeof KEYS = {
  restrictedDocuments: { sees: EVERY_TOKEN, value: [report('restrictedDocuments')] },
  complianceDocuments: { sees: AUTHORITIES, value: [report('complianceDocuments')] },
}
/** Of a facility the owner alone sees the address. */
const STREET = 'street'

const STATUSES = ['ACTIVE', 'RECALLED', 'DECOMMISSIONED', 'DRAFT'] as const
const PLACEHOLDER = '[REDACTED - Privileged Access Required]'

const propertiesOf = (schema: unknown) =>
  (schema as { properties?: Record<string, object> } | undefined)?.properties ?? {}
const namesAudience = (property: object) => 'x-audience' in property
const commonKeys = Object.entries(propertiesOf(COMMON_SCHEMA)).flatMap(([key, property]) =>
  namesAudience(property) ? [key] : [],
)

/** The keys that passports of a category have here. */
const keysOf = (category: string): typeof KEYS => {
  const facilityDetails = KEYS.facilityDetails as (typeof KEYS)[string]
  return {
    ...(category === 'batteries' ? KEYS : { facilityDetails }),
    ...(category === 'construction' ? CONSTRUCTION_KEYS : {}),
    ...Object.fromEntries(Object.entries(COMMON_KEYS).filter(([key]) => commonKeys.includes(key))),
  }
}
const seenBy = (reader: ReaderName, category: string) => [
  ...Object.entries(keysOf(category)).flatMap(([key, { sees }]) => (sees.includes(reader) ? [key] : [])),
  ...(reader === 'owner' ? [STREET] : []),
]
const metadataOf = (category: string, more: object = {}) => ({
  category,
  originCountry: 'DE',
  ...Object.fromEntries(Object.entries(keysOf(category)).map(([key, { value }]) => [key, value])),
  ...more,
})

let gateway: TestGateway
let receiver: WebhookReceiver
let plain: Awaited<ReturnType<typeof world>>
let strict: Awaited<ReturnType<typeof world>>

beforeAll(async () => {
  receiver = await startReceiver()
  gateway = await startTestGateway({ WEBHOOK_ALLOW_PRIVATE: 'on' })
  plain = await world()
  strict = await world()
  await keepApart(strict, true)
})
afterAll(async () => {
  await gateway.close()
  await receiver.close()
})

const keepApart = ({ workspace }: typeof plain, isStrict: boolean) =>
  gateway.container.cradle.workspaces.set(workspace.id, { strictAudiences: isStrict })

/** A workspace with a facility and a token of each kind. */
async function world() {
  const workspace = await createWorkspace(gateway)
  const { body } = await gateway.request('POST', '/api/v1/facilities', {
    headers: workspace.as,
    json: {
      ...{ gln: newGln(), name: 'Works', country: 'PT' },
      ...{ streetAddress: canary(STREET), city: canary(STREET), postalCode: canary(STREET) },
    },
  })
  const issued = await gateway.request('POST', '/api/v1/grants', {
    headers: workspace.as,
    json: { granteeName: 'Repair Ltd', scopeType: 'TENANT', expiresAt: inDays(1) },
  })
  const { token } = await gateway.container.cradle.grants.issueAuthority({
    scope: 'TENANT',
    target: workspace.id,
    expires: inDays(1),
  })
  return {
    workspace,
    facilityId: body.facility.id as string,
    passports: passportClient(gateway, workspace.as),
    units: unitClient(gateway, workspace.as),
    readers: {
      anonymous: {},
      legitimateInterest: bearer(issued.body.token),
      authority: bearer(token),
      owner: workspace.as,
    },
  }
}

/** How everybody asks: in a workspace as it is by itself, or, of what differs there, in a strict one. */
const readersIn = (of: typeof plain): [ReaderName, Record<string, string>][] =>
  of === strict
    ? [
        ['legitimateInterest', of.readers.legitimateInterest],
        ['strictAuthority', of.readers.authority],
      ]
    : (Object.entries(of.readers) as [ReaderName, Record<string, string>][])

async function given(
  { passports, facilityId }: typeof plain,
  category: string,
  status: (typeof STATUSES)[number],
  isSealed: boolean,
): Promise<string> {
  const { id } = await passports.given({ metadata: metadataOf(category), facilityId, draft: status === 'DRAFT' })
  if (isSealed) expect((await passports.seal(id)).status).toBe(200)
  if (status === 'RECALLED' || status === 'DECOMMISSIONED') await passports.setStatus(id, status)
  return id
}

const inPlain = (text: string) => text.replaceAll('\u00ad', '').replaceAll('<wbr>', '')
const poppler = judge('pdftotext')

/** Everything that an answer says, base64url parts of signed forms and packed containers included. */
async function contentOf({ text: sent, bytes, rawHeaders }: Answer): Promise<string> {
  const isPacked = sent.startsWith('PK')
  const text = isPacked ? [...(await unzip(bytes)).entries()].join('\n') : sent
  if (isPacked) expect(text).toContain('originCountry')
  if (sent.startsWith('%PDF')) return poppler === undefined ? '' : inPlain(textOf(bytes))
  const parts = [text, ...text.split(/[.~"\s]/)]
    .filter((part) => part.length > 12)
    .map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? Buffer.from(part, 'base64url').toString('utf8') : part))
  return inPlain([text, ...parts, ...rawHeaders].join('\n'))
}

/** Holds an answer to what the reader may see of a category. */
function assertNoLeak(content: string, reader: ReaderName, category: string, at: string): void {
  const seen = seenBy(reader, category)
  for (const key of [...Object.keys({ ...KEYS, ...CONSTRUCTION_KEYS, ...COMMON_KEYS }), STREET]) {
    if (!seen.includes(key)) expect(content, at).not.toContain(canary(key))
  }
}

/** Holds a whole document to it: what the reader may see is there. */
function assertWhole(content: string, reader: ReaderName, category: string, at: string): void {
  for (const key of seenBy(reader, category)) expect(content, at).toContain(canary(key))
}

/** Measured so, a unit has values that can be searched for. */
const HEALTH = 91.734
const MEASURED = [String(HEALTH), 'canary-payload']

async function givenUnit(
  of: typeof plain,
  passportStatus: (typeof STATUSES)[number],
  status: UnitStatus,
): Promise<string> {
  const passportId = await given(of, 'batteries', passportStatus, false)
  const { id } = await of.units.given(passportId, { status })
  await of.units.measure(id, HEALTH, '2026-01-01T00:00:00.000Z', { note: 'canary-payload' })
  return id
}

test('every key that names an audience is in the matrix', () => {
  const named = [...gateway.container.cradle.plugins.categories.values()].flatMap(({ schema }) =>
    Object.entries(propertiesOf(schema)).flatMap(([key, property]) => (namesAudience(property) ? [key] : [])),
  )
  expect([...named, 'facilityDetails'].sort()).toEqual(Object.keys({ ...KEYS, ...CONSTRUCTION_KEYS }).sort())
  expect(commonKeys.filter((key) => COMMON_KEYS[key] === undefined)).toEqual([])
})

describe('every representation of units for every audience', () => {
  test.each(STATUSES)('of a passport that is %s', async (passportStatus) => {
    const ofUnits = gateway.container.cradle.plugins.representations.filter(
      ({ renderUnit }) => renderUnit !== undefined,
    )
    expect(ofUnits.map(({ name }) => name)).toContain('jsonld')
    // The status of a unit is shown alike, whatever its passport's is; a recycled unit is gone.
    const statuses = passportStatus === 'ACTIVE' ? UNIT_STATUSES : (['IN_SERVICE', 'RECYCLED'] as const)
    for (const of of [plain, strict]) {
      for (const status of of === strict ? (['IN_SERVICE'] as const) : statuses) {
        const id = await givenUnit(of, passportStatus, status)
        for (const [reader, headers] of readersIn(of)) {
          for (const { name, mediaTypes, isSigned } of ofUnits) {
            const at = `${passportStatus} ${status} ${reader} ${name}`
            const answer = await gateway.request('GET', `/unit/${id}`, {
              headers: { ...headers, accept: mediaTypes[0] },
            })
            const content = await contentOf(answer)
            assertNoLeak(content, reader, 'batteries', at)
            // Annex XIII, point 4, as the keys of a legitimate interest.
            const seesMeasured = INTERESTED.some((name) => name === reader)
            if (!seesMeasured) for (const measured of MEASURED) expect(content, at).not.toContain(measured)
            if (passportStatus === 'DRAFT' && reader !== 'owner') {
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
              reader === 'anonymous' ? 'public, no-cache' : 'private, no-store',
            )
            expect(answer.headers.vary, at).toMatch(/Authorization/)
            if (name === 'jsonld') {
              if (seesMeasured) for (const measured of MEASURED) expect(content, at).toContain(measured)
              assertWhole(content, reader, 'batteries', at)
            }
            // What is signed is kept, and would be wrong after the next measurement.
            if (isSigned) {
              for (const measured of MEASURED) expect(content, at).not.toContain(measured)
              expect(content, at).not.toContain(PLACEHOLDER)
            }
          }
        }
      }
    }
  })
})

describe('every representation of batches for every audience', () => {
  test.each(STATUSES)('of a passport that is %s', async (status) => {
    const ofBatches = gateway.container.cradle.plugins.representations.filter(
      ({ renderBatch }) => renderBatch !== undefined,
    )
    expect(ofBatches.map(({ name }) => name)).toContain('jsonld')
    for (const of of [plain, strict]) {
      const passportId = await given(of, 'batteries', status, false)
      const { metadata } = (await gateway.request('GET', `/passport/${passportId}`, { headers: of.readers.owner })).body
      // What says which product it is, and documents, is the passport's alone.
      const differing = Object.entries(metadata).filter(
        ([key]) => !/^(category|gtin|grai|serialNumber|batchNumber|granularity)$|[dD]ocuments$/.test(key),
      )
      const made = await gateway.request('POST', `/api/v1/passports/${passportId}/batches`, {
        headers: of.readers.owner,
        json: { batchNumber: 'L1', metadata: Object.fromEntries(differing) },
      })
      expect([made.status, made.text]).toEqual([201, made.text])
      const masked = differing.map(([key]) => key).filter((key) => key in KEYS)
      expect(masked.length).toBeGreaterThan(0)
      for (const [reader, headers] of readersIn(of)) {
        for (const { name, mediaTypes } of ofBatches) {
          const at = `${status} ${reader} ${name}`
          const answer = await gateway.request('GET', `/batch/${made.body.batches[0].id}`, {
            headers: { ...headers, accept: mediaTypes[0] },
          })
          const content = await contentOf(answer)
          assertNoLeak(content, reader, 'batteries', at)
          const isHidden = status === 'DRAFT' && reader !== 'owner'
          expect([at, answer.status]).toEqual([at, isHidden ? 404 : 200])
          if (!isHidden && name === 'jsonld') assertWhole(content, reader, 'batteries', at)
        }
      }
    }
  })
})

describe('every representation for every audience', () => {
  // Once it is public, what is shown is chosen by category and reader alike; those with keys of their own stand for all.
  const categoriesIn = (status: (typeof STATUSES)[number]) =>
    status === 'ACTIVE' || status === 'DRAFT'
      ? gateway.container.cradle.plugins.categories.keys()
      : ['batteries', 'construction']

  /** A PDF takes longest: active passports with keys of their own have it for every reader, others for one each, in turn. */
  const isLeftOut = (mediaType: string, place: number, reader: ReaderName) =>
    mediaType === 'application/pdf' && Object.keys(plain.readers)[place % 4] !== reader

  test.each(STATUSES)('of a passport that is %s', async (status) => {
    const { plugins } = gateway.container.cradle
    expect(plugins.categories.size).toBeGreaterThanOrEqual(9)
    let place = 0
    for (const of of [plain, strict]) {
      for (const category of of === strict ? ['batteries'] : categoriesIn(status)) {
        for (const isSealed of category === 'batteries' && status !== 'DRAFT' ? [false, true] : [false]) {
          const id = await given(of, category, status, isSealed)
          const hasAll = status === 'ACTIVE' && !isSealed && ['batteries', 'construction'].includes(category)
          place += 1
          for (const [reader, headers] of readersIn(of)) {
            for (const { name, mediaTypes } of plugins.representations) {
              if (!hasAll && isLeftOut(mediaTypes[0], place, reader)) continue
              const at = `${category} ${status} ${isSealed ? 'sealed ' : ''}${reader} ${name}`
              const answer = await gateway.request('GET', `/passport/${id}`, {
                headers: { ...headers, accept: mediaTypes[0] },
              })
              const content = await contentOf(answer)
              assertNoLeak(content, reader, category, at)
              if (status === 'DRAFT' && reader !== 'owner') {
                expect([at, answer.status]).toEqual([at, 404])
                continue
              }
              expect([200, 406], at).toContain(answer.status)
              if (answer.status !== 200) continue
              expect(answer.headers['content-type'], at).toContain(mediaTypes[0])
              expect(answer.headers['cache-control'], at).toBe(
                reader === 'anonymous' ? 'public, no-cache' : 'private, no-store',
              )
              expect(answer.headers.vary, at).toMatch(/Authorization/)
              if (name === 'jsonld' || (name === 'sd-jwt-vc' && reader !== 'owner')) {
                assertWhole(content, reader, category, at)
              }
              if (/vc|dc|jwt/.test(mediaTypes[0])) expect(content, at).not.toContain(PLACEHOLDER)
            }
          }
        }
      }
    }
  })
})

test('a switch of strictness holds at once, in forms that are kept too, and back again', async () => {
  const of = await world()
  const passportId = await given(of, 'batteries', 'ACTIVE', true)
  const { id: unitId } = await of.units.given(passportId)
  await of.units.measure(unitId, HEALTH, '2026-01-01T00:00:00.000Z', { note: 'canary-payload' })
  const { representations } = gateway.container.cradle.plugins
  for (const isStrict of [false, true, false, true]) {
    await keepApart(of, isStrict)
    const reader = isStrict ? 'strictAuthority' : 'authority'
    for (const { name, mediaTypes, renderUnit } of representations) {
      for (const path of [`/passport/${passportId}`, ...(renderUnit === undefined ? [] : [`/unit/${unitId}`])]) {
        const at = `${path} ${reader} ${name}`
        const answer = await gateway.request('GET', path, {
          headers: { ...of.readers.authority, accept: mediaTypes[0] },
        })
        expect([at, answer.status]).toEqual([at, 200])
        const content = await contentOf(answer)
        assertNoLeak(content, reader, 'batteries', at)
        if (isStrict) for (const measured of MEASURED) expect(content, at).not.toContain(measured)
        // The credential of a unit repeats nothing of its model.
        const isWhole = name === 'jsonld' || (name === 'sd-jwt-vc' && !path.startsWith('/unit/'))
        if (isWhole) assertWhole(content, reader, 'batteries', at)
      }
    }
  }
})

test('an authority that is refused what was measured is told why', async () => {
  const id = await givenUnit(strict, 'ACTIVE', 'IN_SERVICE')
  const { body } = await gateway.request('GET', `/unit/${id}`, { headers: strict.readers.authority })
  expect(body.restrictedData).toMatchObject({
    reason: 'LEGITIMATE_INTEREST_REQUIRED',
    description: expect.stringMatching(/legitimate interest alone \(Annex XIII, point 4\)/),
  })
  const page = await gateway.request('GET', `/unit/${id}`, {
    headers: { ...strict.readers.authority, accept: 'text/html', 'accept-language': 'en' },
  })
  expect(inPlain(page.text)).toContain('for persons with a legitimate interest only')
  expect(page.text).not.toContain('/request-access')
})

test('the header names the audience beside the tier', async () => {
  const id = await given(plain, 'batteries', 'ACTIVE', false)
  const said = await Promise.all(
    readersIn(plain).map(async ([reader, headers]) => {
      const answer = await gateway.request('GET', `/passport/${id}`, { headers })
      return [reader, answer.headers['x-access-tier'], answer.headers['x-access-audience']]
    }),
  )
  expect(said).toEqual([
    ['anonymous', 'public', undefined],
    ['legitimateInterest', 'restricted', 'legitimateInterest'],
    ['authority', 'restricted', 'authority'],
    ['owner', 'owner', undefined],
  ])
})

describe('what is told elsewhere', () => {
  /** Whoever has no role that reads everything gets what the public gets. */
  const asAdministrator = async () => {
    const { key } = await gateway.container.cradle.workspaces.createKey({
      workspaceId: plain.workspace.id,
      role: 'TENANT_ADMIN',
    })
    return bearer(key)
  }

  test('in the list, in the history, of earlier versions and in answers to writes', async () => {
    const id = await given(plain, 'batteries', 'ACTIVE', true)
    const administrator = await asAdministrator()
    const metadata = metadataOf('batteries', { color: 'blue' })
    const revised = await plain.passports.revise(id, { metadata, changeReason: 'Misspelt' })
    expect(revised.status).toBe(200)
    assertNoLeak(await contentOf(revised), 'anonymous', 'batteries', 'revision')
    for (const [reader, as] of [
      ['owner', plain.readers.owner],
      ['anonymous', administrator],
    ] as const) {
      const caller = passportClient(gateway, as)
      for (const [name, answer] of [
        ['list', await caller.list('?limit=100')],
        ['history', await caller.history(id)],
      ] as const) {
        expect([name, answer.status]).toEqual([name, 200])
        // Addresses of facilities are in neither.
        const content = await contentOf(answer)
        if (reader === 'anonymous') assertNoLeak(content, reader, 'batteries', name)
        else expect(content, name).toContain(name === 'list' ? canary('complianceEvidence') : 'blue')
      }
    }
    for (const [reader, headers] of readersIn(plain)) {
      for (const query of ['?version=1', '?version=2']) {
        const answer = await gateway.request('GET', `/passport/${id}${query}`, { headers })
        const at = `${reader} ${query}`
        expect([at, answer.status]).toEqual([at, 200])
        assertNoLeak(await contentOf(answer), reader, 'batteries', at)
      }
    }
  })

  test('a change of a hidden value is a change of nothing in the history of whoever may not read it', async () => {
    const id = await given(plain, 'batteries', 'ACTIVE', false)
    const { metadata } = (await plain.passports.get(id)).body
    await plain.passports.update(id, { metadata: { ...metadata, testReportReferences: ['canary-other'] } })
    const { text, body } = await passportClient(gateway, await asAdministrator()).history(id)
    expect(text).not.toContain('canary')
    expect(body.versions[0].changes).toEqual([])
    expect((await plain.passports.history(id)).text).toContain('canary-other')
  })

  test('in events to receivers', async () => {
    const webhooks = webhookClient(gateway, plain.workspace.as)
    const { secret } = await webhooks.given(receiver.url)
    receiver.verifyWith(secret)
    const id = await given(plain, 'batteries', 'RECALLED', true)
    await expect.poll(() => receiver.received.filter(({ text }) => text.includes(id)).length).toBeGreaterThanOrEqual(2)
    for (const { text, body } of receiver.received) {
      assertNoLeak(text, 'anonymous', 'batteries', body.type)
    }
  })
})
