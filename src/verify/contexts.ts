import { BASE, type Contexts, withBase } from '../domain/contexts.ts'
import { didWeb } from '../domain/credentials/issuer.ts'
import { isRecord } from '../domain/record.ts'
import type { Documents } from './documents.ts'
import { readJson } from './json.ts'
import { shown } from './outcome.ts'

/** A context that is not there. */
export class UnknownContext extends Error {
  /** Whether it is one that may not be shipped, which is fixed by its address and whose terms its schema checks. */
  readonly isKnown: boolean

  constructor(url: string, isKnown: boolean) {
    super(`The context ${shown(url)} is not known here, and none is fetched.`)
    this.isKnown = isKnown
  }
}

/**
 * A static JSON-LD document loader: whatever is not in one of the two is refused, and nothing is fetched. That is also
 * what keeps a credential from making the verifier call addresses.
 */
export function contextLoader(contexts: Contexts, given: ReadonlyMap<string, object> = new Map()): DocumentLoader {
  return async (url) => {
    const document = contexts.get(url) ?? given.get(url)
    if (document === undefined) throw new UnknownContext(url, contexts.has(url))
    return { documentUrl: url, document, contextUrl: null }
  }
}

/** The contexts that may not be shipped, from the verifier's own folder, as far as they are there. */
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

/** What this issuer's gateway serves of the contexts that a credential names: it follows from its address alone. */
export function issuersContexts(
  contexts: Contexts,
  named: readonly unknown[],
  issuer: string | undefined,
): Map<string, object> {
  const found = new Map<string, object>()
  for (const [address, document] of contexts) {
    // Other documents of a gateway would define nothing.
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
