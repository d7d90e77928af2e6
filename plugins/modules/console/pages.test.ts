import { expect, test } from 'vitest'
import { type ConsoleBrowser, signIn } from '../../../test/support/console-client.ts'
import { errorsIn, filledForm, fillIn, upload } from '../../../test/support/console-forms.ts'
import { newGtin } from '../../../test/support/gateway.ts'
import { battery } from '../../../test/support/passport-client.ts'
import { png } from '../../../test/support/pictures.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway({ CONSOLE: 'on' })
const [owner, reader] = (await Promise.all(['owner', 'reader'].map((role) => signIn(gateway, workspace.id, role)))) as [
  ConsoleBrowser,
  ConsoleBrowser,
]
const send = (method: string, path: string, json?: unknown) =>
  gateway.request(method, path, { headers: workspace.as, json })

test('a change of status needs a reason, which the history and the audit log keep', async () => {
  const { id } = await passports.given()
  await owner.open(`/console/passports/${id}/status`)
  const refused = await fillIn(owner, '/status', { status: 'DECOMMISSIONED', reason: '' })
  expect([refused.status, errorsIn(refused.text)]).toEqual([400, ['Give a reason for the change.']])
  const changed = await fillIn(owner, '/status', { status: 'DECOMMISSIONED', reason: 'Sold out since May' })
  expect(changed.text).toContain('The status is changed.')
  expect((await reader.open(`/console/passports/${id}/history`)).text).toContain('Sold out since May')
  const { body } = await send('GET', `/api/v1/audit/log?subject=${id}&action=passport.status_explained`)
  expect(body.entries).toMatchObject([
    { actor: expect.stringMatching(/^person:/), detail: { reason: 'Sold out since May', version: 2 } },
  ])
})

test('a change that is lost to another one records no reason', async () => {
  const { id } = await passports.given()
  await owner.open(`/console/passports/${id}/status`)
  await send('PUT', `/api/v1/passports/${id}/status`, { status: 'DECOMMISSIONED' })
  const lost = await fillIn(owner, '/status', { status: 'DECOMMISSIONED', reason: 'Too late' })
  expect([409, 412]).toContain(lost.status)
  const { body } = await send('GET', `/api/v1/audit/log?subject=${id}&action=passport.status_explained`)
  expect(body.entries).toEqual([])
})

test('the history shows the value before and after a change', async () => {
  const { id } = await passports.given({ metadata: { category: 'textiles', originCountry: 'PT', brand: 'Rivage' } })
  const metadata = { category: 'textiles', originCountry: 'PT', brand: 'Corrente' }
  await send('PUT', `/api/v1/passports/${id}`, { metadata, changeReason: 'Brand sold' })
  const { text } = await owner.open(`/console/passports/${id}/history`)
  expect(text).toContain('<del>Rivage</del>')
  expect(text).toContain('<ins>Corrente</ins>')
})

test('items are added, and their measurements are drawn over time', async () => {
  const { id } = await passports.given({ metadata: battery() })
  const { text: none } = await owner.open(`/console/passports/${id}/units`)
  expect(none).toContain('No items yet. A single product with its own serial number.')
  const wrong = await fillIn(owner, '/units', { serials: 'A/1' })
  expect([wrong.status, errorsIn(wrong.text).length]).toEqual([400, 1])
  const added = await fillIn(owner, '/units', { serials: 'A-1\nA-2, A-3', made: '2026-01-02', batch: 'L7' })
  expect(added.text).toContain('3 items')
  const [, unit = ''] = /href="(\/console\/units\/[0-9a-f-]{36})"/.exec(added.text) ?? []
  await owner.open(unit)
  expect(owner.page?.text).not.toContain('<polyline')
  await fillIn(owner, unit, { stateOfHealth: '99,5', recordedAt: '2026-02-01' })
  const drawn = await fillIn(owner, unit, { stateOfHealth: '97.5', recordedAt: '2026-03-01' })
  expect(drawn.text).toContain('<polyline points="6,6 594,114"/>')
  const refused = await fillIn(owner, unit, { stateOfHealth: '250' })
  expect([refused.status, errorsIn(refused.text).length]).toEqual([400, 1])
  expect((await reader.open(unit)).text).not.toContain('name="eventType"')
})

test('the columns of a file with other headings are matched, checked and imported without sending it again', async () => {
  await owner.open('/console/imports')
  const bytes = ['Artikel;Marke;Land;Kommentar', 'M-1;Rivage;PT;x', 'M-2;Rivage;Nowhere;y'].join('\r\n')
  const sent = await upload(
    owner,
    '/imports/new',
    { name: 'a.csv', type: 'text/csv', bytes },
    { do: 'check', category: 'textiles' },
  )
  const [, id = ''] = /imports\/([0-9a-f-]{36})/.exec(sent.text) ?? []
  const whenDone = async (path: string) => {
    await expect.poll(async () => (await owner.open(path)).text, { interval: 50 }).not.toContain('data-reload')
    return owner.page?.text ?? ''
  }
  expect(await whenDone(`/console/imports/${id}`)).toContain('The heading productId is missing')
  const match = await owner.open(`/console/imports/${id}/columns`)
  expect(match.text).toContain('M-1 · M-2')
  expect(match.text.length).toBeLessThan(38_000)
  const columns = {
    'column.Artikel': 'productId',
    'column.Marke': 'brand',
    'column.Land': 'originCountry',
    'column.Kommentar': '',
  }
  const { text: kept } = await owner.post(`/console/imports/${id}/columns`, {
    ...columns,
    csrf: 'old',
    'column.Kommentar': 'x',
  })
  expect(filledForm(kept, '/columns').values['column.Kommentar']).toBe('x')
  const checked = await fillIn(owner, '/columns', { ...columns, do: 'check' })
  const [, second = ''] = /imports\/([0-9a-f-]{36})/.exec(checked.text) ?? []
  const found = await whenDone(`/console/imports/${second}`)
  expect(found).toContain('1 row is correct')
  expect(found).toContain('C3: ')
  await fillIn(owner, '/columns', { do: 'publish' })
  await expect
    .poll(async () => (await owner.open('/console/passports?q=M-1')).text, { interval: 50 })
    .toContain('1 passport<')
})

test('selected passports are saved as CSV and as JSON-LD, also by a reader', async () => {
  const [one, two] = [(await passports.given()).id, (await passports.given()).id]
  const { text } = await reader.open('/console/passports')
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const save = (format: string) =>
    reader.post('/console/passports/selected', { csrf, [`id.${one}`]: 'on', [`id.${two}`]: 'on', do: format })
  const csv = await save('csv')
  expect(csv.headers['content-type']).toContain('text/csv')
  expect(csv.text.trim().split('\n')).toHaveLength(3)
  const jsonld = await save('jsonld')
  expect(jsonld.headers['content-disposition']).toContain('passports.jsonld')
  expect(JSON.parse(jsonld.text).map((document: { id: string }) => document.id)).toEqual([one, two])
})

test('a logo and a colour are set, and the prefixes of the workspace are shown', async () => {
  await owner.open('/console/company/brand')
  const wrong = await upload(
    owner,
    '/company/brand',
    { name: 'a.png', type: 'image/png', bytes: await png() },
    { accent: '#ffff00' },
  )
  expect([wrong.status, errorsIn(wrong.text)[0]]).toEqual([400, expect.stringContaining('contrast')])
  await upload(owner, '/company/brand', { name: 'a.png', type: 'image/png', bytes: await png() }, { accent: '#0b5f5a' })
  const { text } = await owner.open('/console/company/brand')
  expect(text).toContain('value="#0b5f5a"')
  const [, logo = ''] = /<img src="(\/media\/[^"]+)"/.exec(text) ?? []
  expect((await gateway.request('GET', logo)).status).toBe(200)
  const { body } = await send('GET', '/api/v1/audit/log?action=workspace.updated')
  expect(body.entries[0]).toMatchObject({ actor: expect.stringMatching(/^person:/) })
  await gateway.container.cradle.companyPrefixes.claim(workspace.id, '95277')
  expect((await owner.open('/console/company/prefixes')).text).toContain('95277')
})

test('the journey of a product is shown, published and screened', async () => {
  const gtin = newGtin()
  const { id } = await passports.given({ productId: gtin })
  expect((await owner.open(`/console/passports/${id}/journey`)).text).toContain('No event has this product')
  await send('POST', '/api/v1/events', {
    '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'],
    type: 'ObjectEvent',
    eventTime: '2026-02-01T09:00:00.000Z',
    eventTimeZoneOffset: '+00:00',
    action: 'ADD',
    bizStep: 'commissioning',
    bizLocation: { id: 'geo:41.35,-8.75' },
    quantityList: [{ epcClass: `https://id.gs1.org/01/${gtin}/10/L1`, quantity: 3 }],
  })
  const { text } = await owner.open(`/console/passports/${id}/journey`)
  expect(text).toContain('geo:41.35,-8.75')
  const old = {
    csrf: 'old',
    'name.geo:41.35,-8.75': 'Typed works',
    'country.geo:41.35,-8.75': 'pt',
    audience: 'authority',
  }
  const { text: kept } = await owner.post(`/console/passports/${id}/journey`, old)
  expect(filledForm(kept, '/journey').values).toMatchObject({ ...old, csrf: expect.any(String) })
  const published = await fillIn(owner, '/journey', {
    'name.geo:41.35,-8.75': 'Works',
    'country.geo:41.35,-8.75': 'pt',
  })
  expect(published.text).toContain('Published')
  const { body } = await send('GET', `/api/v1/passports/${id}/journey`)
  expect(body.published.steps[0].place).toMatchObject({ name: 'Works', country: 'PT' })
  expect((await owner.open(`/console/passports/${id}/screening`)).text).toContain('Matches with the lists: 0')
})

test('the home page names requirements that begin later, for categories of the workspace', async () => {
  await passports.given({ metadata: battery() })
  const { text } = await owner.open('/console')
  const isLater = Date.parse('2027-02-18') > Date.now()
  expect(text.includes('a passport is required from 18 Feb 2027')).toBe(isLater)
})

test('help explains the page from which it is opened, and pages link to it', async () => {
  const { text } = await owner.open('/console/passports')
  const [, help = ''] = /id="help" href="([^"]+)"/.exec(text) ?? []
  expect(help).toBe('/console/help?page=%2Fconsole%2Fpassports#passports')
  const page = await owner.open(help.split('#')[0] ?? '')
  expect(page.text).toContain('Find, write, publish, seal and export passports.')
  expect(page.text).toContain('href="/console/passports" aria-current="true"')
})
