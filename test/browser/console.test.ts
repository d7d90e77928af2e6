import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { useConsole } from './console-site.ts'
import { press, type } from './keyboard.ts'

const { gateway, workspace, baseUrl, signedIn } = await useConsole()

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()

describe('by keyboard, without a script', () => {
  const options = { javaScriptEnabled: false }

  test('a person is invited, and a wrong form says what is wrong', async () => {
    const page = await signedIn(options)
    expect(await heading(page)).toBe('To do')
    await press(page, 'People', 'a')
    await press(page, 'Invite a person', 'a')
    await type(page, 'Name', 'Emil')
    await press(page, 'Invite a person', 'button')
    expect(await page.title()).toMatch(/^Error: /)
    expect(await page.locator('#errors').textContent()).toContain('Enter an e-mail address.')
    expect(await page.locator('#f-email').getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator('#f-name').inputValue()).toBe('Emil')
    await type(page, 'E-mail', 'emil@maker.example')
    await press(page, 'Invite a person', 'button')
    expect(await heading(page)).toBe('Person invited')
    await page.context().close()
  })

  test('the language is chosen and stays', async () => {
    const page = await signedIn(options)
    await page.goto(`${baseUrl}/console/language?next=/console/people`)
    await press(page, 'Deutsch', 'a')
    expect(new URL(page.url()).pathname).toBe('/console/people')
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.context().close()
  })
})

test('on a phone the menu closes by a button, and signs out', async () => {
  const page = await signedIn({ viewport: { width: 390, height: 844 } })
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'Close' }).click()
  expect(await page.locator('#menu').isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.locator('#menu').getByRole('button', { name: 'Sign out' }).click()
  expect(await page.locator('main').textContent()).toContain('You have no passkey.')
  await page.locator('main').getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/console/sign-in**')
  await page.context().close()
})

test('a secret is copied by a button', async () => {
  const page = await signedIn({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(`${baseUrl}/console/webhooks/new`)
  await page.getByLabel('Address').fill('http://127.0.0.1:9/hook')
  await page.getByRole('button', { name: 'Add a webhook' }).click()
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^whsec_/)
  await page.context().close()
})

describe('passkeys', () => {
  test('are added, sign in, confirm, and hold once for each challenge', async () => {
    const page = await signedIn()
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await page.goto(`${baseUrl}/console/passkeys`)
    await page.getByRole('button', { name: 'Create the passkey' }).click()
    await page.waitForURL('**/console/me**')
    expect(await page.locator('main').textContent()).toContain('The passkey was added.')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/console/sign-in**')
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'POST'),
      page.getByRole('button', { name: 'Sign in with a passkey' }).click(),
    ])
    await page.waitForURL(`${baseUrl}/console`)
    const sessions = await gateway.sqlAs(
      workspace.id,
      `select method, mfa from console_session where method = 'passkey'`,
    )
    expect(sessions).toEqual([{ method: 'passkey', mfa: true }])

    const form = Object.fromEntries(new URLSearchParams(sent.postData() ?? ''))
    const replayed = await gateway.request('POST', '/console/passkey', {
      form,
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect([replayed.status, replayed.headers['set-cookie']]).toEqual([400, undefined])

    await gateway.sqlAs(workspace.id, `update console_session set authenticated_at = now() - interval '1 hour'`)
    await page.goto(`${baseUrl}/console/keys/new`)
    expect(await heading(page)).toBe('Confirm that it is you')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(`${baseUrl}/console/keys/new`)
    expect(await heading(page)).toBe('Create a key')
    await page.context().close()
  })

  test('of another origin or without verification are refused', async () => {
    const page = await signedIn()
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: false,
        automaticPresenceSimulation: true,
      },
    })
    await page.goto(`${baseUrl}/console/passkeys`)
    await page.getByRole('button', { name: 'Create the passkey' }).click()
    await page.getByText('The passkey was not used. Try again.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/passkeys')
    await page.context().close()
  })
})
