import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import untp from '../../plugins/representations/untp/index.ts'
import { UNTP_PROFILES } from '../../plugins/representations/untp/untp.ts'
import type { Audience, PassportView, SignedRepresentation, UnitView } from '../../src/plugin/index.ts'
import passportViews from '../../src/renditions/passport-views.ts'
import { verify } from '../../src/verify/index.ts'
import { descriptions, plugins } from '../support/categories.ts'
import { CONTEXTS } from '../support/contexts.ts'
import { FORMS, forged, type IssuingGateway, METADATA, partOf, startIssuingGateway } from '../support/credentials.ts'
import { credo } from '../support/credo.ts'
import { didJwt } from '../support/did-jwt.ts'
import { digitalBazaar } from '../support/digital-bazaar.ts'
import { BASE_URL } from '../support/gateway.ts'
import { passport } from '../support/passport-row.ts'
import { sdJwtVerifiers } from '../support/sd-jwt.ts'
import { unitOf } from '../support/unit-views.ts'

const CLEAR = 131_000

let issuing: IssuingGateway
beforeAll(async () => {
  issuing = await startIssuingGateway()
})
afterAll(() => issuing.gateway.close())

const views = passportViews({ config: { baseUrl: BASE_URL } as never, plugins })
const modelFor = (audience: Audience): PassportView => views.view(passport({ ...METADATA.batteries }), audience)

/** Issues a unit credential as the gateway's workspace, in the first format with the media type. */
async function issued(
  unit: UnitView,
  mediaType: string,
  { profile = UNTP_PROFILES[0] as string, place = CLEAR } = {},
): Promise<string> {
  const plugin = untp.find(({ mediaTypes }) => mediaTypes[0] === mediaType) as SignedRepresentation
  const issuer = await issuing.gateway.container.cradle.issuers.current(issuing.workspace.id)
  if (issuer === undefined || plugin.renderUnit === undefined) throw new Error('There is nobody to issue it.')
  const { body } = await plugin.renderUnit(unit, {
    lang: 'en',
    translate: (key) => key,
    mediaTypes: [],
    modules: new Set(),
    describe: (category) => descriptions.of(category, 'en'),
    profile,
    signing: { issuer, statusPlace: async () => ({ list: 0, index: place }) },
  })
  return body.toString()
}

/** Result of every verifier; one that throws rejects. */
const VERIFIERS: Readonly<Record<string, (text: string) => Promise<Record<string, boolean>>>> = {
  [FORMS.jwt]: async (text) => ({
    didJwt: await didJwt(issuing, text).catch(() => false),
    credo: (await credo(issuing).verifyJwt(text)).isValid,
    ours: await isValid(text),
  }),
  [FORMS.dataIntegrity]: async (text) => ({
    digitalBazaar: await digitalBazaar(issuing).verify(JSON.parse(text)),
    ours: await isValid(text),
  }),
  [FORMS.sdJwt]: async (text) => ({
    reference: await sdJwtVerifiers(issuing).reference(text).then(accepted, refused),
    secondOpinion: await sdJwtVerifiers(issuing).secondOpinion(text).then(accepted, refused),
    ours: await isValid(text),
  }),
}
const accepted = () => true
const refused = () => false
const isValid = async (text: string) =>
  (await verify(text, { documents: issuing.documents, contexts: CONTEXTS, now: new Date() })).valid
const verdict = async (mediaType: string, text: string) => {
  const verdicts = await VERIFIERS[mediaType]?.(text)
  return [...new Set(Object.values(verdicts ?? {}))].length === 1 ? Object.values(verdicts ?? {})[0] : verdicts
}

const tampered: Readonly<Record<string, (text: string) => string>> = {
  [FORMS.jwt]: (text) => forged(text, { payload: { name: 'Another' } }),
  [FORMS.dataIntegrity]: (text) => JSON.stringify({ ...JSON.parse(text), name: 'Another' }),
  [FORMS.sdJwt]: (text) => {
    const [jwt = '', ...disclosures] = text.split('~')
    return [forged(jwt, { payload: { name: 'Another' } }), ...disclosures].join('~')
  },
}

const cases = Object.values(FORMS).flatMap((form) => UNTP_PROFILES.map((profile) => ({ form, profile })))

describe.each(cases)('a unit as $form of $profile', ({ form, profile }) => {
  test('is accepted by every verifier of the form, and refused by all when it was tampered with', async () => {
    const text = await issued(unitOf(modelFor('public')), form, { profile })
    expect(await verdict(form, text)).toBe(true)
    expect(await verdict(form, tampered[form]?.(text) ?? '')).toBe(false)
  })

  test('names the place of the unit in the status lists, whose bit takes it back', async () => {
    const passportId = await issuing.given(METADATA.batteries ?? {})
    const { credentialStatus } = partOf(await issuing.credential(passportId, FORMS.jwt), 1)
    expect((await issuing.passports.setStatus(passportId, 'RECALLED')).status).toBe(200)
    const place = Number(credentialStatus.statusListIndex)
    const text = await issued(unitOf(modelFor('public')), form, { profile, place })
    expect(await isValid(text)).toBe(false)
    if (form === FORMS.dataIntegrity) expect(await digitalBazaar(issuing).verify(JSON.parse(text))).toBe(false)
    if (form === FORMS.sdJwt) await expect(sdJwtVerifiers(issuing).reference(text)).rejects.toThrow()
  })
})

test.each(cases)('$form of $profile omits measurements for every reader', async ({ form, profile }) => {
  const text = await issued(unitOf(modelFor('owner')), form, { profile })
  const plain = text
    .split(/[.~]/)
    .map((part) => `${part}\n${Buffer.from(part, 'base64url')}`)
    .join('\n')
  expect(plain).toContain('typePassportCredential')
  for (const value of ['stateOfHealth', 'cycleCount', '97.5']) expect(plain).not.toContain(value)
})
