import { describe, expect, test } from 'vitest'
import { newGtin, textile } from '../support/gateway.ts'
import { LANGUAGES, SCRIPTS_AND_LENGTHS } from '../support/languages.ts'
import { battery } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'
import { useChromium } from './chromium.ts'
import { accessibilityFindings, horizontalOverflow } from './open-page.ts'
import { withLongestWords } from './render.ts'

/** The page as served, with headers. */
const { gateway, workspace } = await useGateway()
const browser = await useChromium()

async function open(path: string, locale = 'en-GB') {
  const context = await browser.newContext({ locale, bypassCSP: false })
  const page = await context.newPage()
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  const response = await page.goto(gateway.origin + path)
  return { page, requests, complaints, status: response?.status(), headers: response?.headers() ?? {} }
}

const create = async (productId: string, metadata: object) =>
  (await gateway.request('POST', '/api/v1/passports', { headers: workspace.as, json: { productId, metadata } })).body
    .passport

describe('a person who scans a code', () => {
  test('gets the sealed passport in one request, without a complaint of the browser', async () => {
    const gtin = newGtin()
    const passport = await create(gtin, textile({ productName: 'Rivage overshirt' }))
    await gateway.request('POST', `/api/v1/passports/${passport.id}/seal`, { headers: workspace.as })
    const { page, requests, complaints, status, headers } = await open(`/01/${gtin}`)
    expect(status).toBe(200)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Rivage overshirt')
    expect(await page.getByText(/^Sealed on /).count()).toBeGreaterThan(0)
    expect(requests).toEqual([`${gateway.origin}/01/${gtin}`])
    // Chromium itself requests /favicon.ico.
    expect(complaints.filter((text) => !text.includes('favicon'))).toEqual([])
    const policy = headers['content-security-policy'] ?? ''
    expect(policy).toMatch(/^default-src 'none'; .*style-src 'sha256-.*; frame-ancestors 'none'$/)
    expect(policy).not.toContain('unsafe')
    expect(Number(headers['content-length'])).toBeLessThan(60 * 1024)
  })

  test('reads German when the browser asks for German', async () => {
    const gtin = newGtin()
    await create(gtin, textile({ productName: 'Hemd' }))
    const { page } = await open(`/01/${gtin}`, 'de-AT')
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    expect(await page.getByText('Digitaler Produktpass').count()).toBeGreaterThan(0)
  })

  test('sees an accessible page if there is no passport', async () => {
    const { page, status } = await open('/passport/00000000-0000-4000-8000-000000000000')
    expect(status).toBe(404)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(await page.innerText('body')).not.toMatch(/stack|exception|\{/i)
  })

  test('sees no draft', async () => {
    const gtin = newGtin()
    await gateway.request('POST', '/api/v1/passports', {
      headers: workspace.as,
      json: { productId: gtin, metadata: { productName: 'Secret plan' }, draft: true },
    })
    const { page, status } = await open(`/01/${gtin}`)
    expect(status).toBe(404)
    expect(await page.content()).not.toContain('Secret plan')
  })
})

test('the vocabulary page is accessible and goes to the term that its address names', async () => {
  const context = await browser.newContext({ bypassCSP: true })
  const page = await context.newPage()
  await page.goto(`${gateway.origin}/ns/dpp#merkleRoot`)
  expect(await page.locator(':target').textContent()).toBe('merkleRoot')
  expect(await accessibilityFindings(page)).toEqual([])
})

describe('a person who asks for access', () => {
  const form = async (lang: string) => {
    const { id } = await create(newGtin(), battery())
    return { id, ...(await open(`/request-access?passport=${id}&lang=${lang}`)) }
  }
  const requestsFor = async (passportId: string) => {
    const { body } = await gateway.request('GET', '/api/v1/grants?limit=200', { headers: workspace.as })
    return body.grants.filter((grant: { passportId: string }) => grant.passportId === passportId)
  }

  test('fills in the form, corrects a mistake, and sees that it was sent', async () => {
    const { id, page, complaints } = await form('en')
    await page.getByLabel('Your name').fill('Ada')
    await page.getByLabel('Your e-mail address').fill('ada')
    await page.getByLabel(/^What you need the data for/).fill('Repair')
    await page.getByRole('button', { name: 'Send request' }).click()
    // In the summary and next to the field.
    expect(await page.getByText('Please enter an e-mail address').count()).toBe(2)
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ada')
    expect(await accessibilityFindings(page)).toEqual([])
    expect(await requestsFor(id)).toEqual([])
    await page.getByLabel('Your e-mail address').fill('ada@repair.example')
    await page.getByRole('button', { name: 'Send request' }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Your request has been sent')
    expect(await requestsFor(id)).toMatchObject([{ granteeName: 'Ada', purpose: 'Repair', status: 'PENDING' }])
    expect(await accessibilityFindings(page)).toEqual([])
    expect(complaints.filter((text) => !text.includes('favicon') && !text.includes('400'))).toEqual([])
  })

  test('reads the page in every language, on a narrow phone', async () => {
    const { id, page } = await form('en')
    await page.setViewportSize({ width: 320, height: 640 })
    const path = (lang: string) => `/request-access?passport=${id}&lang=${lang}`
    const pages = await Promise.all(
      LANGUAGES.map(async (lang) => ({ lang, html: (await gateway.request('GET', path(lang))).text })),
    )
    for (const { lang, html } of pages) {
      expect(html).toMatch(new RegExp(`<html[^>]* lang="${lang}"`))
      expect(html.match(/<(?:input|textarea)\b/g), lang).toHaveLength(5)
    }
    for (const { lang } of withLongestWords(pages)) {
      await page.goto(gateway.origin + path(lang))
      expect(await horizontalOverflow(page), lang).toBe(0)
      // Colours are the same in every language.
      const scope = lang === 'de' ? 'all' : 'all but colours'
      if (SCRIPTS_AND_LENGTHS.includes(lang)) expect(await accessibilityFindings(page, scope), lang).toEqual([])
    }
    await page.context().close()
  })
})
