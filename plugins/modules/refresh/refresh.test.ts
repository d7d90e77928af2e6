import { expect, test } from 'vitest'
import { expectStatus } from '../../../test/support/passport-client.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'
import { refresh, restart } from './refresh.ts'

const { gateway, workspace, passports } = await useGateway()
const { renditionStore } = gateway.container.cradle

interface Row {
  readonly representation: string
  readonly variant: string
  readonly generation: string
  readonly stored: string
}
const storedOf = (id: string) =>
  gateway.sqlAs<Row>(
    workspace.id,
    `select representation, variant, generation, ctid::text as stored from rendition
     where passport_id = $1 and tier = 'public' order by representation, variant, generation`,
    [id],
  )
const page = async (id: string, language: string) =>
  expectStatus(
    200,
    await gateway.request('GET', `/passport/${id}`, { headers: { accept: 'text/html', 'accept-language': language } }),
  )
async function givenPages() {
  const { id } = await passports.given()
  const { text } = await page(id, 'en')
  await page(id, 'de')
  return { id, text }
}
/** As if another release had rendered the pages. */
const renderedByOther = (id: string) =>
  gateway.sqlAs(
    workspace.id,
    `update rendition set generation = 'other' where passport_id = $1 and representation = 'html'`,
    [id],
  )

test('pages of another release are rendered again in each stored language, and JSON-LD stays as it is stored', async () => {
  const { id, text } = await givenPages()
  const before = await storedOf(id)
  await renderedByOther(id)
  restart()
  await refresh(gateway.container.cradle)
  const after = await storedOf(id)
  const current = renditionStore.generationOf('html')
  const pages = after.filter(({ representation }) => representation === 'html')
  expect(pages.map(({ variant, generation }) => [variant, generation])).toEqual(
    ['de', 'en'].flatMap((variant) => [current, 'other'].sort().map((generation) => [variant, generation])),
  )
  const data = (rows: readonly Row[]) => rows.filter(({ representation }) => representation === 'jsonld')
  expect(data(after)).toEqual(data(before))
  expect((await page(id, 'en')).text).toBe(text)
})

test('each passport is visited once after the start', async () => {
  restart()
  await refresh(gateway.container.cradle)
  const { id } = await givenPages()
  await renderedByOther(id)
  await refresh(gateway.container.cradle)
  expect((await storedOf(id)).filter(({ representation }) => representation === 'html')).toMatchObject([
    { generation: 'other' },
    { generation: 'other' },
  ])
})

test('a draft is not rendered, and a format that is not loaded is left alone', async () => {
  const { id } = await givenPages()
  await gateway.sqlAs(
    workspace.id,
    `update rendition set representation = 'gone' where passport_id = $1 and representation = 'html'`,
    [id],
  )
  const { id: draft } = await givenPages()
  await renderedByOther(draft)
  expectStatus(200, await passports.update(draft, { metadata: {}, draft: true }))
  const before = [await storedOf(id), await storedOf(draft)]
  restart()
  await refresh(gateway.container.cradle)
  expect([await storedOf(id), await storedOf(draft)]).toEqual(before)
})
