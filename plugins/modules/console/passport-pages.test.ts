import { expect, test } from 'vitest'
import { type ConsoleBrowser, signIn } from '../../../test/support/console-client.ts'
import { errorsIn, fillIn, upload } from '../../../test/support/console-forms.ts'
import { png } from '../../../test/support/pictures.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway({ CONSOLE: 'on' })
const [publisher, editor] = await Promise.all(
  ['publisher', 'editor'].map((role) => signIn(gateway, workspace.id, role)),
)

const csv = (...rows: string[]) => ({
  name: 'shirts.csv',
  type: 'text/csv',
  bytes: ['productId,category,originCountry,brand', ...rows].join('\r\n'),
})

/** The page reloads itself until the import is done. */
const whenDone = (browser: ConsoleBrowser, path: string) =>
  expect.poll(async () => (await browser.open(path)).text, { interval: 50 }).not.toContain('data-reload')

async function sent(browser: ConsoleBrowser, file: ReturnType<typeof csv>, button: string): Promise<string> {
  await browser.open('/console/imports')
  await upload(browser, '/imports/new', file, { do: button })
  const [, id = ''] = /imports\/([0-9a-f-]{36})/.exec(browser.page?.text ?? '') ?? []
  return id
}

test('a file is checked, its rows are corrected, and it is imported', async () => {
  const file = csv('A-1,textiles,PT,Rivage', 'A-2,textiles,Nowhere,Rivage')
  await publisher?.open('/console/imports')
  const { text } = await upload(publisher as ConsoleBrowser, '/imports/new', file, { do: 'check' })
  const [, id = ''] = /imports\/([0-9a-f-]{36})/.exec(text) ?? []
  await whenDone(publisher as ConsoleBrowser, `/console/imports/${id}`)
  expect(publisher?.page?.text).toContain('C3: ')
  expect(await gateway.sqlAs(workspace.id, `select from passport where product_id like 'A-%'`)).toEqual([])
  const corrected = await publisher?.send('GET', `/console/imports/${id}/corrected`)
  expect(corrected?.text).toContain('A-2,textiles,Nowhere,Rivage')
  await publisher?.open('/console/imports')
  await upload(publisher as ConsoleBrowser, '/imports/new', csv('A-1,textiles,PT,Rivage', 'A-2,textiles,PT,Rivage'), {
    do: 'publish',
  })
  await expect
    .poll(async () => (await publisher?.open('/console/passports?q=rivage'))?.text, { interval: 50 })
    .toContain('2 passports')
})

test('a file of another kind is refused at its field, and an editor does not publish it', async () => {
  await editor?.open('/console/imports')
  const wrong = await upload(editor as ConsoleBrowser, '/imports/new', {
    name: 'a.pdf',
    type: 'application/pdf',
    bytes: '%PDF',
  })
  expect([wrong.status, errorsIn(wrong.text)]).toEqual([
    400,
    ['Choose a file that ends with .xlsx, .csv, .jsonl or .aasx.'],
  ])
  const answer = await upload(editor as ConsoleBrowser, '/imports/new', csv('B-1,textiles,PT,x'), { do: 'publish' })
  expect(answer.status).toBe(403)
  const id = await sent(editor as ConsoleBrowser, csv('B-1,textiles,PT,x'), 'check')
  await whenDone(editor as ConsoleBrowser, `/console/imports/${id}`)
  expect(editor?.page?.text).toContain('1 row is correct')
  expect(editor?.page?.text).not.toContain('value="publish"')
  const drafted = await fillIn(editor as ConsoleBrowser, '/columns', { do: 'draft' })
  const [, second = ''] = /imports\/([0-9a-f-]{36})/.exec(drafted.text) ?? []
  await whenDone(editor as ConsoleBrowser, `/console/imports/${second}`)
  expect(editor?.page?.text).toContain('Draft · 1 passport')
  expect(await gateway.sqlAs(workspace.id, `select status from passport where product_id = 'B-1'`)).toEqual([
    { status: 'DRAFT' },
  ])
})

test('a template and the list are saved as spreadsheets', async () => {
  for (const path of ['/console/imports/textiles/template', '/console/passports/export?category=textiles']) {
    const answer = await publisher?.send('GET', path)
    expect([answer?.status, answer?.headers['content-disposition']]).toEqual([200, expect.stringContaining('.xlsx"')])
  }
})

test('a picture is added to a passport, shown and removed', async () => {
  const { id } = await passports.given({ draft: true })
  await editor?.open(`/console/files/${id}`)
  const picture = { name: 'shirt.png', type: 'image/png', bytes: await png() }
  const added = await upload(editor as ConsoleBrowser, `/files/${id}`, picture, { title: 'Front' })
  const [, address = ''] = /<img src="([^"]+)" alt="Front"/.exec(added.text) ?? []
  const shown = await editor?.send('GET', address)
  expect([shown?.status, shown?.headers['content-type']]).toEqual([200, 'image/webp'])
  const foreign = await editor?.send('GET', address.replace(/of=.*/, `of=${crypto.randomUUID()}`))
  expect(foreign?.status).toBe(404)
  const preview = await editor?.send('GET', `/console/passports/${id}/page`)
  expect(preview?.text).toMatch(
    /<img src="data:image\/webp;base64,[\w+/=]{40,}" sizes="[^"]*" width="\d+" height="\d+" alt="Front"/,
  )
  expect((await fillIn(editor as ConsoleBrowser, `/console/files/${id}`)).text).toContain(
    'No pictures or documents yet.',
  )
  const large = { name: 'a.png', type: 'image/png', bytes: new Uint8Array(17_500_000) }
  const tooLarge = await upload(editor as ConsoleBrowser, `/files/${id}`, large)
  expect([tooLarge.status, errorsIn(tooLarge.text)]).toEqual([
    413,
    ['The file is larger than 16 MB. Choose a smaller one.'],
  ])
  const again = await editor?.send('GET', `/console/upload/files/${id}`)
  expect([again?.status, again?.headers.location]).toEqual([303, `/console/files/${id}`])
  const wrong = await upload(editor as ConsoleBrowser, `/files/${id}`, {
    name: 'a.png',
    type: 'image/png',
    bytes: 'no picture',
  })
  expect([wrong.status, errorsIn(wrong.text).length]).toEqual([400, 1])
})

test('the preview shows each audience its values, and only the console may frame it', async () => {
  const metadata = {
    category: 'batteries',
    originCountry: 'DE',
    lifecycleAndInUse: { note: 'for repairers' },
    facilityDetails: [{ facilityName: 'Works 1' }],
  }
  const { id } = await passports.given({ metadata, draft: true })
  const seen = async (reader: string) => (await editor?.open(`/console/passports/${id}/page?as=${reader}`))?.text ?? ''
  const shows = async (reader: string) => {
    const text = await seen(reader)
    return [text.includes('for repairers'), text.includes('Works 1')]
  }
  expect(await shows('public')).toEqual([false, false])
  expect(await shows('legitimateInterest')).toEqual([true, false])
  expect(await shows('owner')).toEqual([true, true])
  expect(editor?.page?.headers['content-security-policy']).toBe("frame-ancestors 'self'; sandbox")
})

test('items and the registry of a passport are shown', async () => {
  const { id } = await passports.given({ metadata: { category: 'batteries', originCountry: 'DE' } })
  const { as } = workspace
  await gateway.request('POST', `/api/v1/passports/${id}/units`, {
    headers: as,
    json: { units: [{ serialNumber: 'S-1' }] },
  })
  const list = await publisher?.open(`/console/passports/${id}/units`)
  const [, unit = ''] = /href="(\/console\/units\/[0-9a-f-]{36})"/.exec(list?.text ?? '') ?? []
  expect((await publisher?.open(unit))?.text).toContain('S-1')
  expect((await publisher?.open(`/console/passports/${id}/registry`))?.text).toContain('This gateway has no registry')
})

test('a passport is linked, unlinked and offered to another company', async () => {
  const [one, two] = [(await passports.given()).id, (await passports.given()).id]
  const path = `/console/passports/${one}/links`
  await publisher?.open(path)
  const wrong = await fillIn(publisher as ConsoleBrowser, '/links', { target: 'nowhere', do: 'add' })
  expect([wrong.status, errorsIn(wrong.text).length]).toEqual([400, 1])
  const linked = await fillIn(publisher as ConsoleBrowser, '/links', { rel: 'hasPart', target: two, do: 'add' })
  expect(linked.text).toContain('Has the part')
  const removed = await fillIn(publisher as ConsoleBrowser, '/links', { do: 'remove' })
  expect(removed.text).toContain('No links to other passports yet.')
  const offered = await fillIn(publisher as ConsoleBrowser, '/links', { do: 'offer' })
  expect(offered.text).toMatch(/dpp_handover_[\w-]{32}/)
})
