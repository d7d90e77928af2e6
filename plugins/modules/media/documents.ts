import { DOCUMENT_KEYS, isGroup, type Metadata, type ParseIssue } from '../../../src/plugin/index.ts'
import { type Audiences, badRequest, GRANTED_AUDIENCES, type GrantedAudience } from '../../../src/plugin/module.ts'
import type { DocumentType, StoredMedia } from './entities.ts'
import type { components } from './generated.ts'

const AUDIENCE_CLAUSE =
  'Regulation (EU) 2024/1781, Article 9(2)(f), and of batteries Regulation (EU) 2023/1542, Annex XIII'

/**
 * @returns empty: public
 * @throws Problem 400 if absent for a document type, or public with others
 */
export function audienceOfUpload({
  documentType,
  audience = [],
}: {
  readonly documentType?: DocumentType | undefined
  readonly audience?: readonly ('public' | GrantedAudience)[] | undefined
}): Audiences {
  if (documentType !== undefined && audience.length === 0) {
    throw badRequest(
      `audience is missing. Set the readers of a document of type ${documentType}: public, or legitimateInterest, authority, or both (${AUDIENCE_CLAUSE}).`,
      'AUDIENCE_MISSING',
    )
  }
  if (!audience.includes('public')) return GRANTED_AUDIENCES.filter((name) => audience.includes(name))
  if (audience.length === 1) return []
  throw badRequest('audience: public must not be combined with other audiences. Set only public.', 'AUDIENCE_MISSING')
}

export const entryOf = (
  { id, documentType, language, title, mediaType, sha256 }: StoredMedia,
  url: string,
): components['schemas']['DocumentEntry'] => ({
  mediaId: id,
  url,
  documentType: documentType ?? 'other',
  ...(language === null ? {} : { language }),
  ...(title === null ? {} : { title }),
  mediaType,
  sha256: sha256 as string,
})

const mayStandUnder = (audience: Audiences, named: Audiences | undefined): boolean =>
  audience.length === 0 || named?.every((name) => audience.includes(name)) === true

/**
 * Yields errors of document references: unknown id, wrong hash or URL, or a key with more readers than the document.
 * @param namedOf undefined: public
 */
export function* documentIssues(
  metadata: Metadata,
  stored: readonly StoredMedia[],
  namedOf: (key: string) => Audiences | undefined,
  urlOf: (document: StoredMedia) => string,
): Iterable<ParseIssue> {
  for (const key of DOCUMENT_KEYS) {
    const entries = Object.hasOwn(metadata, key) ? metadata[key] : undefined
    if (!Array.isArray(entries)) continue
    for (const [index, entry] of entries.entries()) {
      if (!isGroup(entry) || typeof entry.mediaId !== 'string') continue
      const path = `${key}[${index}]`
      const id = entry.mediaId.toLowerCase()
      const document = stored.find((one) => one.id === id && one.kind === 'document')
      if (document === undefined) {
        const message = 'is not the id of a document of this passport; upload the document to the passport first'
        yield { path: `${path}.mediaId`, code: 'documentUnknown', message }
        continue
      }
      if (entry.sha256 !== document.sha256) {
        const params = { sha256: document.sha256 }
        yield { path: `${path}.sha256`, code: 'documentHash', params, message: `must be ${document.sha256}` }
      }
      const url = urlOf(document)
      if (entry.url !== url) {
        yield { path: `${path}.url`, code: 'documentUrl', params: { url }, message: `must be ${url}` }
      }
      if (!mayStandUnder(document.audience, namedOf(key))) {
        const params = { key, clause: AUDIENCE_CLAUSE }
        const message = `is only for ${document.audience.join(' and ')}, but ${key} has more readers (${AUDIENCE_CLAUSE})`
        yield { path: `${path}.mediaId`, code: 'documentAudience', params, message }
      }
    }
  }
}
