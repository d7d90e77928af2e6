import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { navigating } from './console-site.ts'
import { focus, press, type } from './keyboard.ts'

export interface FileToAttach {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** One way of using a page. Names are those that the page shows, or their beginning. */
export interface Hands {
  /** Follows a link of the navigation. */
  goTo(name: string): Promise<void>
  /** Follows a link of the content. */
  follow(name: string): Promise<void>
  /** Sends a form by its button. */
  send(button: string): Promise<void>
  fill(label: string, text: string): Promise<void>
  /** Chooses a radio button. */
  choose(label: string): Promise<void>
  /** Opens the first details whose summary contains this. */
  unfold(summary: string): Promise<void>
  attach(file: FileToAttach): Promise<void>
  /** Content of the file that a link or button saves. */
  save(name: string, tag: 'a' | 'button'): Promise<Buffer>
}

/** Tab, Enter, Space and letters. */
export function keyboardOn(page: Page): Hands {
  const reach = (tag: string, name: string) => focus(page, (one) => one.tag === tag && one.name.startsWith(name), name)
  return {
    goTo: (name) => press(page, name, 'a'),
    follow: (name) => press(page, name, 'a'),
    send: (button) => press(page, button, 'button'),
    fill: (label, text) => type(page, label, text),
    async choose(label) {
      // Tab reaches the group, arrows its buttons.
      await focus(page, (one) => one.type === 'radio', label)
      for (let step = 0; step < 10; step += 1) {
        const name = await page.locator(':focus').evaluate((one) => one.labels?.[0]?.textContent ?? '')
        if (name.startsWith(label)) return
        await page.keyboard.press('ArrowDown')
      }
      throw new Error(`No choice ${label} at ${page.url()}`)
    },
    async unfold(summary) {
      await focus(page, (one) => one.tag === 'summary' && one.name.includes(summary), summary)
      await page.keyboard.press('Enter')
    },
    async attach(file) {
      await focus(page, (one) => one.type === 'file', 'the file')
      // The dialog of the operating system is not part of the page.
      await page.locator(':focus').setInputFiles(file)
    },
    save: (name, tag) => saved(page, () => reach(tag, name).then(() => page.keyboard.press('Enter'))),
  }
}

/** Taps, and the keyboard of the screen. */
export function fingersOn(page: Page): Hands {
  const named = (name: string) => new RegExp(`^\\s*${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)
  const link = (name: string) =>
    page
      .getByRole('main')
      .getByRole('link', { name: named(name) })
      .first()
  const button = (name: string) =>
    page
      .getByRole('main')
      .getByRole('button', { name: named(name) })
      .first()
  return {
    async goTo(name) {
      await page.getByRole('button', { name: 'Menu' }).tap()
      await navigating(page, () => page.locator('#menu').getByRole('link', { name, exact: true }).tap())
    },
    follow: (name) => navigating(page, () => link(name).tap()),
    send: (name) => navigating(page, () => button(name).tap()),
    async fill(label, text) {
      const field = page.getByLabel(named(label)).first()
      const isList = await field.evaluate((one) => one.tagName === 'SELECT')
      if (isList) await field.selectOption({ label: text })
      else await field.fill(text)
    },
    choose: (label) => page.getByRole('radio', { name: named(label) }).tap(),
    unfold: (summary) => page.locator('summary').filter({ hasText: summary }).first().tap(),
    attach: (file) => page.locator('input[type="file"]').first().setInputFiles(file),
    save: (name, tag) => saved(page, () => (tag === 'a' ? link(name) : button(name)).tap()),
  }
}

async function saved(page: Page, act: () => Promise<unknown>): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return readFile(await download.path())
}
