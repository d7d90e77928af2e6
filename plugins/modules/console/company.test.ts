import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { WebhookEvent } from '../../../src/domain/webhooks.ts'
import { ROOT } from '../../../src/root.ts'
import { ConsoleBrowser, signIn } from '../../../test/support/console-client.ts'
import { createWorkspace, newGln, newGtin } from '../../../test/support/gateway.ts'
import { nextNumber } from '../../../test/support/numbers.ts'
import { battery } from '../../../test/support/passport-client.ts'
import { givenDelivery, inDays } from '../../../test/support/sample-calls.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'
import { startReceiver } from '../../../test/support/webhook-receiver.ts'

const { gateway, workspace, passports } = await useGateway({ CONSOLE: 'on' })
const owner = await signIn(gateway, workspace.id, 'owner', { email: 'olga@maker.example' })
const [{ person_id: personId } = { person_id: '' }] = await gateway.sqlAs<{ person_id: string }>(
  workspace.id,
  'select person_id from console_membership',
)
/** The last entry of a write; entries of reads are written later. */
const lastAudit = async () => {
  const { body } = await gateway.request('GET', '/api/v1/audit/log?limit=50', { headers: workspace.as })
  const writes = (body.entries as { action: string }[]).filter(({ action }) => !/[.](read|listed)$/.test(action))
  return writes[0]
}
const fieldValue = (html: string, id: string) => new RegExp(`id="${id}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? ''

describe('people', () => {
  test('an owner invites a person, changes the role and removes the person', async () => {
    await owner.open('/console/people/new')
    const wrong = await owner.submit('/people/new', { name: '', email: '', role: 'editor' })
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('There are 2 problems')
    expect(wrong.text).toMatch(
      /<input type="email" id="f-email" name="email" required aria-describedby="f-email-error" aria-invalid="true"/,
    )
    await owner.open('/console/people/new')
    const { text } = await owner.submit('/people/new', { name: 'Emil', email: 'Emil@maker.example', role: 'editor' })
    const path = new URL(fieldValue(text, 'f-address')).pathname
    expect(await lastAudit()).toMatchObject({ action: 'person.invited', actor: `person:${personId}` })
    const emil = new ConsoleBrowser(gateway)
    await emil.open(path)
    await emil.submit(path)
    expect((await emil.open('/console/me')).text).toContain('emil@maker.example')
    const people = await owner.open('/console/people')
    const id = /people\/([0-9a-f-]{36})">Emil/.exec(people.text)?.[1] ?? ''
    await owner.open(`/console/people/${id}`)
    await owner.submit(id, { role: 'reader', operator: '' })
    expect((await emil.open('/console/me')).text).toContain('Reader')
    await owner.open(`/console/people/${id}/rights`)
    await owner.submit('/rights', { 'passport:read': 'on', 'operator:read': 'on' })
    expect((await emil.send('GET', '/console/audit')).status).toBe(403)
    expect((await emil.send('GET', '/console/company')).status).toBe(200)
    await owner.open(`/console/people/${id}`)
    await owner.submit(id, { role: 'reader', operator: '' })
    expect((await emil.send('GET', '/console/audit')).status).toBe(403)
    await owner.open(`/console/people/${id}/remove`)
    await owner.submit(`${id}/remove`)
    expect(await lastAudit()).toMatchObject({ action: 'person.removed', subject: id })
    expect((await emil.send('GET', '/console/me')).status).toBe(303)
    expect(await gateway.sql('select name from console_person where id = $1', [id])).toEqual([])
  })

  test('a person of two workspaces is removed from one only', async () => {
    const other = await createWorkspace(gateway)
    const email = `both-${crypto.randomUUID()}@maker.example`
    const there = await signIn(gateway, other.id, 'reader', { email })
    await signIn(gateway, workspace.id, 'reader', { email })
    const people = await owner.open('/console/people')
    const id =
      new RegExp(`people/([0-9a-f-]{36})">[^<]*</a><br><span class="soft">${email}`).exec(people.text)?.[1] ?? ''
    await owner.open(`/console/people/${id}/remove`)
    expect((await owner.submit(`${id}/remove`)).text).not.toContain(email)
    expect((await there.open('/console/me')).text).toContain(email)
  })

  test('the last owner stays', async () => {
    await owner.open(`/console/people/${personId}`)
    const answer = await owner.submit(personId, { role: 'reader', operator: '' })
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('the only owner')])
    await owner.open(`/console/people/${personId}/remove`)
    expect((await owner.submit('/remove')).status).toBe(409)
  })

  test('an owner with limits decides about no member', async () => {
    const limited = await signIn(gateway, workspace.id, 'owner', {
      permissions: ['people:read', 'people:write', 'key:write', 'operator:read'],
    })
    await limited.open('/console/people/new')
    const answer = await limited.submit('/people/new', { name: 'Eve', email: 'eve@maker.example', role: 'owner' })
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('Only an owner without limits')])
    await limited.open(`/console/people/${personId}`)
    expect((await limited.submit(personId, { role: 'reader', operator: '' })).status).toBe(403)
  })

  test('a withdrawn invitation does not open', async () => {
    await owner.open('/console/people/new')
    const { text } = await owner.submit('/people/new', { name: 'Zoe', email: 'zoe@maker.example', role: 'reader' })
    const path = new URL(fieldValue(text, 'f-address')).pathname
    await owner.open('/console/people')
    await owner.submit('/uninvite')
    expect((await new ConsoleBrowser(gateway).open(path)).status).toBe(404)
  })

  test('sensitive pages ask for a recent sign-in', async () => {
    const late = await signIn(gateway, workspace.id, 'owner')
    await gateway.sqlAs(workspace.id, `update console_session set authenticated_at = now() - interval '11 minutes'`)
    for (const path of ['people/new', `people/${personId}`, 'keys/new', 'passkeys']) {
      const { status, headers } = await late.send('GET', `/console/${path}`)
      expect([status, headers.location]).toEqual([
        303,
        `/console/confirm?next=${encodeURIComponent(`/console/${path}`)}`,
      ])
    }
    const csrf = /name="csrf" value="([^"]+)"/.exec((await late.open('/console')).text)?.[1] ?? ''
    await gateway.sqlAs(workspace.id, `update console_session set authenticated_at = now() - interval '31 minutes'`)
    const sent = await late.post('/console/keys/new', { csrf, name: 'x', role: 'AUDITOR' })
    expect([sent.status, sent.text]).toEqual([403, expect.stringContaining('This page needs a recent sign-in.')])
    expect(sent.text).toContain('href="/console/confirm?next=%2Fconsole%2Fkeys%2Fnew" target="_blank"')
    await gateway.sqlAs(workspace.id, `update console_session set authenticated_at = now()`)
    late.page = sent
    const again = await late.submit('/keys/new')
    expect(fieldValue(again.text, 'f-key')).toMatch(/^dpp_key_/)
  })
})

describe('access requests', () => {
  const ask = async () => {
    const { id } = await passports.given({ productId: newGtin(), metadata: battery() })
    await gateway.request('POST', `/request-access?passport=${id}`, {
      form: { granteeName: 'Ada', granteeEmail: 'ada@repair.example', purpose: 'Repair of\nbatteries' },
    })
    const [grant] = await gateway.sqlAs<{ id: string }>(
      workspace.id,
      'select id from access_grant where passport_id = $1',
      [id],
    )
    return { id, grantId: grant?.id ?? '' }
  }

  test('home counts them; approve, renew and revoke', async () => {
    const { id, grantId } = await ask()
    expect((await owner.open('/console')).text).toMatch(/request(s)? for access wait/)
    expect((await owner.open('/console/access')).text).toContain('Ada')
    await owner.open(`/console/access/${grantId}`)
    const past = await owner.submit('/approve', { expiresAt: '2020-01-01' })
    expect([past.status, past.text]).toEqual([400, expect.stringContaining('Choose a day from today on')])
    expect(past.text).toContain('This gateway sends no e-mail: inform the person yourself.')
    const approved = await owner.submit('/approve', { expiresAt: inDays(30).slice(0, 10) })
    const [grant] = await gateway.sqlAs<{ until: string }>(
      workspace.id,
      `select to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as until from access_grant where id = $1`,
      [grantId],
    )
    expect(grant?.until).toBe(`${inDays(30).slice(0, 10)} 23:59:59`)
    expect(approved.text).toContain('data-copy="Copy"')
    expect(await lastAudit()).toMatchObject({ action: 'grant.approved', actor: `person:${personId}`, subject: grantId })
    const url = new URL(fieldValue(approved.text, 'f-url'))
    const opened = await gateway.request('GET', `${url.pathname}${url.search}`)
    expect(opened.headers['x-access-tier']).toBe('restricted')
    await owner.open(`/console/access/${grantId}`)
    expect((await owner.submit('/renew', { expiresAt: inDays(60).slice(0, 10) })).text).toContain(
      'The end was changed.',
    )
    await owner.open(`/console/access/${grantId}/revoke`)
    expect(owner.page?.text).toContain('Access for Ada. The link stops working immediately.')
    await owner.submit('/revoke')
    expect((await gateway.request('GET', `/passport/${id}${url.search}`)).headers['x-access-tier']).toBe('public')
  })

  test('deny', async () => {
    const { grantId } = await ask()
    await owner.open(`/console/access/${grantId}`)
    expect((await owner.submit('/deny')).text).toContain('The request was denied.')
    expect((await owner.open('/console/access?state=ENDED')).text).toContain(grantId)
  })
})

describe('company', () => {
  test('an operator with its contact', async () => {
    await owner.open('/console/operators/new')
    const wrong = await owner.submit('/new', {
      name: 'Acme',
      regId: 'EORI-MOCK1',
      regIdScheme: 'OTHER',
      role: 'IMPORTER',
    })
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('Check “Registration number”.')])
    expect(wrong.text).toContain('value="Acme"')
    const regId = `HRB ${nextNumber()}`
    const made = await owner.submit('/new', {
      name: 'Acme',
      regId,
      regIdScheme: 'NATIONAL',
      role: 'IMPORTER',
      'contact.email': 'info@acme.example',
    })
    expect(made.text).toContain('info@acme.example')
    expect(await lastAudit()).toMatchObject({ action: 'operator.created', actor: `person:${personId}` })
    await owner.submit(/operators\/([0-9a-f-]{36})/.exec(made.text)?.[1] ?? '', {
      name: 'Acme 2',
      role: 'IMPORTER',
      'contact.phone': 'x',
    })
    expect(owner.page?.text).toContain('<a href="#f-contact.phone">Enter a telephone number')
  })

  test('errors name the fields of the page, in the language of the reader', async () => {
    const german = await signIn(gateway, workspace.id, 'owner')
    const sent = async (path: string, form: Record<string, string>) => {
      await german.open(`/console/${path}?lang=de`)
      return german.submit(`/${path}`, form)
    }
    german.setCookie('__Host-dpp_console_lang', 'de')
    const operator = { name: 'Acme', regIdScheme: 'EORI', role: 'IMPORTER' }
    const texts = [
      (await sent('operators/new', { ...operator, name: '', regId: '' })).text,
      (await sent('operators/new', { ...operator, regId: 'x' })).text,
      (await sent('facilities/new', { gln: '1', name: '', country: '' })).text,
      (await sent('webhooks/new', { url: 'http://169.254.169.254/', 'passport.updated': 'on' })).text,
      (await sent('passports/new', { category: 'batteries', product: '09506000134353' })).text,
      (await sent('passports/new', { category: 'batteries', product: 'x'.repeat(300) })).text,
    ].map((text) => [...text.matchAll(/<a href="#(f-[^"]+)">([^<]+)</g)].map(([, id, message]) => `${id} ${message}`))
    expect(texts).toEqual([
      ['f-name „Rechtlicher Name“ fehlt.', 'f-regId „Registernummer“ fehlt.'],
      ['f-regId Prüfen Sie die Nummer. Beispiel für EORI: DE123456789012345'],
      [
        'f-name „Name“ fehlt.',
        'f-country „Land“ fehlt.',
        'f-gln Eine GLN hat 13 Ziffern, die letzte davon ist eine gültige Prüfziffer.',
      ],
      ['f-url Die Adresse muss mit https beginnen und aus dem Internet erreichbar sein.'],
      ['f-product Die Nummer hat 14 Ziffern, aber ihre Prüfziffer ist falsch. Meinen Sie 09506000134352?'],
      ['f-product „Produktkennung“ hat mehr als 200 Zeichen.'],
    ])
  })

  test('a facility, with the rules of the API', async () => {
    await owner.open('/console/facilities/new')
    const wrong = await owner.submit('/new', { gln: '4000000000001', name: 'Plant', country: 'DE' })
    expect(wrong.text).toContain('A GLN has 13 digits, the last of them a valid check digit.')
    const gln = newGln()
    expect((await owner.submit('/new', { gln, name: 'Plant', country: 'DE', city: 'Kiel' })).text).toContain(gln)
    await owner.open('/console/facilities/new')
    const taken = await owner.submit('/new', { gln, name: 'Plant 2', country: 'DE' })
    expect([taken.status, fieldValue(taken.text, 'f-name')]).toEqual([409, 'Plant 2'])
    expect(taken.text).toContain('<a href="#f-gln">A facility with this GLN is already registered.</a>')
  })

  test('a key is shown once, narrowed and revoked', async () => {
    await owner.open('/console/keys/new')
    const expires = inDays(30).slice(0, 10)
    const { text } = await owner.submit('/new', { name: 'Shop <1>', role: 'BRAND_OPERATOR', expires })
    const key = fieldValue(text, 'f-key')
    const headers = { authorization: `Bearer ${key}` }
    const id = key.split('_')[2] ?? ''
    expect(await lastAudit()).toMatchObject({
      ...{ action: 'key.created', actor: `person:${personId}`, subject: id },
      detail: { expiresAt: `${expires}T23:59:59.000Z` },
    })
    const list = await owner.open('/console/keys')
    expect(list.text).toContain('Shop &lt;1&gt;')
    expect(list.text).not.toContain(key)
    expect((await owner.open(`/console/keys/${id}`)).text).toContain('Access requests: Change')
    await owner.submit(id, { 'passport:read': 'on', 'key:read': 'on' })
    const who = await gateway.request('GET', '/api/v1/whoami', { headers })
    expect(who.body.auth.permissions).toEqual(['passport:read'])
    await owner.open(`/console/keys/${id}`)
    expect((await owner.submit(id, {})).status).toBe(400)
    await owner.open(`/console/keys/${id}`)
    await owner.open(`/console/keys/${id}/revoke`)
    await owner.submit('/revoke')
    expect((await gateway.request('GET', '/api/v1/whoami', { headers })).status).toBe(401)
  })

  test('a webhook is added, tested, disabled and removed', async () => {
    const receiver = await startReceiver()
    await owner.open('/console/webhooks/new')
    expect((await owner.submit('/new', { url: receiver.url })).text).toContain('“Events” is missing.')
    const made = await owner.submit('/new', { url: receiver.url, 'passport.sealed': 'on' })
    expect(fieldValue(made.text, 'f-secret')).toMatch(/^whsec_/)
    expect(made.text).not.toContain('signs for 24 hours')
    await owner.open('/console/webhooks')
    expect(owner.page?.text).toContain('A passport was sealed')
    expect((await owner.submit('/test')).text).toContain('The receiver answered.')
    await owner.open('/console/webhooks')
    expect((await owner.submit('/rotate')).text).toContain('The previous one signs for 24 hours more.')
    await owner.open('/console/webhooks')
    expect((await owner.submit('/switch')).text).toContain('Switch on')
    await owner.submit('/remove')
    expect((await owner.open('/console/webhooks')).text).toContain('No webhook yet')
    await receiver.close()
  })

  test('every event has a name', () => {
    const events: Readonly<Record<WebhookEvent, true>> = {
      ...{ 'passport.ingested': true, 'passport.updated': true, 'passport.sealed': true, 'passport.recalled': true },
      ...{ 'passport.status_updated': true, 'access.requested': true, 'access.decided': true },
    }
    const { event } = JSON.parse(readFileSync(join(ROOT, 'plugins/modules/console/locales/en.json'), 'utf8'))
    for (const [kind = '', name = ''] of Object.keys(events).map((one) => one.split('.'))) {
      expect(event[kind][name], name).toBeTypeOf('string')
    }
  })

  test('a delivery that is sent again later says when, and a finished one its event', async () => {
    const { deliveryId } = await givenDelivery(gateway, workspace.id)
    expect((await owner.open('/console/webhooks?status=FAILED')).text).toMatch(/<th scope="row">A passport was /)
    await gateway.sqlAs(
      workspace.id,
      `update webhook_delivery set status = 'PENDING', last_attempt_at = now(), next_attempt_at = '2030-01-02T03:04:00Z' where id = $1`,
      [deliveryId],
    )
    const { text } = await owner.open('/console/webhooks?status=PENDING')
    expect(text).toContain('Not accepted yet</span><br>Sent again on 2 Jan 2030, 03:04 UTC')
  })

  test('the audit log has names, filters and an export', async () => {
    const page = await owner.open('/console/audit?action=key.created')
    expect(page.text).toContain('Person owner')
    expect(page.text).toMatch(/Key created<br><code class="soft">key.created</)
    expect(page.text).toMatch(/<a href="\/console\/keys\/\w+">Shop &lt;1&gt;<\/a>/)
    expect(page.text).not.toContain('class="soft">grant.approved')
    const operators = await owner.open('/console/audit?action=operator.created')
    expect(operators.text).toMatch(/<a href="\/console\/operators\/[0-9a-f-]{36}">Acme/)
    const file = await owner.send('GET', '/console/audit/export?action=key.created')
    expect(file.headers['content-disposition']).toBe('attachment; filename="audit-log.csv"')
    expect(file.text.split('\r\n')[0]).toBe('sequence,at,action,subject,actor,detail,hash,person')
    expect(file.text).toContain(`person:${personId}`)
    expect(file.text).toContain('Person owner')
    expect((await owner.open('/console/audit?from=x')).status).toBe(400)
  })

  test('a second page lists changes of passports with person, product and time', async () => {
    const { id, productId } = await passports.given({ productId: newGtin(), metadata: battery() })
    await passports.seal(id)
    await owner.open(`/console/passports/${id}/status`)
    await owner.submit('/status', { status: 'DECOMMISSIONED', reason: 'Sold out' })
    const { text } = await owner.open('/console/audit/passports')
    const rows = [...text.matchAll(/<tr>(.*?)<\/tr>/gs)]
      .map(([, row = '']) => row.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' '))
      .filter((row) => row.includes(productId))
    expect(rows).toEqual([
      expect.stringMatching(/UTC .* Changed Version 2 Published → Decommissioned Person owner $/),
      expect.stringMatching(/Sealed Version 1 – $/),
      expect.stringMatching(/Created Version 1 – $/),
    ])
    const limited = await signIn(gateway, workspace.id, 'reader', { operatorId: workspace.operatorId })
    expect((await limited.open('/console/audit/passports')).text).toContain(productId)
    const other = await createWorkspace(gateway)
    const stranger = await signIn(gateway, other.id, 'reader')
    expect((await stranger.open('/console/audit/passports')).text).not.toContain(productId)
  })

  test('plan and usage', async () => {
    expect((await owner.open('/console/billing')).text).toContain('enterprise')
  })

  test('a lapsed plan and a missing second factor only read', async () => {
    const { workspaces } = gateway.container.cradle
    const csrf = /name="csrf" value="([^"]+)"/.exec((await owner.open('/console')).text)?.[1] ?? ''
    await workspaces.set(workspace.id, { subscription: 'lapsed' })
    expect((await owner.post('/console/keys/new', { csrf, name: 'x', role: 'AUDITOR' })).status).toBe(402)
    await workspaces.set(workspace.id, { subscription: 'active', requireMfa: true })
    const refused = await owner.post('/console/keys/new', { csrf, name: 'x', role: 'AUDITOR' })
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('requires a passkey')])
    expect((await owner.open('/console/keys')).status).toBe(200)
    await workspaces.set(workspace.id, { requireMfa: false })
  })
})
