import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { once } from '../../../../src/plugin/module.ts'
import type { Attention, ConsolePage, PageFile, SignedIn } from '../site.ts'

const FOLDER = join(import.meta.dirname, '../pages')
const GROUPS = ['work', 'company', 'me'] as const

export interface NavigationEntry {
  readonly path: string
  readonly href: string
}

/** Pages of all files in `pages`, which export factories. */
export default function consolePages(services: object) {
  const files = once(load)
  const byPath = once(async () => {
    const pages = new Map<string, ConsolePage>()
    for (const page of (await files()).flatMap((file) => file.pages)) {
      if (pages.has(page.path)) throw new Error(`The console has the page ${page.path} twice.`)
      pages.set(page.path, page)
    }
    return pages
  })

  return { find, navigation, attention }

  async function load(): Promise<PageFile[]> {
    const names = readdirSync(FOLDER).filter((name) => /(?<!\.test|\.d)\.(ts|js)$/.test(name))
    return Promise.all(
      names.sort().map(async (name) => {
        const module: { default(services: object): PageFile } = await import(pathToFileURL(join(FOLDER, name)).href)
        return module.default(services)
      }),
    )
  }

  /** @param segments after `/console` */
  async function find(segments: readonly string[]): Promise<ConsolePage | undefined> {
    const pages = await byPath()
    const [page = '', id, ...rest] = segments
    const literal = pages.get(segments.join('/'))
    return literal ?? (id === undefined ? undefined : pages.get([page, '{id}', ...rest].join('/')))
  }

  /** Entries that the member may open, by group. */
  async function navigation({ can }: SignedIn): Promise<readonly (readonly NavigationEntry[])[]> {
    const pages = [...(await byPath()).values()].filter(({ needs }) => needs === null || can(needs))
    return GROUPS.map((group) =>
      pages
        .filter(({ nav }) => nav?.group === group)
        .toSorted((a, b) => (a.nav?.order ?? 0) - (b.nav?.order ?? 0))
        .map(({ path }) => ({ path, href: path === '' ? '/console' : `/console/${path}` })),
    ).filter((entries) => entries.length > 0)
  }

  async function attention(me: SignedIn): Promise<readonly Attention[]> {
    const found = await Promise.all((await files()).map((file) => file.attention?.(me) ?? []))
    return found.flat().toSorted((a, b) => a.order - b.order)
  }
}
