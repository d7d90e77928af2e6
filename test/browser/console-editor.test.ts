import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { BATTERY } from '../support/demo-gateway.ts'
import { PHONE, useConsole } from './console-site.ts'
import { press, type } from './keyboard.ts'

const { gateway, workspace, passports, baseUrl, signedIn } = await useConsole()

const idIn = (page: Page): string => /passports\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
const stored = async (id: string) => {
  const [row] = await gateway.sqlAs<{ status: string; metadata: object; sealed: boolean }>(
    workspace.id,
    `select status, metadata, seal_id is not null as sealed from passport where id = '${id}'`,
  )
  return row
}

test('a textile passport is created, filled in, corrected, published and sealed by keyboard, without a script', async () => {
  const page = await signedIn({ javaScriptEnabled: false })
  await press(page, 'Passports', 'a')
  await press(page, 'New passport', 'a')
  await type(page, 'Category', 'Text')
  await type(page, 'Product id', `SHIRT-${crypto.randomUUID()}`)
  await press(page, 'Create draft', 'button')
  await type(page, 'Language', 'English')
  await type(page, 'Text', 'Overshirt')
  await type(page, 'Made in', 'Portugal')
  await press(page, 'Save and continue', 'button')
  await type(page, 'Fibre', 'cotton')
  await type(page, 'Share', 'sixty')
  await press(page, 'Add: Fibre', 'button')
  await type(page, 'Fibre', 'linen')
  await type(page, 'Share', '40')
  await press(page, 'Save and continue', 'button')
  expect(await page.title()).toMatch(/^Error: /)
  await press(page, 'Fibre composition › Share: Enter a number', 'a')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('59,5')
  await press(page, 'Save and continue', 'button')
  expect(await page.locator('#errors').textContent()).toContain('They add up to 99.5')
  await type(page, 'Fibre', 'cotton')
  await type(page, 'Share', '60')
  await press(page, 'Save and close', 'button')
  const id = idIn(page)
  await press(page, 'Check and publish', 'a')
  await press(page, 'Publish', 'button')
  await press(page, 'Seal', 'a')
  await press(page, 'Seal', 'button')
  expect(await page.getByRole('status').textContent()).toContain('is sealed')
  expect(await stored(id)).toMatchObject({
    status: 'ACTIVE',
    sealed: true,
    metadata: {
      productName: { en: 'Overshirt' },
      originCountry: 'PT',
      fiberComposition: [
        { fiber: 'cotton', percentage: 60 },
        { fiber: 'linen', percentage: 40 },
      ],
    },
  })
  await page.context().close()
})

describe('on a phone, with the script', () => {
  /** Opens a draft with one fibre. */
  async function withFibres() {
    const page = await signedIn(PHONE)
    const metadata = {
      category: 'textiles',
      originCountry: 'PT',
      fiberComposition: [{ fiber: 'cotton', percentage: 100 }],
    }
    const { id } = await passports.given({ metadata, draft: true })
    const address = `${baseUrl}/console/passports/${id}/edit?section=composition`
    await page.goto(address)
    return { page, id, address, share: page.locator('[id="f-fiberComposition.0.percentage"]') }
  }

  test('typed text is kept in the order of typing, however long a check takes', async () => {
    const { page, address, share } = await withFibres()
    const held = Promise.withResolvers<void>()
    const sent: string[] = []
    await page.route('**/edit*', async (route) => {
      if (route.request().method() === 'POST') sent.push(String(route.request().postData()))
      if (sent.length === 1) await held.promise
      await route.continue()
    })
    const typed = async (text: string) => {
      await share.fill(text)
      await share.blur()
      // The check of a changed field waits for no time.
      await page.evaluate(() => new Promise((done) => setTimeout(done)))
    }
    await typed('10')
    await expect.poll(() => sent.length).toBe(1)
    await typed('20')
    await typed('30')
    expect(sent.length).toBe(1)
    held.resolve()
    await expect.poll(() => sent.filter((body) => body.includes('percentage=30')).length).toBe(1)
    expect(sent.length).toBe(2)
    await page.getByText('Typed text is kept.').waitFor()
    await page.unroute('**/edit*')
    await page.goto(address)
    expect(await share.inputValue()).toBe('30')
    await page.context().close()
  })

  test('findings appear while typing, entries are added in place, and typed text survives a reload', async () => {
    const { page, id, share } = await withFibres()
    await share.fill('many')
    await share.blur()
    await page.getByText('Fibre composition › Share: Enter a number').waitFor()
    expect(await share.getAttribute('aria-invalid')).toBe('true')
    await share.fill('50')
    await share.blur()
    await page.getByText('They add up to 50').waitFor()

    let loads = 0
    page.on('load', () => {
      loads += 1
    })
    await page.getByRole('button', { name: /^Add.*Fibre composition$/ }).click()
    await page.locator('[id="f-fiberComposition.n1.fiber"]').fill('linen')
    const second = page.locator('[id="f-fiberComposition.n1.percentage"]')
    await second.fill('50')
    await Promise.all([
      page.waitForResponse((answer) => answer.request().postData()?.includes('n1.percentage=50') === true),
      second.blur(),
    ])
    await page.getByText('Typed text is kept.').waitFor()
    expect(loads).toBe(0)
    await page.reload()
    await page.getByText('did not save').waitFor()
    expect(await page.locator('[id="f-fiberComposition.n1.fiber"]').inputValue()).toBe('linen')
    await page.getByRole('button', { name: 'Save and close' }).tap()
    await page.waitForURL(`**/console/passports/${id}?done=saved`)
    expect(JSON.stringify((await stored(id))?.metadata)).toContain('"linen","percentage":50')
    await page.context().close()
  })

  test('a passport is created, published and sealed', async () => {
    const page = await signedIn(PHONE)
    await page.goto(`${baseUrl}/console/passports/new`)
    await page.getByLabel('Category').selectOption('textiles')
    await page.getByLabel('Product id').fill(`PHONE-${crypto.randomUUID()}`)
    await page.getByRole('button', { name: 'Create draft' }).tap()
    await page.getByLabel('Made in').fill('Portugal')
    await page.getByRole('button', { name: 'Save and close' }).tap()
    await page.getByRole('link', { name: 'Check and publish' }).tap()
    await page.getByRole('button', { name: 'Publish' }).tap()
    await page.getByRole('link', { name: 'Seal', exact: true }).tap()
    await page.getByRole('button', { name: 'Seal', exact: true }).tap()
    await page.getByText('The passport is sealed.').waitFor()
    expect(await stored(idIn(page))).toMatchObject({ status: 'ACTIVE', sealed: true })
    await page.context().close()
  })
})

test('a page of a former session says that typed text is no longer kept', async () => {
  const { id } = await passports.given({ metadata: { category: 'textiles', originCountry: 'PT' }, draft: true })
  const page = await signedIn()
  await page.goto(`${baseUrl}/console/passports/${id}/edit?section=product`)
  await page.evaluate(`document.querySelector('form[data-editor] [name="csrf"]').value = 'old'`)
  await page.locator('#f-brand').fill('Typed')
  await page.getByText('Your session has ended.').waitFor()
  await page.context().close()
})

test('the preview shows the page of each audience in a frame, which no other site may frame', async () => {
  const active = (await passports.given({ metadata: BATTERY })).id
  const page = await signedIn()
  await page.goto(`${baseUrl}/console/passports/${active}/preview?as=authority`)
  const frame = page.frameLocator('iframe')
  expect(await frame.getByRole('heading', { level: 1 }).textContent()).toContain('Nordlicht')
  const { headers } = await gateway.client.send('GET', `/console/passports/${active}/page`)
  expect(headers['content-security-policy'] ?? '').not.toContain('frame-ancestors *')
  await page.context().close()
})
