import type { PassportView } from '../../../src/plugin/index.ts'
import { codeOf, withLanguage } from './own-links.ts'
import { safeUrl } from './safe-url.ts'
import type { Texts } from './texts.ts'
import type { Entry, Value } from './value.ts'

export function linksOf({ links, baseUrl }: PassportView, texts: Texts): Entry[] {
  return [...Map.groupBy(links, ({ rel }) => rel)].map(([rel, same]): Entry => {
    const items = same.map(({ target, identifier }): Value => {
      const href = safeUrl(target)
      if (href === undefined) return { kind: 'text', text: identifier }
      const isOurs = href.startsWith(`${baseUrl}/`)
      return { kind: 'link', href: isOurs ? withLanguage(href, codeOf(texts)) : href, text: identifier }
    })
    const [first] = items
    const value: Value = items.length === 1 && first !== undefined ? first : { kind: 'list', items }
    return { label: { text: texts.t(`links.${rel}`), foreign: false }, value }
  })
}
