import { describe, expect, test } from 'vitest'
import { type ConsoleBrowser, signIn } from '../../../test/support/console-client.ts'
import { errorsIn, filledForm, fillIn } from '../../../test/support/console-forms.ts'
import { nextNumber } from '../../../test/support/numbers.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway({ CONSOLE: 'on' })
const roles = ['owner', 'publisher', 'editor', 'reader'] as const
const browsers = Object.fromEntries(
  await Promise.all(roles.map(async (role) => [role, await signIn(gateway, workspace.id, role)])),
) as Record<(typeof roles)[number], ConsoleBrowser>
const { owner, publisher, editor, reader } = browsers

const idIn = (answer: { readonly text: string }): string =>
  /\/console\/passports\/([0-9a-f-]{36})/.exec(answer.text)?.[1] ?? ''
const stored = async (id: string) => {
  const [row] = await gateway.sqlAs<{ status: string; metadata: Record<string, unknown>; sealed: boolean }>(
    workspace.id,
    `select status, metadata, seal_id is not null as sealed from passport where id = '${id}'`,
  )
  return row
}

async function newDraft(browser: ConsoleBrowser, category = 'textiles'): Promise<string> {
  await browser.open('/console/passports/new')
  return idIn(await fillIn(browser, '/new', { category, product: `SKU-${nextNumber()}` }))
}

test('the help of a field is in the language of the reader', async () => {
  const id = await newDraft(publisher)
  const { text } = await publisher.open(`/console/passports/${id}/edit?lang=de`)
  expect(text).toContain('Handelsname des Produkts.')
  expect(text).not.toContain('Trade name of the product.')
  await publisher.open(`/console/passports/${id}/edit?lang=en`)
})

test('a textile passport is created, filled in, corrected, published and sealed without a script', async () => {
  const id = await newDraft(publisher)
  await fillIn(publisher, '/edit', {
    'productName.n1.lang': 'German',
    'productName.n1.text': 'Überhemd',
    originCountry: 'Portugal',
    do: 'next',
  })
  const added = await fillIn(publisher, '/edit', { do: 'add fiberComposition' })
  expect(filledForm(added.text, '/edit').values['fiberComposition[]']).toBe('n1,n2')
  const fibres = { 'fiberComposition.n1.fiber': 'cotton', 'fiberComposition.n2.fiber': 'linen' }
  const wrong = await fillIn(publisher, '/edit', {
    ...fibres,
    'fiberComposition.n1.percentage': '60,5',
    'fiberComposition.n2.percentage': 'thirty',
    do: 'next',
  })
  expect([wrong.status, errorsIn(wrong.text)]).toEqual([
    400,
    ['Fibre composition › Share: Enter a number, such as 12.5.'],
  ])
  const sum = await fillIn(publisher, '/edit', { 'fiberComposition.n2.percentage': '30', do: 'next' })
  expect(errorsIn(sum.text)[0]).toContain('90.5')
  expect(sum.text).toContain('href="#f-fiberComposition"')
  await fillIn(publisher, '/edit', { 'fiberComposition.1.percentage': '39.5', do: 'next' })
  expect((await stored(id))?.metadata).toEqual({
    category: 'textiles',
    productName: { de: 'Überhemd' },
    originCountry: 'PT',
    fiberComposition: [
      { fiber: 'cotton', percentage: 60.5 },
      { fiber: 'linen', percentage: 39.5 },
    ],
  })
  await publisher.open(`/console/passports/${id}/publish`)
  expect((await fillIn(publisher, '/publish')).text).toContain('The passport is published.')
  await publisher.open(`/console/passports/${id}/seal`)
  expect((await fillIn(publisher, '/seal')).text).toContain('The passport is sealed.')
  expect(await stored(id)).toMatchObject({ status: 'ACTIVE', sealed: true })
  expect((await gateway.client.send('GET', `/passport/${id}`)).status).toBe(200)
})

test('entries move and go with what no field shows', async () => {
  const metadata = {
    category: 'textiles',
    originCountry: 'PT',
    hazardousSubstances: [
      { substanceName: 'A', ownKey: { kept: [1] } },
      { substanceName: 'B', concentration: 1.5 },
      { substanceName: 'C' },
    ],
    ownGroup: { kept: true },
  }
  const id = (await passports.given({ metadata, draft: true })).id
  await owner.open(`/console/passports/${id}/edit?section=composition`)
  await fillIn(owner, '/edit', { do: 'down hazardousSubstances 0' })
  await fillIn(owner, '/edit', { do: 'remove hazardousSubstances 2' })
  await fillIn(owner, '/edit', { 'hazardousSubstances.1.concentration': '2,5', do: 'done' })
  expect((await stored(id))?.metadata).toEqual({
    ...metadata,
    hazardousSubstances: [
      { substanceName: 'B', concentration: 2.5 },
      { substanceName: 'A', ownKey: { kept: [1] } },
    ],
  })
})

describe('two editors of one passport', () => {
  test('changes of other fields are merged; of the same field the person chooses', async () => {
    const metadata = { category: 'textiles', originCountry: 'PT', brand: 'Before', modelIdentifier: 'M1' }
    const id = (await passports.given({ metadata, draft: true })).id
    const path = `/console/passports/${id}/edit?section=product`
    await Promise.all([owner.open(path), editor.open(path)])
    await fillIn(editor, '/edit', { brand: 'Theirs', modelIdentifier: 'M2', do: 'done' })
    const conflict = await fillIn(owner, '/edit', { brand: 'Mine', originCountry: 'Spain', do: 'done' })
    expect([conflict.status, conflict.text.includes('Theirs'), conflict.text.includes('Mine')]).toEqual([
      409,
      true,
      true,
    ])
    expect((await stored(id))?.metadata.brand).toBe('Theirs')
    await fillIn(owner, '/edit', { 'keep.brand': 'mine' })
    expect((await stored(id))?.metadata).toEqual({
      ...metadata,
      brand: 'Mine',
      modelIdentifier: 'M2',
      originCountry: 'ES',
    })
  })
})

test('typed text is kept for its person until it is saved or discarded', async () => {
  const id = (await passports.given({ metadata: { category: 'textiles', originCountry: 'PT' }, draft: true })).id
  const path = `/console/passports/${id}/edit?section=product`
  await editor.open(path)
  const { action, values } = filledForm(editor.page?.text ?? '', '/edit')
  const live = await editor.post(action, { ...values, brand: 'Typed', do: 'live' })
  expect([live.status, live.headers['content-type']]).toEqual([200, expect.stringContaining('application/json')])
  expect((await stored(id))?.metadata.brand).toBeUndefined()
  expect(filledForm((await editor.open(path)).text, '/edit').values.brand).toBe('Typed')
  expect(filledForm((await owner.open(path)).text, '/edit').values.brand).toBe('')
  const discarded = await fillIn(editor, '/edit', { do: 'discard' })
  expect(filledForm(discarded.text, '/edit').values.brand).toBe('')
})

test('a recall has its text in languages, and a contact that can be used', async () => {
  const id = (await passports.given({ metadata: { category: 'textiles', originCountry: 'PT' } })).id
  await publisher.open(`/console/passports/${id}/recall`)
  expect(errorsIn((await fillIn(publisher, '/recall', { do: 'recall' })).text)).toEqual([
    'Say what is wrong and what to do.',
  ])
  await fillIn(publisher, '/recall', { do: 'add reason' })
  const texts = {
    'reason.n1.lang': 'English',
    'reason.n1.text': 'Buttons come off.',
    'reason.n2.lang': 'German',
    'reason.n2.text': 'Knöpfe lösen sich.',
  }
  const wrong = await fillIn(publisher, '/recall', { ...texts, contact: 'ask us', do: 'recall' })
  expect(wrong.text).toContain('href="#f-contact"')
  expect((await fillIn(publisher, '/recall', { contact: '+49 40 123456', do: 'recall' })).text).toContain('is recalled')
  const [row] = await gateway.sqlAs<{ recall: object }>(workspace.id, `select recall from passport where id = '${id}'`)
  expect(row?.recall).toMatchObject({
    reason: { en: 'Buttons come off.', de: 'Knöpfe lösen sich.' },
    contact: '+49 40 123456',
  })
})

test('a sealed passport is corrected with a reason, in one step', async () => {
  const id = (await passports.given({ metadata: { category: 'textiles', originCountry: 'PT' } })).id
  await passports.seal(id)
  expect((await publisher.open(`/console/passports/${id}/edit`)).text).toContain('Correct ')
  const refused = await fillIn(publisher, '/correct', { brand: 'Rivage', do: 'done' })
  expect([refused.status, errorsIn(refused.text)]).toEqual([400, ['Give a reason for the change.']])
  await fillIn(publisher, '/correct', { reason: 'Brand was missing', do: 'done' })
  expect(await stored(id)).toMatchObject({ sealed: true, metadata: { brand: 'Rivage' } })
  expect((await reader.open(`/console/passports/${id}/history`)).text).toContain('Brand was missing')
})

describe('roles', () => {
  const pages = [
    '',
    '/edit',
    '/publish',
    '/seal',
    '/recall',
    '/status',
    '/delete',
    '/history',
    '/use',
    '/code',
  ] as const
  const opened = {
    owner: [200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
    publisher: [200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
    editor: [200, 200, 200, 403, 403, 403, 200, 200, 200, 200],
    reader: [200, 403, 403, 403, 403, 403, 403, 200, 200, 200],
  }

  test.each(roles)('%s opens the pages of a draft that are theirs, and none of another workspace', async (role) => {
    const id = (await passports.given({ metadata: { category: 'textiles', originCountry: 'PT' }, draft: true })).id
    const statuses = []
    for (const page of pages) statuses.push((await browsers[role].open(`/console/passports/${id}${page}`)).status)
    expect(statuses).toEqual(opened[role])
    for (const page of pages) {
      const foreign = await browsers[role].open(`/console/passports/${crypto.randomUUID()}${page}`)
      expect([403, 404]).toContain(foreign.status)
    }
  })

  test.each(['publish', 'seal', 'recall', 'status', 'seal-selected'])('an editor never posts %s', async (page) => {
    const metadata = { category: 'textiles', originCountry: 'PT' }
    const { id } = await passports.given({ metadata, draft: page === 'publish' })
    await editor.open('/console/passports/new')
    const { csrf = '' } = filledForm(editor.page?.text ?? '', '/new').values
    const path = page === 'seal-selected' ? `/console/passports/${page}` : `/console/passports/${id}/${page}`
    const form = { csrf, ids: id, version: '1', status: 'DECOMMISSIONED', 'reason[]': 'n1', 'reason.n1.text': 'x' }
    expect((await editor.post(path, form)).status).toBe(403)
    expect(await stored(id)).toMatchObject({ status: page === 'publish' ? 'DRAFT' : 'ACTIVE', sealed: false })
  })

  test('an editor does not change a published passport', async () => {
    const { id } = await passports.given({ metadata: { category: 'textiles', originCountry: 'PT' } })
    await editor.open(`/console/passports/${id}/edit`)
    const answer = await fillIn(editor, '/edit', { brand: 'Changed', reason: 'x', do: 'done' })
    expect(answer.status).toBe(403)
    expect((await stored(id))?.metadata.brand).toBeUndefined()
  })
})

describe('the list', () => {
  test('finds all words in names, numbers and brands, and filters', async () => {
    const word = `W${nextNumber()}x`
    const metadata = {
      category: 'textiles',
      originCountry: 'PT',
      productName: { de: `Hemd ${word}`, en: `Shirt ${word}` },
    }
    const draft = await passports.given({ metadata, draft: true })
    const active = await passports.given({ metadata: { ...metadata, brand: 'Rivage' } })
    const found = async (query: string) => {
      const { text } = await owner.open(`/console/passports?${query}`)
      return [draft.id, active.id].filter((id) => text.includes(`/console/passports/${id}"`))
    }
    expect(await found(`q=${word.toLowerCase()}`)).toEqual([draft.id, active.id])
    expect(await found(`q=${word}+rivage`)).toEqual([active.id])
    expect(await found(`q=${word}&status=DRAFT`)).toEqual([draft.id])
    expect(await found(`q=${word}&seal=yes`)).toEqual([])
    expect(await found(`q=${word}&category=batteries`)).toEqual([])
    expect((await owner.open('/console/passports?q=%25_none')).text).toContain('No passport matches')
  })

  test('seals the selected passports after a question, and names those it could not', async () => {
    const metadata = { category: 'textiles', originCountry: 'PT' }
    const [one, two] = [await passports.given({ metadata }), await passports.given({ metadata })]
    await owner.open('/console/passports')
    const asked = await fillIn(owner, '/selected', { [`id.${one.id}`]: 'on', [`id.${two.id}`]: 'on', do: 'seal' })
    expect(asked.text).toContain('Seal 2 passports')
    expect((await fillIn(owner, '/seal-selected')).text).toContain('The passports are sealed.')
    expect(await Promise.all([one, two].map(async ({ id }) => (await stored(id))?.sealed))).toEqual([true, true])
  })
})

test('a form of an ended session shows what was typed', async () => {
  const id = await newDraft(publisher)
  const address = `/console/passports/${id}/edit?section=product`
  await publisher.open(address)
  const { values } = filledForm(publisher.page?.text ?? '', '/edit')
  const typed = { ...values, csrf: 'old', 'productName.n1.lang': 'English', 'productName.n1.text': 'Last words' }
  const answer = await publisher.post(address, typed)
  expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('Last words</textarea>')])
  expect((await stored(id))?.metadata).toEqual({ category: 'textiles' })
})
