import { expect, test } from 'vitest'
import { signIn } from '../../../test/support/console-client.ts'
import { errorsIn, fillIn, upload } from '../../../test/support/console-forms.ts'
import { newGtin } from '../../../test/support/gateway.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'
import { webhookClient } from '../../../test/support/webhook-client.ts'

const { gateway, workspace } = await useGateway({ CONSOLE: 'on' })
const publisher = await signIn(gateway, workspace.id, 'publisher')
const { body } = await gateway.request('POST', '/api/v1/operators', {
  headers: workspace.as,
  json: { name: 'Atelier Rivage SAS', regId: `R-${crypto.randomUUID()}` },
})
const rivage: string = body.operator.id

const csv = (...rows: string[]) => ({ name: 'shirts.csv', type: 'text/csv', bytes: rows.join('\r\n') })
const idIn = (text: string) => /imports\/([0-9a-f-]{36})/.exec(text)?.[1] ?? ''

/** Page of the finished import. */
async function ended(id: string): Promise<string> {
  const open = async () => (await publisher.open(`/console/imports/${id}`)).text
  await expect.poll(open, { interval: 50 }).not.toContain('data-reload')
  return publisher.page?.text ?? ''
}

async function sent(
  file: ReturnType<typeof csv>,
  values: Record<string, string>,
): Promise<{ id: string; text: string }> {
  await publisher.open('/console/imports')
  const id = idIn((await upload(publisher, '/imports/new', file, { operator: rivage, ...values })).text)
  return { id, text: await ended(id) }
}

const stored = (productId: string) =>
  gateway.sqlAs<{ id: string; status: string; operator_id: string }>(
    workspace.id,
    'select id, status, operator_id from passport where product_id = $1',
    [productId],
  )

test('the rows become drafts or published passports of the chosen company, and the result links to them', async () => {
  const [one, two] = [newGtin(), newGtin()]
  const page = (await publisher.open('/console/imports')).text
  expect(page).toContain('Everyone can read published passports immediately.')
  const head = 'productId,category,originCountry'
  expect(page).toContain('1.500 is read as 1.5.')
  const drafts = await sent(csv(head, `${one},textiles,PT`), { do: 'draft', operator: rivage })
  expect(drafts.text).toContain('Draft · 1 passport')
  expect(drafts.text).toContain('<dd>Atelier Rivage SAS</dd>')
  const [draft] = await stored(one)
  expect(draft).toMatchObject({ status: 'DRAFT', operator_id: rivage })
  expect(drafts.text).toContain(`href="/console/passports/${draft?.id}">${one}</a>`)
  const published = await sent(csv(head, `${two},textiles,PT`), { do: 'publish', operator: workspace.operatorId })
  expect(published.text).toContain('Published · 1 passport')
  expect(await stored(two)).toMatchObject([{ status: 'ACTIVE', operator_id: workspace.operatorId }])
})

test('with several companies one must be chosen, and the other values stay', async () => {
  const product = newGtin()
  const file = csv('productId,originCountry', `${product},PT`)
  await publisher.open('/console/imports')
  const wrong = await upload(publisher, '/imports/new', file, { do: 'publish', category: 'textiles' })
  expect([wrong.status, errorsIn(wrong.text)]).toEqual([400, ['“Economic operator” is missing.']])
  expect(wrong.text).toContain('value="textiles" selected')
  await ended(idIn((await upload(publisher, '/imports/new', file, { do: 'publish', operator: rivage })).text))
  expect(await stored(product)).toMatchObject([{ status: 'ACTIVE', operator_id: rivage }])
})

test('drafts are neither public nor announced, and published passports are', async () => {
  const webhooks = webhookClient(gateway, workspace.as)
  const { id } = await webhooks.given('http://127.0.0.1:9/hook', ['passport.ingested'])
  const [one, two] = [newGtin(), newGtin()]
  const rows = (product: string) => csv('productId,category,originCountry', `${product},textiles,PT`)
  await sent(rows(one), { do: 'draft', operator: rivage })
  const [draft] = await stored(one)
  expect((await gateway.request('GET', `/passport/${draft?.id}`)).status).toBe(404)
  await sent(rows(two), { do: 'publish', operator: rivage })
  const [published] = await stored(two)
  const announced = async () => {
    const events = await gateway.sqlAs<{ body: string }>(
      workspace.id,
      'select body from webhook_event e join webhook_delivery d on d.event_id = e.id where d.subscription_id = $1',
      [id],
    )
    return [draft, published].filter((one) => events.some(({ body }) => body.includes(one?.id ?? '')))
  }
  await expect.poll(announced, { interval: 50 }).toEqual([published])
  await webhooks.remove(id)
})

test('the file of rows to correct has the chosen category and company, and is sent from the page of the result', async () => {
  const [good, bad] = [newGtin(), newGtin()]
  const { id, text } = await sent(csv('productId,originCountry', `${good},PT`, `${bad},Nowhere`), {
    ...{ do: 'publish', operator: rivage, category: 'textiles' },
  })
  expect(text).toContain('1 row must be corrected')
  expect((await publisher.open('/console')).text).toContain('<strong>1</strong> Rows to correct')
  const file = (await publisher.send('GET', `/console/imports/${id}/corrected`)).text
  expect(file.replace('\ufeff', '').split('\r\n').slice(0, 2)).toEqual([
    'productId,originCountry,category,operatorId,error,#row',
    expect.stringContaining(`${bad},Nowhere,textiles,${rivage},`),
  ])
  await publisher.open(`/console/imports/${id}`)
  const corrected = { name: 'to-correct.csv', type: 'text/csv', bytes: file.replace('Nowhere', 'PT') }
  const checked = await upload(publisher, '/imports/new', corrected, { do: 'check', category: '' })
  expect(await ended(idIn(checked.text))).toContain('1 row is correct')
  const second = await fillIn(publisher, '/columns', { do: 'publish' })
  expect(await ended(idIn(second.text))).toContain('Published · 1 passport')
  expect(await stored(bad)).toMatchObject([{ status: 'ACTIVE', operator_id: rivage }])
  expect((await publisher.open('/console')).text).not.toContain('Rows to correct')
})

test('rows to correct stay in To do until their corrected file is imported, also if a key sent them', async () => {
  const home = async () => (await publisher.open('/console')).text
  const [good, own, other] = [newGtin(), newGtin(), newGtin()]
  const file = (product: string, country: string) =>
    csv('productId,category,originCountry', `${product},textiles,${country}`)
  const { body: sentByKey } = await gateway.request('POST', `/api/v1/imports?operatorId=${rivage}`, {
    headers: workspace.as,
    file: { type: 'text/csv', bytes: Buffer.from(file(other, 'Nowhere').bytes) },
  })
  await ended(sentByKey.import.id)
  const refused = await sent(file(own, 'Nowhere'), { do: 'publish' })
  await sent(file(good, 'PT'), { do: 'publish' })
  expect(await home()).toContain('<strong>2</strong> Rows to correct')
  for (const [id, product] of [
    [sentByKey.import.id, other],
    [refused.id, own],
  ]) {
    await publisher.open(`/console/imports/${id}`)
    const again = idIn((await upload(publisher, '/imports/new', file(product, 'Elsewhere'), { do: 'check' })).text)
    await ended(again)
    const checked = idIn((await upload(publisher, '/imports/new', file(product, 'PT'), { do: 'check' })).text)
    await ended(checked)
    expect(await home()).toContain('Rows to correct')
    await publisher.open(`/console/imports/${checked}`)
    await ended(idIn((await fillIn(publisher, '/columns', { do: 'publish' })).text))
  }
  expect(await home()).not.toContain('Rows to correct')
})

test('names of categories and countries, small letters and dates with dots are read', async () => {
  const [one, two] = [newGtin(), newGtin()]
  const head =
    'productId;category;originCountry;materialComposition.1.material;materialComposition.1.percentage;materialComposition.1.countryOfOrigin'
  const rows = [`${one};Textiles;Portugal;cotton;100;de`, `${two};TEXTILES;pt;cotton;100,0;France`]
  const { text } = await sent(csv(head, ...rows), { do: 'publish', operator: rivage })
  expect(text).toContain('Published · 2 passports')
  const lamp = newGtin()
  const later = await sent(
    csv('productId;category;originCountry;firmwareUpdateUntil', `${lamp};Electronics;IT;1.12.2031`),
    {
      ...{ do: 'publish', operator: rivage },
    },
  )
  expect(later.text).toContain('Published · 1 passport')
  const { body: found } = await gateway.request('GET', `/api/v1/passports/${two}`, { headers: workspace.as })
  expect(found.metadata ?? found).toMatchObject({ category: 'textiles', originCountry: 'PT' })
  const api = await gateway.request('POST', '/api/v1/imports?dryRun=true', {
    headers: workspace.as,
    file: { type: 'text/csv', bytes: Buffer.from(`productId,category,originCountry\r\n${newGtin()},textiles,pt`) },
  })
  expect(await ended(api.body.import.id)).toContain('1 row must be corrected')
})

test('a file that the API refused for its names is read again', async () => {
  const product = newGtin()
  const file = csv('productId,category,originCountry', `${product},Textiles,Portugal`)
  const { body: refused } = await gateway.request('POST', `/api/v1/imports?operatorId=${rivage}`, {
    headers: workspace.as,
    file: { type: 'text/csv', bytes: Buffer.from(file.bytes) },
  })
  expect(await ended(refused.import.id)).toContain('1 row must be corrected')
  expect((await sent(file, { do: 'publish' })).text).toContain('Published · 1 passport')
  expect(await stored(product)).toHaveLength(1)
})

test('headings of a template keep their fields when columns are matched', async () => {
  const product = newGtin()
  const later = [
    'productName.de',
    'materialComposition.2.material',
    'materialComposition.2.percentage',
    'metadata',
    '#note',
  ]
  const keys = [
    ...['productId', 'category', 'originCountry', 'materialComposition.1.material', 'materialComposition.1.percentage'],
    ...later,
  ]
  const row = `${product},textiles,PT,cotton,60,Hemd,linen,40,"{""brand"":""Rivage""}",x`
  const labels = keys.map((_, place) => `Label ${place}`).join(',')
  const { id, text } = await sent(csv(labels, keys.join(','), row), { do: 'check' })
  expect(text).toContain('1 row is correct')
  const match = (await publisher.open(`/console/imports/${id}/columns`)).text
  for (const key of later) expect(match).toContain(`value="${key}" autocomplete`)
  const wrong = await fillIn(publisher, '/columns', { 'column.productName.de': 'productName.german', do: 'publish' })
  expect(errorsIn(wrong.text)).toEqual(['“productName.german” is not a field. Choose one of the list.'])
  const right = await fillIn(publisher, '/columns', { 'column.productName.de': 'productName.fr', do: 'publish' })
  expect(await ended(idIn(right.text))).toContain('Published · 1 passport')
  const { body: found } = await gateway.request('GET', `/api/v1/passports/${product}`, { headers: workspace.as })
  expect(found.metadata ?? found).toMatchObject({
    productName: { fr: 'Hemd' },
    materialComposition: [{ material: 'cotton' }, { material: 'linen' }],
    brand: 'Rivage',
  })
})

test('columns are matched by the names of fields, and an unknown name is reported at its column', async () => {
  const { id } = await sent(csv('Artikel;Name;Land', `${newGtin()};Shirt;PT`), { do: 'check', category: 'textiles' })
  await publisher.open(`/console/imports/${id}/columns`)
  const typed = { 'column.Artikel': 'Product ident', 'column.Name': 'Product name', 'column.Land': 'Product name' }
  const wrong = await fillIn(publisher, '/columns', { ...typed, do: 'check' })
  expect([wrong.status, errorsIn(wrong.text)]).toEqual([
    400,
    ['“Product ident” is not a field. Choose one of the list.', '“Product name” is chosen twice.'],
  ])
  expect(wrong.text).toContain('value="Product ident"')
  const none = await fillIn(publisher, '/columns', {
    ...typed,
    'column.Artikel': '',
    'column.Land': 'made in',
    do: 'check',
  })
  expect(errorsIn(none.text)).toEqual(['Choose the column with the product id.'])
  const right = { ...typed, 'column.Artikel': 'Product id', 'column.Land': 'made in' }
  const checked = idIn((await fillIn(publisher, '/columns', { ...right, do: 'check' })).text)
  expect(await ended(checked)).toContain('1 row is correct')
  const { text } = await publisher.open(`/console/imports/${checked}/columns`)
  for (const value of ['Product id', 'Product name', 'Made in']) expect(text).toContain(`value="${value}" autocomplete`)
})
