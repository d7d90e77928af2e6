import { afterAll, describe, expect, test } from 'vitest'
import { MASTER_KEY, newGtin } from '../support/gateway.ts'
import { LANGUAGES } from '../support/languages.ts'
import { type Letter, startMailServer } from '../support/mail-server.ts'
import { battery } from '../support/passport-client.ts'
import { dpp, freePort } from '../support/process.ts'
import { inDays } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'
import { useChromium } from './chromium.ts'
import { accessibilityFindings, horizontalOverflow } from './open-page.ts'
import { withLongestWords, words } from './render.ts'

// Access requests: from the form in a browser to the link in a mailbox and the page behind it.

const mail = await startMailServer()
const port = await freePort()
const ENV = {
  BASE_URL: `http://127.0.0.1:${port}`,
  SMTP_URL: mail.url,
  MAIL_FROM: 'Passports <passports@nordlicht.example>',
}
const { gateway, workspace, passports } = await useGateway({ ...ENV, PORT: String(port) })
const browser = await useChromium()
afterAll(async () => {
  await mail.close()
})

const env = { ...ENV, DATABASE_URL: gateway.databaseUrl, MASTER_KEY }
const linkOf = ({ text = '' }: Letter) => /^http:\S+$/m.exec(text)?.[0] ?? ''
const to = (address: string) => (letter: Letter) => letter.recipients.includes(address)

async function open(url: string, locale = 'en-GB') {
  const context = await browser.newContext({ locale })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  const response = await page.goto(url)
  return { page, status: response?.status(), complaints }
}

/** Fills in and sends the form, in the language of its labels. */
async function ask(id: string, lang: string, address: string, values: Record<string, string> = {}) {
  const { page, complaints } = await open(`${ENV.BASE_URL}/request-access?passport=${id}&lang=${lang}`)
  await page.locator('#granteeName').fill('Ada Moreau')
  await page.locator('#granteeEmail').fill(address)
  for (const [name, value] of Object.entries(values)) await page.locator(`#${name}`).fill(value)
  await page.locator('button[type=submit]').click()
  await page.waitForSelector('form', { state: 'detached' })
  return { page, complaints }
}

const given = () => passports.given({ productId: newGtin(), metadata: battery({ productName: 'Cell block' }) })

test('a request arrives in a mailbox, is approved at the command line, and its link opens the restricted view until it is revoked', {
  timeout: 120_000,
}, async () => {
  const set = await dpp(['workspace', 'set', workspace.id, '--email', 'office@acme.example', '--json'], env)
  expect(JSON.parse(set.stdout).email).toBe('office@acme.example')
  const { id } = await given()
  const { page } = await ask(id, 'en', 'ada@repair.example', { purpose: 'Repair of the cell block' })
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Your request has been sent')

  const company = await mail.next(to('office@acme.example'))
  expect(company.text).toContain('> Repair of the cell block')
  const status = await open(linkOf(await mail.next(to('ada@repair.example'))))
  expect(status.status).toBe(200)
  expect(await status.page.getByText('has not decided yet').count()).toBe(1)
  expect(await accessibilityFindings(status.page)).toEqual([])

  const [, ...command] = /dpp (grant) (approve) (\S+) --expires/.exec(company.text ?? '') ?? []
  const remote = { DPP_URL: ENV.BASE_URL, DPP_KEY: workspace.key }
  const approved = await dpp([...command, '--expires', inDays(10), '--json'], remote)
  const { url } = JSON.parse(approved.stdout)
  const letter = await mail.next(to('ada@repair.example'))
  expect(letter.subject).toBe('Your request for access has been approved')
  expect(linkOf(letter)).toBe(`${url}&lang=en`)

  const restricted = valuesOf(battery().detailedPerformance)
  expect(restricted.length).toBeGreaterThan(0)
  const opened = await open(linkOf(letter))
  const unlocked = await opened.page.locator('main').textContent()
  const anonymous = await open(`${ENV.BASE_URL}/passport/${id}?lang=en`)
  const locked = await anonymous.page.locator('main').textContent()
  for (const value of restricted) {
    expect(unlocked).toContain(value)
    expect(locked).not.toContain(value)
  }
  expect(await status.page.reload().then(() => status.page.locator('main').textContent())).toContain(
    'Your request has been approved',
  )
  expect(opened.complaints.filter((text) => !text.includes('favicon'))).toEqual([])

  expect(command[2]).toBeDefined()
  const revoked = await gateway.request('DELETE', `/api/v1/grants/${command[2]}`, { headers: workspace.as })
  expect(revoked.status).toBe(200)
  await opened.page.reload()
  const ended = await opened.page.locator('main').textContent()
  expect(ended).toContain('This access link no longer works')
  for (const value of restricted) expect(ended).not.toContain(value)
})

/** Strings in a value at any depth. */
function valuesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesOf) : []
}

describe('the page of a request', () => {
  test('is accessible in every language and state, on a narrow phone', { timeout: 240_000 }, async () => {
    const context = await browser.newContext({ viewport: { width: 320, height: 640 } })
    const page = await context.newPage()
    const { id } = await given()
    await ask(id, 'el', 'eleni@repair.example')
    const link = linkOf(await mail.next(to('eleni@repair.example')))
    expect(link).toMatch(/lang=el$/)
    const { body } = await gateway.request('GET', '/api/v1/grants', { headers: workspace.as })
    const grant = body.grants.find((one: { passportId: string }) => one.passportId === id)
    for (const status of ['PENDING', 'ACTIVE', 'DENIED', 'REVOKED']) {
      await gateway.sqlAs(workspace.id, 'update access_grant set status = $2 where id = $1', [grant.id, status])
      const address = (lang: string) => link.replace('lang=el', `lang=${lang}`)
      const pages = await Promise.all(
        (status === 'ACTIVE' ? LANGUAGES : ['de', 'el']).map(async (lang) => ({
          lang,
          html: await (await fetch(address(lang), { headers: { accept: 'text/html' } })).text(),
        })),
      )
      for (const { lang, html } of pages) {
        expect(html).toMatch(new RegExp(`<html[^>]* lang="${lang}"`))
        expect(html.match(/<h1\b/g), lang).toHaveLength(1)
        expect(words(/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '{{'), lang).not.toMatch(/access\.|\{\{/)
      }
      for (const { lang } of withLongestWords(pages)) {
        await page.goto(address(lang))
        expect(await horizontalOverflow(page), lang).toBe(0)
        // Colours are the same in every language.
        const scope = lang === 'de' ? 'all' : 'all but colours'
        if (['de', 'el'].includes(lang)) expect(await accessibilityFindings(page, scope), lang).toEqual([])
      }
    }
  })
})
