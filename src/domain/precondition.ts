import { hash } from 'node:crypto'
import { Problem } from './problem.ts'

/** More are of no use to anybody, and are refused. */
const MAX_TAGS = 64

/** One tag of a list and the comma behind it (RFC 9110, 8.8.3 and 5.6.1). */
const TAG = /(?<![ \t])[ \t]*(?:(W\/)?"([^"]*)"[ \t]*)?(?:,|$)/y

/** What `If-Match` names (RFC 9110, 13.1.1): versions of which one must be the current one, or any; undefined: nothing. */
export type IfMatch = ReadonlySet<string> | '*' | undefined

/**
 * Reads `If-Match`. Of each tag its version is kept, see {@link tagOf}; weak tags say nothing of a version and never match.
 * @throws Problem 400 for what is no list of entity tags, or too long a one
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
 * The entity tag of a version, or of one of its representations, each of which needs a tag of its own (RFC 9110, 8.8.1):
 * the version, a dot, and the tag of the content. So that a version is told without being rendered.
 */
export const tagOf = (version: string | number, tagOfContent = '""') =>
  tagOfContent === '""' ? `"${version}"` : `"${version}.${tagOfContent.slice(1)}`

/** The version of what counts none: 160 bits of the digest of what its owner reads of it. */
export const versionOf = (form: object): string =>
  hash('sha256', JSON.stringify(form), 'buffer').toString('base64url', 0, 20)

/**
 * To be asked on a row that is locked, or whose version the write asserts.
 * @throws Problem 412 where the current version is none of those that `If-Match` names
 */
export function assertMatch(ifMatch: IfMatch, version: string | number): void {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch.has(String(version))) return
  throw new Problem(
    412,
    'It has changed since the version that If-Match names, and nothing was done. Read it again, and send the ETag of that answer.',
    { title: 'Precondition Failed', code: 'VERSION_CHANGED' },
  )
}

function unreadable(): never {
  throw new Problem(
    400,
    `If-Match must be * or at most ${MAX_TAGS} entity tags, each in its quotes as the header ETag gave it, such as "3.x1Yz".`,
    { framework: 'FW_ERR_VALIDATION' },
  )
}
