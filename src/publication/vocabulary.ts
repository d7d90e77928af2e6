import type { Cradle } from '../cradle.ts'
import { credentialTypeUrl } from '../domain/credentials/sd-jwt-vc.ts'
import { negotiate } from '../domain/negotiate.ts'
import { passportContext } from '../domain/passport-context.ts'
import type { operations } from '../generated/openapi.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'

const TERMS: Readonly<Record<string, string>> = {
  DigitalProductPassport: 'The passport of one product, issued on behalf of one economic operator.',
  EconomicOperator: 'Who places the product on the market.',
  Facility: 'Where the product was made.',
  MerkleTreeAttestationProof: 'A seal over the metadata: a signature over the root of a salted Merkle tree.',
  productId: 'GTIN-14, GRAI, or a free-form identifier of the issuer.',
  digitalLinkUri: 'GS1 Digital Link of the product, or the link that stands in for it.',
  status: 'DRAFT, ACTIVE, RECALLED or DECOMMISSIONED.',
  archivedAt: 'When the passport was archived with its economic operator.',
  retentionUntil: 'Until when the passport is kept.',
  createdAt: 'When the passport was created.',
  updatedAt: 'When the passport was last changed.',
  economicOperator: 'The economic operator of the passport.',
  manufacturingFacility: 'The facility where the product was made.',
  metadata: 'The category-specific content, which the seal covers.',
  digitalSeal: 'Base64 of the seal’s DER signature.',
  signingPublicKey: 'Public key of the seal, as PEM.',
  proof: 'Everything that is needed to check the seal.',
  merkleRoot: 'Root of the Merkle tree, as hexadecimal SHA-256.',
  redactedLeaves: 'Leaf hashes of the values that are masked for the reader.',
  salts: 'Salts of the leaves whose values the reader sees.',
  x5c: 'Certificates of the key of the seal, leaf first, each Base64 of DER.',
  rfc3161: 'Timestamp of the seal by an RFC 3161 authority.',
  genTime: 'Time that a timestamp says.',
  GeneralProductInformation: 'AAS submodel with what identifies a passport, its status, and its facility.',
  ComplianceMetadata: 'AAS submodel with the metadata: one property for each key, lists and groups as JSON text.',
  eidasVerificationSeal: 'AAS submodel with the seal, and with what is needed to check it.',
  regId: 'Registration id of an economic operator.',
  role: 'Role of an economic operator.',
  gln: 'GS1 Global Location Number.',
  name: 'Name.',
  activity: 'What is done at a facility.',
  country: 'Country, ISO 3166-1 alpha-2.',
}

declare module '../cradle.ts' {
  interface Cradle {
    vocabulary: ReturnType<typeof vocabulary>
  }
}

/** The JSON-LD context of passport documents, and a readable page of the terms that it names. */
export default function vocabulary({ config, plugins }: Cradle) {
  const namespace = `${config.baseUrl}/ns/dpp#`
  const context = JSON.stringify(passportContext(config.baseUrl))
  const html = page(namespace, plugins)
  const jsonLd = JSON.stringify(graph(namespace, plugins))
  const credentialType = credentialTypeOf(config.baseUrl)

  return { context, credentialType, vocabulary }

  /** `/ns/dpp`: a page, or JSON-LD where the caller prefers it. */
  function vocabulary(accept: string | undefined): { contentType: string; body: string } {
    return negotiate(accept, FORMS)?.name === 'jsonld'
      ? { contentType: 'application/ld+json', body: jsonLd }
      : { contentType: 'text/html; charset=utf-8', body: html }
  }
}

const FORMS = [
  { name: 'html', mediaTypes: ['text/html'] },
  { name: 'jsonld', mediaTypes: ['application/ld+json', 'application/json'] },
]

type CredentialType = operations['getCredentialType']['responses']['200']['content']['application/json']

function credentialTypeOf(baseUrl: string): CredentialType {
  const claim = (path: string[], sd: 'allowed' | 'never', label: string) => ({
    path: ['credentialSubject', ...path],
    sd,
    display: [{ locale: 'en', label }],
  })
  return {
    vct: credentialTypeUrl(baseUrl),
    name: 'Digital Product Passport',
    description: 'UNTP Digital Product Passport of a product model, with selective disclosure.',
    display: [{ locale: 'en', name: 'Digital Product Passport' }],
    claims: [
      claim(['id'], 'never', 'Product'),
      claim(['name'], 'never', 'Name'),
      claim(['idScheme'], 'never', 'Identifier scheme'),
      claim(['idGranularity'], 'never', 'Granularity'),
      claim(['productCategory'], 'never', 'Category'),
      claim(['relatedParty'], 'allowed', 'Economic operators'),
      claim(['producedAtFacility'], 'allowed', 'Facility'),
      claim(['countryOfProduction'], 'allowed', 'Country of production'),
      claim(['materialProvenance'], 'allowed', 'Materials'),
      claim(['performanceClaim'], 'allowed', 'Performance'),
      claim(['characteristics'], 'allowed', 'Characteristics'),
    ],
  }
}

function categoryTerms(plugins: LoadedPlugins): { category: string; terms: [term: string, text: string][] }[] {
  return [...plugins.categories.values()].map(({ plugin, schema }) => {
    const properties =
      (schema as { properties?: Record<string, { description?: string }> } | undefined)?.properties ?? {}
    const terms = Object.entries(properties).map(([term, { description = '' }]): [string, string] => [
      term,
      description,
    ])
    return { category: plugin.name, terms }
  })
}

/** The terms as RDF Schema; a key that several categories have is one property. */
function graph(namespace: string, plugins: LoadedPlugins): object {
  const texts = new Map(Object.entries(TERMS))
  for (const { terms } of categoryTerms(plugins))
    for (const [term, text] of terms) if (!texts.has(term)) texts.set(term, text)
  return {
    '@context': {
      '@version': 1.1,
      rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
      rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
      label: 'rdfs:label',
      comment: 'rdfs:comment',
      isDefinedBy: { '@id': 'rdfs:isDefinedBy', '@type': '@id' },
    },
    '@graph': [...texts].map(([term, text]) => ({
      '@id': `${namespace}${encodeURIComponent(term)}`,
      '@type': /^[A-Z]/.test(term) ? 'rdfs:Class' : 'rdf:Property',
      label: term,
      ...(text === '' ? {} : { comment: text }),
      isDefinedBy: namespace.slice(0, -1),
    })),
  }
}

function page(namespace: string, plugins: LoadedPlugins): string {
  const categories = categoryTerms(plugins).map(({ category, terms }) =>
    terms.length === 0 ? '' : `<h2>${escapeHtml(category)}</h2>${list(terms, false)}`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Digital Product Passport vocabulary</title>
<style>
:root { color-scheme: light dark }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 2rem 1rem }
code, dt { font-family: ui-monospace, monospace; overflow-wrap: anywhere }
dt { font-weight: 600; margin-top: 1rem } dd { margin: 0 }
h1 { line-height: 1.2 } h2 { margin-top: 2.5rem; text-transform: capitalize }
:target { outline: 2px solid; outline-offset: .3rem }
</style></head><body><main>
<h1>Digital Product Passport vocabulary</h1>
<p>The terms of passport documents. Each is an address below <code>${escapeHtml(namespace)}</code>; the JSON-LD context
is at <a href="/context/v1">/context/v1</a>. Metadata keys of any category are terms of this vocabulary too.</p>
<h2>Passport</h2>${list(Object.entries(TERMS), true)}${categories.join('')}
</main></body></html>
`
}

// Only the first definition of a term is the target of its address.
const list = (terms: readonly (readonly [string, string])[], isTarget: boolean) =>
  `<dl>${terms
    .map(
      ([term, text]) =>
        `<dt${isTarget ? ` id="${escapeHtml(term)}"` : ''}>${escapeHtml(term)}</dt><dd>${escapeHtml(text)}</dd>`,
    )
    .join('')}</dl>`

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
