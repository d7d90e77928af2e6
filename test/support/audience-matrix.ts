import { expect } from 'vitest'
import type { UnitStatus } from '../../src/domain/unit.ts'
import { COMMON_SCHEMA } from '../../src/plugin/common-schema.ts'
import { unzip } from './aasx-reader.ts'
import { PUBLIC_CACHING } from './answer-rules.ts'
import { textOf } from './code-readers.ts'
import type { Answer } from './contract-client.ts'
import { BASE_URL, bearer, createWorkspace, newGln, type TestWorkspace } from './gateway.ts'
import { passportClient } from './passport-client.ts'
import { referenceTool } from './reference-tools.ts'
import { inDays } from './sample-calls.ts'
import { unitClient } from './unit-client.ts'
import { useGateway } from './use-gateway.ts'

// Every key × audience × representation × category × status, of passports and units. Representations and categories
// come from the loaded plugins; a new key for an audience has to be entered here.

type ReaderName = 'anonymous' | 'legitimateInterest' | 'authority' | 'strictAuthority' | 'owner'

const EVERY_TOKEN = ['legitimateInterest', 'authority', 'strictAuthority', 'owner'] as const
const AUTHORITIES = ['authority', 'strictAuthority', 'owner'] as const
/** An authority reads the keys for legitimate interest, unless its workspace keeps audiences strictly apart. */
export const INTERESTED = ['legitimateInterest', 'authority', 'owner'] as const

/** A searchable value. */
export const canary = (key: string) => `canary-${key}`
const report = (key: string, more: object = {}) => ({
  documentType: 'technicalDocumentation',
  language: 'en',
  title: canary(key),
  mediaType: 'application/pdf',
  sha256: '0'.repeat(64),
  url: `https://documents.example/${canary(key)}.pdf`,
  ...more,
})

/** Readers of each key of batteries that is not public, and a searchable value. */
export const KEYS: Readonly<Record<string, { readonly sees: readonly ReaderName[]; readonly value: unknown }>> = {
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
/** Trade secrets of construction products (Regulation (EU) 2024/3110). */
export const CONSTRUCTION_KEYS: typeof KEYS = {
  confidentialComposition: { sees: AUTHORITIES, value: [{ material: canary('confidentialComposition') }] },
  confidentialCalculations: { sees: AUTHORITIES, value: canary('confidentialCalculations') },
}
/** Restricted keys that every category may have. */
export const COMMON_KEYS: typeof KEYS = {
  restrictedDocuments: { sees: EVERY_TOKEN, value: [report('restrictedDocuments')] },
  complianceDocuments: { sees: AUTHORITIES, value: [report('complianceDocuments')] },
}
/** Only the owner sees the address of a facility. */
const STREET = 'street'

export const STATUSES = ['ACTIVE', 'RECALLED', 'DECOMMISSIONED', 'DRAFT'] as const
type Status = (typeof STATUSES)[number]
/** Replaces a masked value. */
export const PLACEHOLDER = '[REDACTED - Privileged Access Required]'

export const propertiesOf = (schema: unknown) =>
  (schema as { properties?: Record<string, object> } | undefined)?.properties ?? {}
export const namesAudience = (property: object) => 'x-audience' in property
/** Common keys with an audience. */
export const commonKeys = Object.entries(propertiesOf(COMMON_SCHEMA)).flatMap(([key, property]) =>
  namesAudience(property) ? [key] : [],
)

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
/** Metadata with a value for each restricted key. */
export const metadataOf = (category: string, more: object = {}) => ({
  category,
  originCountry: 'DE',
  ...Object.fromEntries(Object.entries(keysOf(category)).map(([key, { value }]) => [key, value])),
  ...more,
})

export const atOnce = <T, Result>(over: readonly T[], work: (one: T) => Promise<Result>) => Promise.all(over.map(work))

/** Removes word-break opportunities. */
export const inPlain = (text: string) => text.replaceAll('\u00ad', '').replaceAll('<wbr>', '')
const poppler = referenceTool('pdftotext')

/** Content of a response, including base64url parts of signed forms and packed containers. */
export async function contentOf({ text: sent, bytes, rawHeaders }: Answer): Promise<string> {
  const isPacked = sent.startsWith('PK')
  const text = isPacked ? [...(await unzip(bytes)).entries()].join('\n') : sent
  if (isPacked) expect(text).toContain('originCountry')
  if (sent.startsWith('%PDF')) return poppler === undefined ? '' : inPlain(textOf(bytes))
  const parts = [text, ...text.split(/[.~"\s]/)]
    .filter((part) => part.length > 12)
    .map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? Buffer.from(part, 'base64url').toString('utf8') : part))
  return inPlain([text, ...parts, ...rawHeaders].join('\n'))
}

/** Checks that a response contains only values that the reader may see. */
export function assertNoLeak(content: string, reader: ReaderName, category: string, at: string): void {
  const seen = seenBy(reader, category)
  for (const key of [...Object.keys({ ...KEYS, ...CONSTRUCTION_KEYS, ...COMMON_KEYS }), STREET]) {
    if (!seen.includes(key)) expect(content, at).not.toContain(canary(key))
  }
}

/** Checks that a whole document contains every value that the reader may see. */
export function assertWhole(content: string, reader: ReaderName, category: string, at: string): void {
  for (const key of seenBy(reader, category)) expect(content, at).toContain(canary(key))
}

/** A searchable measurement. */
export const HEALTH = 91.734
export const MEASURED = [String(HEALTH), 'canary-payload']

/** A workspace with a facility and readers of each kind. */
export interface World {
  readonly workspace: TestWorkspace
  readonly facilityId: string
  readonly passports: ReturnType<typeof passportClient>
  readonly units: ReturnType<typeof unitClient>
  readonly readers: Readonly<Record<'anonymous' | 'legitimateInterest' | 'authority' | 'owner', Record<string, string>>>
}

/** Starts a gateway with a default and a strict workspace. */
export async function useAudienceMatrix() {
  const { gateway } = await useGateway()
  const { plugins, workspaces, grants } = gateway.container.cradle
  const keepApart = ({ workspace }: World, isStrict: boolean) =>
    workspaces.set(workspace.id, { strictAudiences: isStrict })
  const [plain, strict] = [await world(), await world()]
  await keepApart(strict, true)

  async function world(): Promise<World> {
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
    const { token } = await grants.issueAuthority({
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

  /** Credentials of each reader, in the default workspace, or in a strict one if the result differs there. */
  const readersIn = (of: World): [ReaderName, Record<string, string>][] =>
    of === strict
      ? [
          ['legitimateInterest', of.readers.legitimateInterest],
          ['strictAuthority', of.readers.authority],
        ]
      : (Object.entries(of.readers) as [ReaderName, Record<string, string>][])

  /** A passport of this category and status, with a value for each restricted key. */
  async function given(
    { passports, facilityId }: World,
    category: string,
    status: Status,
    isSealed: boolean,
  ): Promise<string> {
    const { id } = await passports.given({ metadata: metadataOf(category), facilityId, draft: status === 'DRAFT' })
    if (isSealed) expect((await passports.seal(id)).status).toBe(200)
    if (status === 'RECALLED' || status === 'DECOMMISSIONED') await passports.setStatus(id, status)
    return id
  }

  /** A measured unit of a battery of this status. */
  async function givenUnit(of: World, passportStatus: Status, status: UnitStatus): Promise<string> {
    const passportId = await given(of, 'batteries', passportStatus, false)
    const { id } = await of.units.given(passportId, { status })
    await of.units.measure(id, HEALTH, '2026-01-01T00:00:00.000Z', { note: 'canary-payload' })
    return id
  }

  /** Categories with, or without, own restricted keys. */
  const categoriesWith = (areOwn: boolean) =>
    [...plugins.categories.keys()].filter((category) => ['batteries', 'construction'].includes(category) === areOwn)

  /**
   * PDF takes longest: active passports with own keys are rendered for every reader, others for one reader each, in
   * turn.
   */
  const isLeftOut = (mediaType: string, place: number, reader: ReaderName) =>
    mediaType === 'application/pdf' && Object.keys(plain.readers)[place % 4] !== reader

  /** Checks both forms of EN 18223. @param name `passport`, `unit` or `batch`, and an id */
  async function expectFormsToShowOnly(
    name: string,
    reader: ReaderName,
    headers: Record<string, string>,
    category: string,
  ) {
    await atOnce(['compressed', 'full'], async (form) => {
      const at = `${name} ${reader} ${form}`
      const path = `/v1/dpps/${encodeURIComponent(`${BASE_URL}/${name}`)}?representation=${form}`
      const { status, text } = await gateway.request('GET', path, { headers })
      assertNoLeak(text, reader, category, at)
      if (status === 200) assertWhole(text, reader, category, at)
      else expect([at, status]).toEqual([at, 404])
      expect(text, at).not.toContain(PLACEHOLDER)
      const seesMeasured = INTERESTED.some((one) => one === reader)
      if (!seesMeasured) for (const measured of MEASURED) expect(text, at).not.toContain(measured)
      else if (status === 200 && name.startsWith('unit'))
        for (const measured of MEASURED) expect(text, at).toContain(measured)
    })
  }

  /** Checks every representation of passports of this status for each reader, in {@link categoriesWith}. */
  async function expectEachToSeeItsOwn(status: Status, areOwn: boolean): Promise<void> {
    expect(plugins.categories.size).toBeGreaterThanOrEqual(9)
    let place = 0
    for (const of of areOwn ? [plain, strict] : [plain]) {
      for (const category of of === strict ? ['batteries'] : categoriesWith(areOwn)) {
        for (const isSealed of category === 'batteries' && status !== 'DRAFT' ? [false, true] : [false]) {
          const id = await given(of, category, status, isSealed)
          const hasAll = status === 'ACTIVE' && !isSealed && areOwn
          place += 1
          for (const [reader, headers] of readersIn(of)) {
            await atOnce(plugins.representations, async ({ name, mediaTypes }) => {
              if (!hasAll && isLeftOut(mediaTypes[0], place, reader)) return
              const at = `${category} ${status} ${isSealed ? 'sealed ' : ''}${reader} ${name}`
              const answer = await gateway.request('GET', `/passport/${id}`, {
                headers: { ...headers, accept: mediaTypes[0] },
              })
              const content = await contentOf(answer)
              assertNoLeak(content, reader, category, at)
              if (status === 'DRAFT' && reader !== 'owner') {
                expect([at, answer.status]).toEqual([at, 404])
                return
              }
              expect([200, 406], at).toContain(answer.status)
              if (answer.status !== 200) return
              expect(answer.headers['content-type'], at).toContain(mediaTypes[0])
              expect(answer.headers['cache-control'], at).toBe(
                reader === 'anonymous' ? PUBLIC_CACHING : 'private, no-store',
              )
              expect(answer.headers.vary, at).toMatch(/Authorization/)
              if (/^json(ld)?$/.test(name) || (name === 'sd-jwt-vc' && reader !== 'owner')) {
                assertWhole(content, reader, category, at)
              }
              if (/vc|dc|jwt/.test(mediaTypes[0])) expect(content, at).not.toContain(PLACEHOLDER)
            })
            await expectFormsToShowOnly(`passport/${id}`, reader, headers, category)
          }
        }
      }
    }
  }

  return {
    ...{ gateway, plain, strict, keepApart, world, readersIn, given, givenUnit },
    ...{ expectEachToSeeItsOwn, expectFormsToShowOnly },
  }
}
