import { describe, expect, test } from 'vitest'
import { type ConsoleBrowser, signIn } from '../../../test/support/console-client.ts'
import { errorsIn, filledForm, fillIn } from '../../../test/support/console-forms.ts'
import { createWorkspace, newGtin, textile } from '../../../test/support/gateway.ts'
import { nextNumber } from '../../../test/support/numbers.ts'
import { passportClient } from '../../../test/support/passport-client.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway({ CONSOLE: 'on' })
const publisher = await signIn(gateway, workspace.id, 'publisher')

const stored = async (id: string) => {
  const [row] = await gateway.sqlAs<{ status: string; metadata: Record<string, unknown>; sealed: boolean }>(
    workspace.id,
    `select status, metadata, seal_id is not null as sealed from passport where id = '${id}'`,
  )
  return row
}
const at = (id: string, page = '') => `/console/passports/${id}${page}`
const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ')
const shown = async (path: string, browser: ConsoleBrowser = publisher) => textOf((await browser.open(path)).text)
const given = async (metadata: object = {}, more: object = {}): Promise<string> =>
  (await passports.given({ metadata: textile(metadata), ...more })).id

describe('a draft is not sealed', () => {
  test('in a selection: it is named with a link to publish, and a form that contains it seals the others', async () => {
    const [draft, active] = [await given({}, { draft: true }), await given()]
    await publisher.open('/console/passports')
    const selected = { [`id.${draft}`]: 'on', [`id.${active}`]: 'on', do: 'seal' }
    const asked = await fillIn(publisher, '/selected', selected)
    expect(asked.text).toContain('Drafts are not sealed. Publish them first.')
    expect(asked.text).toContain(`href="${at(draft, '/publish')}"`)
    expect(filledForm(asked.text, '/seal-selected').values.ids).toBe(active)
    const result = await fillIn(publisher, '/seal-selected', { ids: `${draft},${active}` })
    expect(result.text).toContain('Not all passports were sealed')
    expect([(await stored(draft))?.sealed, (await stored(active))?.sealed]).toEqual([false, true])
    const none = await publisher.open(`/console/passports/seal-selected?ids=${draft}`)
    expect(none.text).not.toContain('action="/console/passports/seal-selected"')
  })

  test('on its own page', async () => {
    const draft = await given({}, { draft: true })
    const page = await publisher.open(at(draft, '/seal'))
    expect([page.text.includes('Publish them first.'), page.text.includes('/seal"')]).toEqual([true, false])
    const active = await given()
    await publisher.open(at(active, '/seal'))
    const { values } = filledForm(publisher.page?.text ?? '', '/seal')
    expect((await publisher.post(at(draft, '/seal'), values)).status).toBe(409)
    expect((await stored(draft))?.sealed).toBe(false)
  })

  test('one that a program sealed is published by its correction', async () => {
    const draft = await given({}, { draft: true })
    await passports.seal(draft)
    const page = await publisher.open(at(draft, '/publish'))
    expect(page.text).toContain('This draft is sealed already. Its correction publishes it and seals it again.')
    expect(page.text).not.toContain(`action="${at(draft, '/publish')}"`)
    await publisher.open(at(draft, '/correct'))
    expect(errorsIn((await fillIn(publisher, '/correct', { do: 'done' })).text)).toEqual([
      'Give a reason for the change.',
    ])
    await fillIn(publisher, '/correct', { reason: 'Published', do: 'done' })
    expect(await stored(draft)).toMatchObject({ status: 'ACTIVE', sealed: true })
  })
})

describe('one product of two companies', () => {
  const warning = (company: string) =>
    `${company} already has a passport with this product id. The code of both products is the same: it opens the sealed passport, or shows a choice.`

  test('the form warns, and creates the second passport only if the person confirms', async () => {
    const name = `Second ${nextNumber()} GmbH`
    const { body } = await gateway.request('POST', '/api/v1/operators', {
      headers: workspace.as,
      json: { name, regId: `R-${nextNumber()}` },
    })
    const productId = newGtin()
    await passports.given({ productId, metadata: textile(), operatorId: body.operator.id })
    await publisher.open('/console/passports/new')
    const form = { category: 'textiles', product: productId, operator: workspace.operatorId }
    const warned = await fillIn(publisher, '/new', form)
    expect([warned.status, errorsIn(warned.text)]).toEqual([400, [warning(name)]])
    expect((await fillIn(publisher, '/new', { shared: newGtin() })).status).toBe(400)
    const created = await fillIn(publisher, '/new', { shared: productId })
    const [, id = ''] = /\/console\/passports\/([0-9a-f-]{36})\/edit/.exec(created.text) ?? []
    await fillIn(publisher, '/edit', { originCountry: 'Portugal', do: 'done' })
    expect(await shown(at(id, '/publish'))).toContain(warning(name))
    await fillIn(publisher, '/publish')
    expect(await shown(at(id))).toContain(warning(name))
    expect(await shown(at(id, '/seal'))).toContain(warning(name))
  })

  test('of another workspace: the publish page says so', async () => {
    const other = await createWorkspace(gateway)
    const productId = newGtin()
    await passportClient(gateway, other.as).given({ productId })
    const id = await given({}, { productId, draft: true })
    expect(await shown(at(id, '/publish'))).toContain('Another workspace already serves this product id.')
  })

  test('a product id is required, and says so', async () => {
    await publisher.open('/console/passports/new')
    const operator = workspace.operatorId
    const refused = await fillIn(publisher, '/new', { category: 'textiles', product: '', operator })
    expect(errorsIn(refused.text)).toEqual(['Enter a product id.'])
  })
})

test('the address below the codes is the one that the code contains', async () => {
  for (const productId of [`SHIRT ${nextNumber()}`, newGtin()]) {
    const id = await given({}, { productId })
    const code = await publisher.send('GET', at(id, '/code?format=svg'))
    const [, address = ''] = /<title[^>]*>QR code: (.*?)\. Print/.exec(code.text) ?? []
    expect(address).toMatch(/^http/)
    expect((await publisher.open(at(id))).text).toContain(`<a href="${address}">${address}</a>`)
  }
})

describe('the history', () => {
  test('has the reason of a status change, also after a seal, and the text of a recall in the language of the reader', async () => {
    const id = await given()
    await passports.seal(id)
    await publisher.open(at(id, '/recall'))
    await fillIn(publisher, '/recall', { do: 'add reason' })
    await fillIn(publisher, '/recall', {
      'reason.n1.lang': 'English',
      'reason.n1.text': 'Buttons come off.',
      'reason.n2.lang': 'German',
      'reason.n2.text': 'Knöpfe lösen sich.',
      do: 'recall',
    })
    await publisher.open(at(id, '/status'))
    await fillIn(publisher, '/status', { status: 'ACTIVE', reason: 'All shirts returned' })
    const history = await shown(at(id, '/history'))
    expect(history).toContain('Recalled → Published · All shirts returned')
    expect(history).toContain('Published → Recalled · Buttons come off.')
    expect(await shown(at(id, '/history?lang=de'))).toContain('Veröffentlicht → Zurückgerufen · Knöpfe lösen sich.')
  })

  test('shows values as the form does, without JSON', async () => {
    const id = await given({}, { draft: true })
    const change = async (metadata: object) => passports.update(id, { metadata: textile(metadata), draft: true })
    const fibres = (linen: number) => [
      { fiber: 'cotton', percentage: 90.5 },
      { fiber: 'linen', percentage: linen },
    ]
    const before = { productName: { en: 'Shirt "Sunny"', de: 'Hemd' }, ownKey: { isOwn: true, list: [1, 'two'] } }
    await change({ ...before, fiberComposition: fibres(5) })
    await change({ ...before, originCountry: 'DE', fiberComposition: fibres(9.5) })
    const history = await shown(at(id, '/history?lang=de'))
    expect(history).toContain('Englisch: Shirt "Sunny" Deutsch: Hemd')
    expect(history).toMatch(/Faser\S*: \S+, Anteil: 90,5 % Faser\S*: \S+, Anteil: 5 %/)
    expect(history).toMatch(/› 2 › Anteil 5 % 9,5 %/)
    expect(history).toContain('Portugal Deutschland')
    expect(history).toContain('isOwn: Ja, list: 1, two')
    expect(history).not.toMatch(/[{}[\]]/)
  })
})

test('the seal page names who seals: the workspace, also for another company', async () => {
  const { legalName } = await gateway.container.cradle.workspaces.show(workspace.id)
  const id = await given()
  expect(await shown(at(id, '/seal'))).toContain(`Sealed by ${legalName}`)
  await passports.seal(id)
  const page = await gateway.request('GET', `/passport/${id}`, { headers: { accept: 'text/html' } })
  expect(page.text).toContain(legalName)
  expect(page.text).not.toContain('The responsible company has sealed')
})

test('a section counts every field that it shows', async () => {
  const counted = async (metadata: object) => {
    const { text } = await publisher.open(at(await given(metadata, { draft: true }), '/edit?section=footprint'))
    return /data-section="footprint">(\d+) of (\d+)</.exec(text)?.slice(1).map(Number) ?? []
  }
  const [, usual = 0] = await counted({})
  expect(await counted({ carbonFootprintKgCo2e: 4.2 })).toEqual([1, usual + 1])
})

describe('a recall', () => {
  test('that is corrected begins with its texts in all languages', async () => {
    const id = await given()
    const reason = { en: 'Buttons come off.', de: 'Knöpfe lösen sich.' }
    await passports.setStatus(id, 'RECALLED', { recall: { reason, contact: '+49 40 123456' } })
    await publisher.open(at(id, '/recall'))
    await fillIn(publisher, '/recall', { contact: '+49 40 654321', do: 'recall' })
    const [row] = await gateway.sqlAs<{ recall: object }>(
      workspace.id,
      `select recall from passport where id = '${id}'`,
    )
    expect(row?.recall).toMatchObject({ reason, contact: '+49 40 654321' })
  })

  test('marks the wrong field, and names it as the page does', async () => {
    const id = await given()
    await publisher.open(at(id, '/recall?lang=de'))
    const wrong = await fillIn(publisher, '/recall', {
      'reason.n1.lang': 'Klingonisch',
      'reason.n1.text': 'x',
      do: 'recall',
    })
    const invalid = [...wrong.text.matchAll(/<(?:input|textarea)[^>]*name="([^"]*)"[^>]*aria-invalid="true"/g)]
    expect(invalid.map(([, name]) => name)).toEqual(['reason.n1.lang'])
    expect(wrong.text).toMatch(/name="reason\.n1\.lang" aria-describedby="f-reason\.n1\.lang-error"/)
    await publisher.open(at(id, '/recall'))
    const texts = { 'reason.n1.text': 'x', do: 'recall' }
    expect(errorsIn((await fillIn(publisher, '/recall', { ...texts, url: 'none' })).text)).toEqual([
      'Enter a web address, such as https://example.com.',
    ])
    expect(errorsIn((await fillIn(publisher, '/recall', { ...texts, url: '', contact: 'ask us' })).text)).toEqual([
      'Enter a telephone number, an e-mail address or a web address.',
    ])
  })
})

test('the publish and seal pages list what the law asks for, with links; findings replace the button', async () => {
  const id = await given({ originCountry: undefined }, { draft: true })
  const wrong = await publisher.open(at(id, '/publish'))
  expect(wrong.text).toContain('Correct one value first')
  expect(wrong.text).not.toContain(`action="${at(id, '/publish')}"`)
  await publisher.open(at(id, '/edit?section=product'))
  await fillIn(publisher, '/edit', { originCountry: 'Portugal', do: 'done' })
  const listed = (text: string) => /that the law asks for (?:is|are) missing here/.test(text)
  const ready = await publisher.open(at(id, '/publish'))
  expect(listed(ready.text)).toBe(true)
  expect(ready.text).toMatch(new RegExp(`href="${at(id, '/edit')}\\?section=composition#f-fiberComposition`))
  await fillIn(publisher, '/publish')
  expect(listed((await publisher.open(at(id, '/seal'))).text)).toBe(true)
})

test('a correction in two sections is one sealed version with one reason', async () => {
  const id = await given()
  await passports.seal(id)
  await publisher.open(at(id, '/correct?section=product'))
  const next = await fillIn(publisher, '/correct', { brand: 'Rivage', reason: 'Brand and fibres', do: 'next' })
  expect((await stored(id))?.metadata.brand).toBeUndefined()
  expect(textOf(next.text)).toContain('Kept and sealed together with this section: Product')
  await publisher.open(at(id, '/correct?section=composition'))
  const { values } = filledForm(publisher.page?.text ?? '', '/correct')
  expect(values.reason).toBe('Brand and fibres')
  const done = await fillIn(publisher, '/correct', {
    'fiberComposition.n1.fiber': 'cotton',
    'fiberComposition.n1.percentage': '100',
    do: 'done',
  })
  expect(done.text).toContain('The correction is sealed.')
  expect((await stored(id))?.metadata).toMatchObject({
    brand: 'Rivage',
    fiberComposition: [{ fiber: 'cotton', percentage: 100 }],
  })
  const { body } = await passports.history(id)
  expect(body.versions.map(({ changeReason }: { changeReason: string }) => changeReason)).toEqual([
    'Brand and fibres',
    null,
  ])
  expect((await publisher.open(at(id, '/correct'))).text).not.toContain('Kept and sealed together')
})

test('a correction never seals unseen what another page keeps later, and a fault opens its section', async () => {
  const id = await given()
  await passports.seal(id)
  const product = await publisher.open(at(id, '/correct?section=product'))
  await publisher.open(at(id, '/correct?section=composition'))
  await fillIn(publisher, '/correct', { 'fiberComposition.n1.fiber': 'cotton', do: 'next' })
  publisher.page = product
  await fillIn(publisher, '/correct', { brand: 'Rivage', reason: 'Brand', do: 'done' })
  expect((await stored(id))?.metadata).toEqual({ ...textile(), brand: 'Rivage', gtin: expect.any(String) })
  await publisher.open(at(id, '/correct?section=composition'))
  const { action, values } = filledForm(publisher.page?.text ?? '', '/correct')
  await publisher.post(action, { ...values, 'fiberComposition.n1.percentage': 'all', do: 'live' })
  await publisher.open(at(id, '/correct?section=product'))
  const opened = await fillIn(publisher, '/correct', { brand: 'Other', reason: 'Brand', do: 'done' })
  expect(filledForm(opened.text, '/correct').values['fiberComposition.n1.percentage']).toBe('all')
  expect((await stored(id))?.metadata.brand).toBe('Rivage')
})

test('a correction seals no later text of another tab, and says if nothing was changed', async () => {
  const id = await given()
  await passports.seal(id)
  await publisher.open(at(id, '/correct?section=product'))
  const unchanged = await fillIn(publisher, '/correct', { reason: 'Brand', do: 'done' })
  expect(errorsIn(unchanged.text)).toEqual(['Nothing was changed.'])
  const composition = await publisher.open(at(id, '/correct?section=composition'))
  const fibre = { 'fiberComposition.n1.fiber': 'cotton', 'fiberComposition.n1.percentage': '100' }
  await fillIn(publisher, '/correct', { ...fibre, do: 'next' })
  const product = await publisher.open(at(id, '/correct?section=product'))
  const { action, values } = filledForm(composition.text, '/correct')
  await publisher.post(action, { ...values, ...fibre, 'fiberComposition.n1.fiber': 'hemp', do: 'live' })
  publisher.page = product
  const opened = await fillIn(publisher, '/correct', { brand: 'Rivage', reason: 'Brand', do: 'done' })
  expect(filledForm(opened.text, '/correct').values['fiberComposition.n1.fiber']).toBe('hemp')
  expect((await passports.history(id)).body.versions).toHaveLength(1)
})

test('the status page says what follows; a recall is ended from its notice', async () => {
  const id = await given()
  const once = await publisher.open(at(id, '/status'))
  expect(textOf(once.text)).toContain('New status: Decommissioned')
  expect(once.text).toContain('<input type="hidden" name="status" value="DECOMMISSIONED">')
  expect(once.text).toContain('It can be published again.')
  await fillIn(publisher, '/status', { reason: 'No longer made' })
  expect((await publisher.open(at(id))).text).toContain(`<a class="button" href="${at(id, '/seal')}">`)
  await passports.setStatus(id, 'RECALLED', {})
  const recalled = await publisher.open(at(id))
  expect(recalled.text).toContain(`<a href="${at(id, '/status')}">End the recall</a>`)
  await publisher.open(at(id, '/status'))
  expect(filledForm(publisher.page?.text ?? '', '/status').values.status).toBe('ACTIVE')
  const draft = await given({}, { draft: true })
  expect((await publisher.open(at(draft, '/status'))).text).toContain('Check and publish')
})

test('the checks of the registry are in the language of the reader, with links, and without names of the API', async () => {
  const id = await given()
  const page = await publisher.open(at(id, '/registry'))
  expect(page.text).toMatch(
    new RegExp(`href="${at(id, '/edit')}\\?section=technical#f-commodityCode">The customs tariff number has 4 to 10`),
  )
  expect(page.text).toContain(`href="${at(id, '/seal')}">The passport is sealed.`)
  const main = page.text.slice(page.text.indexOf('<main'), page.text.indexOf('<footer'))
  expect(textOf(main)).not.toMatch(/metadata\.|BASE_URL|facilityId/)
  expect(await shown(at(id, '/registry?lang=de'))).toContain('Der Pass nennt den Standort')
})
