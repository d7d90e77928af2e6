import type { Json, Metadata } from '../../../src/plugin/index.ts'
import { isGroup } from '../../../src/plugin/index.ts'
import { hostOf, safeUrl } from './safe-url.ts'
import type { Label, Texts } from './texts.ts'

/** A document or page elsewhere. */
export interface DocumentLink {
  readonly label: Label
  readonly href: string
  readonly host: string
}

/**
 * Takes the documents out of the metadata: every top-level web address, and those inside groups that are documents by
 * their name. What remains is shown elsewhere, so that nothing stands on the page twice.
 */
export function takeDocuments(metadata: Metadata, texts: Texts): { documents: DocumentLink[]; remaining: Metadata } {
  const documents: DocumentLink[] = []
  const remaining: [string, Json][] = []
  for (const [key, value] of Object.entries(metadata)) {
    if (isGroup(value)) {
      const members = Object.entries(value).filter(([member, inner]) => {
        const href = texts.category.field(member, key)?.section === 'documents' ? safeUrl(inner) : undefined
        if (href !== undefined) documents.push({ label: texts.label(member, key), href, host: hostOf(href) })
        return href === undefined
      })
      const isEmptied = members.length === 0 && Object.keys(value).length > 0
      if (!isEmptied) remaining.push([key, Object.fromEntries(members)])
      continue
    }
    const href = safeUrl(value)
    if (href === undefined) remaining.push([key, value])
    else documents.push({ label: texts.label(key), href, host: hostOf(href) })
  }
  return { documents, remaining: Object.fromEntries(remaining) }
}
