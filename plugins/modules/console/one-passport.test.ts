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

test('a section counts every field that it shows', async () => {
  const counted = async (metadata: object) => {
    const { text } = await publisher.open(at(await given(metadata, { draft: true }), '/edit?section=footprint'))
    return /data-section="footprint">(\d+) of (\d+)</.exec(text)?.slice(1).map(Number) ?? []
  }
  const [, usual = 0] = await counted({})
  expect(await counted({ carbonFootprintKgCo2e: 4.2 })).toEqual([1, usual + 1])
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

test('what another page keeps later is not sealed unseen, and a fault opens its section', async () => {
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
