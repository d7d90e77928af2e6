import { describe, expect, test } from 'vitest'
import { newGtin, textile } from '../support/gateway.ts'
import { expectStatus } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()

const operators = (method: string, path = '', json?: unknown) =>
  gateway.request(method, `/api/v1/operators${path}`, { headers: workspace.as, json })
const resolved = async (id: string) => (await gateway.request('GET', `/passport/${id}`)).body
const page = async (id: string) =>
  (await gateway.request('GET', `/passport/${id}`, { headers: { accept: 'text/html' } })).text

const CONTACT = {
  address: 'Street 1\n4700-001 Braga',
  email: 'help@maker.example',
  phone: '+351 253 123 456',
  website: 'https://maker.example/help',
}

describe('the contact of an operator', () => {
  const register = async (json: object = {}) =>
    expectStatus(201, await operators('POST', '', { name: 'Maker', regId: `R${newGtin()}`, ...json })).body.operator

  test('is said when it is registered or later, member by member, and shows in its passports', async () => {
    const operator = await register()
    expect(operator).not.toHaveProperty('contact')
    const { id } = await passports.given({ operatorId: operator.id })
    expect((await resolved(id)).economicOperator).not.toHaveProperty('contact')
    const change = async (contact: object) =>
      expectStatus(200, await operators('PATCH', `/${operator.id}`, { contact })).body.operator.contact
    expect(await change({ email: ` ${CONTACT.email} `, phone: CONTACT.phone })).toEqual({
      email: CONTACT.email,
      phone: CONTACT.phone,
    })
    expect((await resolved(id)).economicOperator.contact).toEqual({ email: CONTACT.email, phone: CONTACT.phone })
    expect(await change({ address: CONTACT.address, website: CONTACT.website, phone: null })).toEqual({
      address: CONTACT.address,
      email: CONTACT.email,
      website: CONTACT.website,
    })
    expect((await operators('GET', `/${operator.id}`)).body.operator.contact).toMatchObject({
      website: CONTACT.website,
    })
    expect(await change({ address: '', email: null, website: null })).toBeUndefined()
    expect((await resolved(id)).economicOperator).not.toHaveProperty('contact')
    // Registration with a contact returns it in the first response.
    const { id: operatorId } = await register({ contact: CONTACT })
    const created = await passports.given({ operatorId })
    expect(created.economicOperator.contact).toEqual(CONTACT)
    expect((await resolved(created.id)).economicOperator.contact).toEqual(CONTACT)
  })

  test.each([
    ['email', 'nobody'],
    ['email', 'a@b.example, c@d.example'],
    ['phone', 'call me'],
    ['phone', '12'],
    ['website', 'javascript:alert(1)'],
    ['website', 'https://user@maker.example/'],
    ['address', 'Street\u0007'],
    ['phone', 5],
    ['address', 'x'.repeat(501)],
  ])('refuses %s %s', async (member, value) => {
    const operator = await register()
    const { status, body } = await operators('PATCH', `/${operator.id}`, { contact: { [member]: value } })
    expect([status, body.error]).toEqual([400, 'Bad Request'])
    expect(body.message).toContain('contact')
    expect((await operators('GET', `/${operator.id}`)).body.operator).not.toHaveProperty('contact')
    const refused = await operators('POST', '', { name: 'N', regId: `R${newGtin()}`, contact: { [member]: value } })
    expect([refused.status, refused.body.error]).toEqual([400, 'Bad Request'])
  })

  test('is confirmed by the register of the gateway', async () => {
    const operator = await register({ contact: CONTACT })
    const { id } = await passports.given({ operatorId: operator.id })
    expectStatus(200, await passports.seal(id))
    const verdictOf = async (payload: object) =>
      (await gateway.request('POST', '/api/v1/audit/verify', { json: { payload } })).body
    const document = await resolved(id)
    expect(await verdictOf(document)).toMatchObject({ verdict: 'valid', verified: true })
    const forged = { ...document.economicOperator, contact: { ...CONTACT, phone: '+49 900 1234567' } }
    expect(await verdictOf({ ...document, economicOperator: forged })).toMatchObject({ verdict: 'not valid' })
  })
})

describe('a recall', () => {
  const NOTICE = {
    reason: { en: 'The cell may catch fire.', de: 'Die Zelle kann brennen.' },
    contact: 'recall@maker.example',
    url: 'https://maker.example/recall',
  }

  test('says why, since when and whom to ask, as long as it lasts', async () => {
    const { id } = await passports.given()
    const first = await passports.setStatus(id, 'RECALLED', { recall: NOTICE })
    const { recall } = first.body.passport
    expect(recall).toEqual({ ...NOTICE, at: expect.any(String) })
    expect(recall.at).toBe(first.body.passport.updatedAt)
    expect((await resolved(id)).recall).toEqual(recall)
    const html = await page(id)
    expect(html).toContain('The cell may catch fire.')
    expect(html).toContain('href="mailto:recall@maker.example"')
    // A repeated recall is the same one, and omitted members are kept.
    expect((await passports.setStatus(id, 'RECALLED')).body.passport.recall).toEqual(recall)
    const again = await passports.setStatus(id, 'RECALLED', { recall: { reason: 'Stop using it.', url: null } })
    expect(again.body.passport.recall).toEqual({ ...recall, reason: 'Stop using it.', url: null })
    expect((await passports.setStatus(id, 'ACTIVE')).body.passport).not.toHaveProperty('recall')
    expect(await resolved(id)).not.toHaveProperty('recall')
    expect(await page(id)).not.toContain('Stop using it.')
  })

  test('without a word adds none to the document, and the page has its date', async () => {
    const { id } = await passports.given()
    const { body } = await passports.setStatus(id, 'RECALLED')
    expect(body.passport).not.toHaveProperty('recall')
    expect(await page(id)).toContain(String(new Date().getUTCFullYear()))
  })

  test('is in the history as every move is, and a draft has none', async () => {
    const { id } = await passports.given()
    await passports.setStatus(id, 'RECALLED', { recall: NOTICE })
    await passports.update(id, { metadata: textile(), draft: true })
    const published = await passports.update(id, { metadata: textile() })
    expect(published.body.passport).toMatchObject({ status: 'ACTIVE' })
    expect(published.body.passport).not.toHaveProperty('recall')
  })

  test.each([
    { contact: 'call us' },
    { contact: 'javascript:alert(1)' },
    { url: 'ftp://maker.example' },
    { url: 'https://a:b@maker.example' },
    { reason: '' },
    { reason: { '@id': 'x' } },
    { reason: { en: 5 } },
    { reason: 'x'.repeat(2001) },
    { contact: 'x'.repeat(300) },
  ])('refuses %j', async (recall) => {
    const { id } = await passports.given()
    const { status, body } = await passports.setStatus(id, 'RECALLED', { recall })
    expect([status, body.error]).toEqual([400, 'Bad Request'])
    expect((await resolved(id)).status).toBe('ACTIVE')
  })

  test('a sealed passport that is recalled keeps its seal, and its earlier version does not mention it', async () => {
    const { id } = await passports.given()
    expectStatus(200, await passports.seal(id))
    const before = await resolved(id)
    await passports.setStatus(id, 'RECALLED', { recall: NOTICE })
    const payload = await resolved(id)
    expect(payload.recall.reason).toEqual(NOTICE.reason)
    const { body } = await gateway.request('POST', '/api/v1/audit/verify', { json: { payload } })
    expect(body).toMatchObject({ verdict: 'valid', verified: true })
    await passports.setStatus(id, 'ACTIVE')
    const versions = await Promise.all(
      [1, 2].map(async (version) => (await gateway.request('GET', `/passport/${id}?version=${version}`)).body),
    )
    expect(versions.map(({ recall }) => recall?.reason)).toEqual([undefined, NOTICE.reason])
    expect(versions[0].digitalSeal).toBe(before.digitalSeal)
  })
})
