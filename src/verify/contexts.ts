import type { Documents } from './documents.ts'

const UNTP_CONTEXTS = [
  'https://vocabulary.uncefact.org/untp/0.7.0/context/',
  'https://test.uncefact.org/vocabulary/untp/dpp/0.6.1/',
]

/** A context that is neither built in nor in the folder of documents. */
export class UnknownContext extends Error {}

/** The contexts of W3C, which come with the gateway. */
export async function builtInContexts(): Promise<ReadonlyMap<string, object>> {
  const [credentials, integrity, multikey, did] = await Promise.all([
    import('@digitalbazaar/credentials-context'),
    import('@digitalbazaar/data-integrity-context'),
    import('@digitalbazaar/multikey-context'),
    import('did-context'),
  ])
  return new Map([
    ...credentials.contexts,
    ...integrity.default.contexts,
    ...multikey.default.contexts,
    ...did.default.contexts,
  ])
}

/**
 * A static JSON-LD document loader: whatever is not built in or given is refused, and nothing is fetched. That is also
 * what keeps a credential from making the verifier call addresses.
 */
export async function contextLoader(given: ReadonlyMap<string, object>): Promise<DocumentLoader> {
  const builtIn = await builtInContexts()
  return async (url) => {
    const document = builtIn.get(url) ?? given.get(url)
    if (document === undefined) throw new UnknownContext(`The context ${url} is not known here, and none is fetched.`)
    return { documentUrl: url, document, contextUrl: null }
  }
}

/** UNTP's contexts from a folder of documents, as far as they are there. They may not be shipped with the gateway. */
export async function untpContexts(documents: Documents): Promise<Map<string, object>> {
  const found = new Map<string, object>()
  for (const url of UNTP_CONTEXTS) {
    const text = await documents.read(url, 'application/ld+json').catch(() => undefined)
    if (text !== undefined) found.set(url, JSON.parse(text))
  }
  return found
}
