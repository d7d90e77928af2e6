import exceljs from 'exceljs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { newGtin } from '../support/gateway.ts'
import { expectStatus } from '../support/passport-client.ts'
import { givenRegistrable, whole } from '../support/registry.ts'
import { givenTraceEvent } from '../support/sample-calls.ts'
import { PHONE, useConsole } from './console-site.ts'
import { fingersOn, type Hands, keyboardOn } from './hands.ts'
import { accessibilityFindings, horizontalOverflow } from './open-page.ts'

const { gateway, workspace, passports, baseUrl, signedIn } = await useConsole({ isSecure: true })

/** Subjects of a task, one per way, named by it. */
interface Subject {
  readonly id: string
  readonly title: string
}

interface Task {
  /** Goal of the person. */
  readonly name: string
  readonly prepare?: (title: string) => Promise<{ readonly id: string }>
  readonly act: (hands: Hands, page: Page, subject: Subject) => Promise<void>
}

const named = (title: string, more: object = {}) => ({
  metadata: { category: 'textiles', originCountry: 'PT', productName: { en: title }, ...more },
})
const given = (title: string) => passports.given(named(title))

/** Opens a passport by the search of the list. */
async function open(hands: Hands, { title }: Subject): Promise<void> {
  await hands.goTo('Passports')
  await hands.fill('Search', title)
  await hands.send('Show')
  await hands.follow(title)
}

const stored = async (id: string) => {
  const text = `select status, seal_id is not null as sealed from passport where id = $1`
  return (await gateway.sqlAs<Record<string, unknown>>(workspace.id, text, [id]))[0]
}
const main = (page: Page) => page.locator('main').innerText()
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText()

/** Adds a row to a template: names of columns in its second row, help in its third. */
async function filled(template: Buffer, values: Readonly<Record<string, string>>): Promise<Buffer> {
  const book = new exceljs.Workbook()
  await book.xlsx.load(template as never)
  const [sheet] = book.worksheets
  if (sheet === undefined) throw new Error('The template has no sheet.')
  const names = sheet.getRow(2).values as (string | undefined)[]
  const row = sheet.getRow(4)
  for (const [name, value] of Object.entries(values)) {
    expect(names).toContain(name)
    row.getCell(names.indexOf(name)).value = value
  }
  row.commit()
  return Buffer.from(await book.xlsx.writeBuffer())
}

/** The twelve daily tasks of a compliance officer. */
const TASKS: readonly Task[] = [
  {
    name: 'create a passport from a template',
    async act(hands, page, { title }) {
      await hands.goTo('Import')
      const template = await hands.save('Textiles', 'a')
      const productId = `T-${crypto.randomUUID()}`
      const row = { productId, category: 'textiles', originCountry: 'PT', productName: title }
      const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
      await hands.attach({ name: 'shirts.xlsx', mimeType, buffer: await filled(template, row) })
      // Another task may have added an operator.
      const companies = await page.locator('#f-operator option').allTextContents()
      if (companies[1] !== undefined) await hands.fill('Economic operator', companies[1])
      await hands.send('Import and publish')
      await expect
        .poll(
          async () => {
            // Without script, a person loads the page again.
            if (await page.locator('[data-reload]').isVisible()) await page.reload()
            return main(page)
          },
          { timeout: 90_000 },
        )
        .toContain('1 passport')
      const found = await gateway.sqlAs(workspace.id, 'select from passport where product_id = $1', [productId])
      expect(found.length).toBe(1)
    },
  },
  {
    name: 'see what is missing, with its clause',
    prepare: (title) =>
      passports.given({ metadata: { category: 'batteries', productName: { en: title } }, draft: true }),
    async act(hands, page, subject) {
      await open(hands, subject)
      expect(await main(page)).toMatch(/\d+ of \d+ required values/)
      await hands.follow('Fill in')
      await hands.follow('Performance')
      await hands.unfold('values that the law asks for are missing here')
      expect(await page.locator('details[open]').first().innerText()).toMatch(/\b[XVI]+\b[^\n]*required/)
    },
  },
  {
    name: 'approve a request for access',
    async prepare(title) {
      const { id } = await given(title)
      const form = { granteeName: `Ada of ${title}`, granteeEmail: 'ada@repair.example', purpose: 'Repair' }
      await gateway.request('POST', `/request-access?passport=${id}`, { form })
      return { id }
    },
    async act(hands, page, { title }) {
      await hands.follow('1')
      await hands.follow(`Ada of ${title}`)
      await hands.send('Approve')
      expect(await heading(page)).toBe('Access approved')
      expect(await page.locator('#f-url').inputValue()).toMatch(/\?grant=dpp_li_/)
    },
  },
  {
    name: 'recall a product',
    prepare: given,
    async act(hands, page, subject) {
      await open(hands, subject)
      await hands.follow('Recall the product')
      await hands.fill('Text', 'The seam opens. Stop wearing it.')
      await hands.fill('Contact', 'recall@maker.example')
      await hands.send('Recall')
      expect(await main(page)).toContain('The seam opens.')
      expect(await stored(subject.id)).toMatchObject({ status: 'RECALLED' })
    },
  },
  {
    name: 'seal a passport',
    prepare: given,
    async act(hands, page, subject) {
      await open(hands, subject)
      await hands.follow('Seal')
      await hands.send('Seal')
      expect(await page.getByRole('status').innerText()).toContain('The passport is sealed.')
      expect(await stored(subject.id)).toMatchObject({ sealed: true })
    },
  },
  {
    name: 'read the history with its differences',
    async prepare(title) {
      const { id } = await given(title)
      await passports.seal(id)
      const { metadata } = named(title, { originCountry: 'ES' })
      expectStatus(200, await passports.revise(id, { metadata, changeReason: 'The mill moved.' }))
      return { id }
    },
    async act(hands, page, subject) {
      await open(hands, subject)
      await hands.follow('History')
      expect(await main(page)).toContain('The mill moved.')
      await hands.unfold('change')
      expect(await page.locator('details[open]').first().innerText()).toMatch(/Made in\s+Portugal\s+Spain/)
    },
  },
  {
    name: 'invite a colleague',
    async act(hands, page, { title }) {
      await hands.goTo('People')
      await hands.follow('Invite a person')
      await hands.fill('Name', title)
      await hands.fill('E-mail', `${crypto.randomUUID()}@maker.example`)
      await hands.choose('Reader')
      await hands.send('Invite a person')
      expect(await heading(page)).toBe('Person invited')
      const address = await page.locator('#f-address').inputValue()
      expect((await gateway.request('GET', new URL(address).pathname)).text).toContain(title)
    },
  },
  {
    name: 'print labels',
    prepare: given,
    async act(hands, _, subject) {
      await open(hands, subject)
      const file = await hands.save('Print labels', 'button')
      expect(file.subarray(0, 5).toString()).toBe('%PDF-')
    },
  },
  {
    name: 'export the entry for the registry',
    prepare: (title) => givenRegistrable(gateway, workspace, { metadata: whole({ productName: { en: title } }) }),
    async act(hands, _, subject) {
      await open(hands, subject)
      await hands.follow('Registry')
      const file = await hands.save('Download the entry', 'a')
      expect(JSON.parse(file.toString())).toMatchObject([{ upi: expect.stringContaining('/01/') }])
    },
  },
  {
    name: 'check the screening of the supply chain',
    async prepare(title) {
      const { id, productId } = await passports.given({ productId: newGtin(), ...named(title) })
      const event = { headers: workspace.as, json: givenTraceEvent(productId) }
      expectStatus(201, await gateway.request('POST', '/api/v1/events', event))
      return { id }
    },
    async act(hands, page, subject) {
      await open(hands, subject)
      await hands.follow('Journey')
      await hands.follow('Screening')
      expect(await main(page)).toContain('Matches with the lists: 0')
    },
  },
  {
    name: 'read the statistics',
    async prepare(title) {
      const { id } = await given(title)
      await gateway.request('GET', `/passport/${id}`, { headers: { accept: 'application/json' } })
      await gateway.container.cradle.accessAudit.flush()
      return { id }
    },
    async act(hands, page, subject) {
      await open(hands, subject)
      await hands.follow('Views')
      expect(await main(page)).toContain('1 view')
    },
  },
  {
    name: 'create a key, and revoke it',
    async act(hands, page, { title }) {
      await hands.goTo('API keys')
      await hands.follow('Create a key')
      await hands.fill('Name', title)
      await hands.send('Create a key')
      const headers = { authorization: `Bearer ${await page.locator('#f-key').inputValue()}` }
      const whoami = async () => (await gateway.request('GET', '/api/v1/whoami', { headers })).status
      expect(await whoami()).toBe(200)
      await hands.goTo('API keys')
      await hands.follow(title)
      await hands.follow('Revoke')
      await hands.send('Revoke')
      expect(await page.getByRole('status').innerText()).toContain('The key is revoked.')
      expect(await whoami()).toBe(401)
    },
  },
]

const WAYS = [
  { way: 'by keyboard, without a script', options: { javaScriptEnabled: false }, handsOn: keyboardOn },
  { way: 'on a phone, with the script', options: PHONE, handsOn: fingersOn },
] as const

describe.each(WAYS)('$way', ({ way, options, handsOn }) => {
  let page: Page
  beforeAll(async () => {
    page = await signedIn(options)
  })

  test.each(TASKS)('$name', async ({ name, prepare, act }) => {
    const title = `${name.split(' ').slice(0, 2).join(' ')} ${way.slice(3, 11)}`
    const { id } = (await prepare?.(title)) ?? { id: '' }
    await page.goto(`${baseUrl}/console`)
    await act(handsOn(page), page, { id, title })
    if (options !== PHONE) return
    // The last page of each task shows a result that no address has.
    expect(await accessibilityFindings(page)).toEqual([])
    expect(await horizontalOverflow(page)).toBe(0)
  })
})

test('an officer has twelve tasks', () => {
  expect(TASKS.length).toBe(12)
})
