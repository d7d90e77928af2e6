import { hash } from 'node:crypto'
import { Problem } from './problem.ts'

const MAX_TAGS = 64

/** Entity tag with comma (RFC 9110, 8.8.3 and 5.6.1). */
const TAG = /(?<![ \t])[ \t]*(?:(W\/)?"([^"]*)"[ \t]*)?(?:,|$)/y

/** Versions in `If-Match` (RFC 9110, 13.1.1). */
export type IfMatch = ReadonlySet<string> | '*' | undefined

/**
 * Parses the versions in `If-Match`, see {@link tagOf}. Weak tags never match.
 * @throws Problem 400 if invalid, or with more than 64 tags
 */
export function readIfMatch(header: string | undefined): IfMatch {
  if (header === undefined) return undefined
  if (header.trim() === '*') return '*'
  const versions = new Set<string>()
  let tags = 0
  TAG.lastIndex = 0
  for (let at = 0; at < header.length; at = TAG.lastIndex) {
    const [, weak, tag] = TAG.exec(header) ?? unreadable()
    if (tag === undefined) continue
    tags += 1
    if (tags > MAX_TAGS) unreadable()
    if (weak === undefined) versions.add(tag.split('.', 1)[0] as string)
  }
  return tags === 0 ? unreadable() : versions
}

/**
 * Returns the entity tag of a version or one representation (RFC 9110, 8.8.1): version, dot, content tag. The version is readable without
 * rendering.
 */
export const tagOf = (version: string | number, tagOfContent = '""') =>
  tagOfContent === '""' ? `"${version}"` : `"${version}.${tagOfContent.slice(1)}`

/** Derives a version from 160 bits of the digest. */
export const versionOf = (form: object): string =>
  hash('sha256', JSON.stringify(form), 'buffer').toString('base64url', 0, 20)

/**
 * Requires a locked row, or a write that asserts the version.
 * @throws Problem 412 if no version matches
 */
export function assertMatch(ifMatch: IfMatch, version: string | number): void {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch.has(String(version))) return
  throw new Problem(
    412,
    'The resource has changed since the version in If-Match; nothing was changed. Read it again and send its current ETag.',
    { title: 'Precondition Failed', code: 'VERSION_CHANGED' },
  )
}

function unreadable(): never {
  throw new Problem(
    400,
    `Invalid If-Match: send * or at most ${MAX_TAGS} quoted entity tags as in the header ETag, such as "3.x1Yz".`,
    { framework: 'FW_ERR_VALIDATION' },
  )
}
