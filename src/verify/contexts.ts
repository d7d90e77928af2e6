import { BASE, type Contexts, withBase } from '../domain/contexts.ts'
import { didWeb } from '../domain/issuer.ts'
import { isRecord } from '../domain/record.ts'
import type { Documents } from './documents.ts'
import { readJson } from './json.ts'
import { shown } from './outcome.ts'

export class UnknownContext extends Error {
  /** True if it may not be shipped. */
  readonly isKnown: boolean

  constructor(url: string, isKnown: boolean) {
    super(`Unknown context ${shown(url)}; contexts are not fetched.`)
    this.isKnown = isKnown
  }
}

/** Loads contexts without fetching, so a credential cannot make the verifier call addresses. */
export function contextLoader(contexts: Contexts, given: ReadonlyMap<string, object> = new Map()): DocumentLoader {
  return async (url) => {
    const document = contexts.get(url) ?? given.get(url)
    if (document === undefined) throw new UnknownContext(url, contexts.has(url))
    return { documentUrl: url, document, contextUrl: null }
  }
}

/** Loads contexts that may not be shipped from the verifier's folder, if present. */
export async function ownContexts(contexts: Contexts, vocabulary: Documents | undefined): Promise<Map<string, object>> {
  const found = new Map<string, object>()
  if (vocabulary === undefined) return found
  for (const [url, shipped] of contexts) {
    if (shipped !== null) continue
    const text = await vocabulary.read(url, 'application/ld+json').catch(() => undefined)
    const context = text === undefined ? undefined : readJson(text, url)
    if (isRecord(context)) found.set(url, context)
  }
  return found
}

/** Matches contexts of the issuer's gateway by address. */
export function issuersContexts(
  contexts: Contexts,
  named: readonly unknown[],
  issuer: string | undefined,
): Map<string, object> {
  const found = new Map<string, object>()
  for (const [address, document] of contexts) {
    if (document === null || !('@context' in document) || !address.startsWith(BASE)) continue
    const path = address.slice(BASE.length)
    for (const url of named) {
      if (typeof url !== 'string' || !url.endsWith(path)) continue
      const base = url.slice(0, -path.length)
      const isIssuers = URL.canParse(base) && issuer?.startsWith(`${didWeb(`${base}/tenants`)}:`)
      if (isIssuers) found.set(url, withBase(document, base))
    }
  }
  return found
}
