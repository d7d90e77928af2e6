import type { Page } from 'playwright-core'
import { navigating } from './console-site.ts'

interface Focused {
  readonly tag: string
  /** Type of an input. */
  readonly type: string
  readonly name: string
  readonly label: string
}

const MAX_STEPS = 300

/** Moves the focus by Tab to the next element that is meant. */
export async function focus(page: Page, isMeant: (element: Focused) => boolean, what: string): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    await page.keyboard.press('Tab')
    const found = await page.locator(':focus').evaluateAll((elements) =>
      elements.map((element) => ({
        tag: element.tagName.toLowerCase(),
        type: element.getAttribute('type') ?? '',
        name: (element.textContent ?? '').trim(),
        label: (element.labels?.[0]?.textContent ?? '').trim(),
      })),
    )
    if (found[0] !== undefined && isMeant(found[0])) return
  }
  throw new Error(`The keyboard does not reach ${what} at ${page.url()}`)
}

/** Moves the focus to a link or button whose text begins so, and presses Enter. */
export async function press(page: Page, name: string, tag: 'a' | 'button'): Promise<void> {
  await focus(page, (element) => element.tag === tag && element.name.startsWith(name), name)
  await navigating(page, () => page.keyboard.press('Enter'))
}

/** Moves the focus to the next control with this label, and replaces its text; in a list, the keys choose an option. */
export async function type(page: Page, label: string, text: string): Promise<void> {
  await focus(page, (element) => element.label.startsWith(label), label)
  const field = page.locator(':focus')
  const kind = await field.evaluate((element) => element.getAttribute('type') ?? element.tagName)
  // A loaded machine may lose a key.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (kind !== 'SELECT') await page.keyboard.press('Control+A')
    await page.keyboard.type(text)
    if (!['INPUT', 'TEXTAREA', 'text', 'email'].includes(kind) || (await field.inputValue()) === text) return
  }
  throw new Error(`${label} does not take ${text} at ${page.url()}`)
}
