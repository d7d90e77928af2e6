import type { Json, MediaView, Metadata, PassportView } from '../../../src/plugin/index.ts'
import { DOCUMENT_KEYS, isGroup } from '../../../src/plugin/index.ts'
import { hostOf, safeUrl } from './safe-url.ts'
import type { Label, Texts } from './texts.ts'
import { quantity } from './units.ts'
import { wordsOf } from './value.ts'

export interface DocumentLink {
  readonly label: Label
  readonly lang?: string | undefined
  readonly href: string
  readonly host?: string
  readonly about: readonly string[]
  /** True if the seal covers the file hash. */
  readonly isSealed: boolean
  /** True if it requires the page's access token, sent by a form. */
  readonly isGranted?: boolean
}

/**
 * Extracts document lists, top-level web addresses and document groups.
 * @param grant access token of the page, which also opens its links
 */
export function takeDocuments(
  metadata: Metadata,
  view: Pick<PassportView, 'media' | 'seal' | 'privilegedKeys'>,
  texts: Texts,
  grant?: string,
): { documents: DocumentLink[]; remaining: Metadata } {
  const documents: DocumentLink[] = []
  const remaining: [string, Json][] = []
  const linked = (href: string, label: Label): DocumentLink => ({
    label,
    href,
    host: hostOf(href),
    about: [],
    isSealed: false,
  })
  for (const [key, value] of Object.entries(metadata)) {
    if (isListOf(key) && Array.isArray(value)) {
      const entries = value.map((entry) => documentOf(entry, key, view, texts, grant))
      documents.push(...entries.filter((entry) => entry !== undefined))
      const others = value.filter((_, index) => entries[index] === undefined)
      if (others.length > 0) remaining.push([key, others])
      continue
    }
    if (isGroup(value)) {
      const members = Object.entries(value).filter(([member, inner]) => {
        const href = texts.category.field(member, key)?.section === 'documents' ? safeUrl(inner) : undefined
        if (href !== undefined) documents.push(linked(href, texts.label(member, key)))
        return href === undefined
      })
      const isEmptied = members.length === 0 && Object.keys(value).length > 0
      if (!isEmptied) remaining.push([key, Object.fromEntries(members)])
      continue
    }
    const href = safeUrl(value)
    if (href === undefined) remaining.push([key, value])
    else documents.push(linked(href, texts.label(key)))
  }
  return { documents, remaining: Object.fromEntries(remaining) }
}

export function lawLinksOf({ category, t }: Texts): DocumentLink[] {
  const href = category.reportUrl
  if (href === undefined) return []
  return [{ label: { text: t('safetyGate'), foreign: false }, href, host: hostOf(href), about: [], isSealed: false }]
}

const isListOf = (key: string): boolean => DOCUMENT_KEYS.some((name) => name === key)

/** Drafts may contain malformed entries. */
function documentOf(
  entry: Json,
  key: string,
  { media, seal, privilegedKeys }: Pick<PassportView, 'media' | 'seal' | 'privilegedKeys'>,
  texts: Texts,
  grant: string | undefined,
): DocumentLink | undefined {
  const href = isGroup(entry) ? safeUrl(entry.url) : undefined
  if (!isGroup(entry) || href === undefined) return undefined
  const medium = media.find(({ id }) => id === entry.mediaId)
  const title = wordsOf(entry.title, texts)
  const kind =
    typeof entry.documentType === 'string' ? texts.category.option('documentType', entry.documentType) : undefined
  const named = title?.text ?? kind ?? texts.t('tool.document')
  return {
    label: { text: named, foreign: title !== undefined },
    lang: title?.lang,
    ...(medium === undefined
      ? { href, host: hostOf(href) }
      : { href: pathOf(medium.url), isGranted: grant !== undefined && privilegedKeys.includes(key) }),
    about: [
      ...(privilegedKeys.includes(key) ? [texts.label(key).text] : []),
      ...(title === undefined || kind === undefined ? [] : [kind]),
      ...aboutFile(typeof entry.language === 'string' ? entry.language : undefined, medium, texts),
    ],
    isSealed: seal !== null && typeof entry.sha256 === 'string',
  }
}

export const aboutFile = (
  language: string | undefined,
  medium: Pick<MediaView, 'bytes'> | undefined,
  texts: Texts,
): string[] => [
  ...(language === undefined ? [] : [languageName(language, texts)]),
  ...(medium === undefined ? [] : ['PDF', sizeOf(medium.bytes, texts)]),
]

/** Removes the host: the CSP allows only the host of the page. */
export const pathOf = (url: string): string => new URL(url).pathname

function languageName(tag: string, { lang }: Texts): string {
  try {
    return new Intl.DisplayNames(lang, { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}

const MEGABYTE = 1_000_000
const sizeOf = (bytes: number, texts: Texts): string =>
  bytes < MEGABYTE
    ? quantity(Math.max(1, Math.round(bytes / 1000)), 'kilobyte', texts)
    : quantity(Math.round(bytes / 100_000) / 10, 'megabyte', texts)
