import type { Cradle } from '../cradle.ts'
import { BASE, withBase } from '../domain/contexts.ts'
import { negotiate } from '../domain/negotiate.ts'
import type { operations } from '../generated/openapi.ts'
import type { Term, VocabularyView } from '../plugin/contracts.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'
import { SEMANTIC_REPOSITORY } from '../plugin/semantic-repository.ts'

declare module '../cradle.ts' {
  interface Cradle {
    vocabulary: ReturnType<typeof vocabulary>
  }
}

/** JSON-LD context, its terms, and SD-JWT type metadata (draft-ietf-oauth-sd-jwt-vc, section 6), from `contexts`. */
export default function vocabulary({ config, plugins }: Cradle) {
  const served = (path: string) => withBase(plugins.contexts.get(`${BASE}${path}`) as object, config.baseUrl)
  const terms: VocabularyView = {
    namespace: `${config.baseUrl}/ns/dpp#`,
    terms: Object.entries(served('/ns/dpp')),
    categories: termsOfCategories(plugins),
  }
  const context = JSON.stringify(served('/context/v1'))
  const credentialType = served('/vct/digital-product-passport') as CredentialType
  const jsonLd = JSON.stringify(graph(terms, SEMANTIC_REPOSITORY))

  return { context, credentialType, terms, jsonLd, isAskedAsJsonLd }
}

const isAskedAsJsonLd = (accept: string | undefined) => negotiate(accept, FORMS)?.name === 'jsonld'

const FORMS = [
  { name: 'html', mediaTypes: ['text/html'] },
  { name: 'jsonld', mediaTypes: ['application/ld+json', 'application/json'] },
]

type CredentialType = operations['getCredentialType']['responses']['200']['content']['application/json']

const termsOfCategories = ({ categories }: LoadedPlugins): VocabularyView['categories'] =>
  [...categories.values()].flatMap(({ plugin, schema }) => {
    const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { description?: string }> }
    const terms = Object.entries(properties).map(([term, { description = '' }]): Term => [term, description])
    return terms.length === 0 ? [] : [{ category: plugin.name, terms }]
  })

/**
 * Renders terms as RDF Schema; equal keys of several categories are one property.
 * @param matches external IRIs by term
 * @throws Error for an unknown term or invalid IRI
 */
export function graph(
  { namespace, terms, categories }: VocabularyView,
  matches: Readonly<Record<string, string>>,
): { readonly '@context': object; readonly '@graph': readonly object[] } {
  const texts = new Map(terms)
  for (const [term, text] of categories.flatMap((category) => category.terms)) {
    if (!texts.has(term)) texts.set(term, text)
  }
  for (const [term, iri] of Object.entries(matches)) {
    if (!texts.has(term)) throw new Error(`contexts/semantic-repository.json: term ${term} is missing.`)
    if (!URL.canParse(iri)) throw new Error(`contexts/semantic-repository.json: ${term} must have an IRI, not ${iri}.`)
  }
  const exactMatches = new Map(Object.entries(matches))
  return {
    '@context': {
      '@version': 1.1,
      rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
      rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
      label: 'rdfs:label',
      comment: 'rdfs:comment',
      isDefinedBy: { '@id': 'rdfs:isDefinedBy', '@type': '@id' },
      exactMatch: { '@id': 'http://www.w3.org/2004/02/skos/core#exactMatch', '@type': '@id' },
    },
    '@graph': [...texts].map(([term, text]) => ({
      '@id': `${namespace}${encodeURIComponent(term)}`,
      '@type': /^[A-Z]/.test(term) ? 'rdfs:Class' : 'rdf:Property',
      label: term,
      comment: text === '' ? undefined : text,
      isDefinedBy: namespace.slice(0, -1),
      exactMatch: exactMatches.get(term),
    })),
  }
}
