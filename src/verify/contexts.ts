import { didWeb } from '../domain/credentials/issuer.ts'
import { passportContext } from '../domain/passport-context.ts'
import { isRecord } from '../domain/record.ts'
import type { Documents } from './documents.ts'
import { readJson } from './json.ts'
import { shown } from './outcome.ts'

const UNTP_CONTEXTS = [
  'https://vocabulary.uncefact.org/untp/0.7.0/context/',
  'https://test.uncefact.org/vocabulary/untp/dpp/0.6.1/',
]

/** A context that is neither built in nor given. */
export class UnknownContext extends Error {
  readonly url: string

  constructor(url: string) {
    super(`The context ${shown(url)} is not known here, and none is fetched.`)
    this.url = url
  }

  /** One of UNTP's, which are fixed by their address and whose terms the schema checks. */
  get isOfUntp(): boolean {
    return UNTP_CONTEXTS.includes(this.url)
  }
}

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
    if (document === undefined) throw new UnknownContext(url)
    return { documentUrl: url, document, contextUrl: null }
  }
}

/** UNTP's contexts from the verifier's own folder, as far as they are there. They may not be shipped with the gateway. */
export async function untpContexts(vocabulary: Documents | undefined): Promise<Map<string, object>> {
  const found = new Map<string, object>()
  for (const url of vocabulary === undefined ? [] : UNTP_CONTEXTS) {
    const text = await vocabulary?.read(url, 'application/ld+json').catch(() => undefined)
    const context = text === undefined ? undefined : readJson(text, url)
    if (isRecord(context)) found.set(url, context)
  }
  return found
}

/** Schemas that are applied, from the verifier's own folder; whoever names another brings patterns of his own. */
export const UNTP_SCHEMAS: readonly string[] = [
  'https://untp.unece.org/artefacts/schema/v0.7.0/dpp/DigitalProductPassport.json',
  'https://test.uncefact.org/vocabulary/untp/dpp/untp-dpp-schema-0.6.1.json',
]

const PASSPORT_CONTEXT = '/context/v1'

/** The contexts of passport documents that this issuer's gateway serves: they follow from its address alone. */
export function issuersContexts(contexts: readonly unknown[], issuer: string | undefined): Map<string, object> {
  const bases = contexts.flatMap((url) =>
    typeof url === 'string' && url.endsWith(PASSPORT_CONTEXT) ? [url.slice(0, -PASSPORT_CONTEXT.length)] : [],
  )
  const own = bases.filter((base) => URL.canParse(base) && issuer?.startsWith(`${didWeb(`${base}/tenants`)}:`))
  return new Map(own.map((base) => [`${base}${PASSPORT_CONTEXT}`, passportContext(base)]))
}
