import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Eta } from 'eta'
import type { Cradle } from '../cradle.ts'
import { BASE, withBase } from '../domain/contexts.ts'
import { negotiate } from '../domain/negotiate.ts'
import type { operations } from '../generated/openapi.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'
import { ROOT } from '../root.ts'

declare module '../cradle.ts' {
  interface Cradle {
    vocabulary: ReturnType<typeof vocabulary>
  }
}

/**
 * The JSON-LD context of passport documents, a readable page of the terms that it names, and the type metadata of our
 * SD-JWT credentials (draft-ietf-oauth-sd-jwt-vc, section 6); all are made of what `contexts` holds.
 */
export default function vocabulary({ config, plugins }: Cradle) {
  const served = (path: string) => withBase(plugins.contexts.get(`${BASE}${path}`) as object, config.baseUrl)
  const vocabulary: Vocabulary = {
    namespace: `${config.baseUrl}/ns/dpp#`,
    terms: Object.entries(served('/ns/dpp')),
    categories: termsOfCategories(plugins),
  }
  const context = JSON.stringify(served('/context/v1'))
  const credentialType = served('/vct/digital-product-passport') as CredentialType
  const html = new Eta().renderString(readFileSync(join(ROOT, 'contexts/vocabulary.eta'), 'utf8'), vocabulary)
  const jsonLd = JSON.stringify(graph(vocabulary))

  return { context, credentialType, describe }

  /** `/ns/dpp`: a page, or JSON-LD where the caller prefers it. */
  function describe(accept: string | undefined): { contentType: string; body: string } {
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

type Term = readonly [term: string, text: string]

/** The terms of passports, and those of every category that has a schema. */
interface Vocabulary {
  readonly namespace: string
  readonly terms: readonly Term[]
  readonly categories: readonly { readonly category: string; readonly terms: readonly Term[] }[]
}

const termsOfCategories = ({ categories }: LoadedPlugins): Vocabulary['categories'] =>
  [...categories.values()].flatMap(({ plugin, schema }) => {
    const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { description?: string }> }
    const terms = Object.entries(properties).map(([term, { description = '' }]): Term => [term, description])
    return terms.length === 0 ? [] : [{ category: plugin.name, terms }]
  })

/** The terms as RDF Schema; a key that several categories have is one property. */
function graph({ namespace, terms, categories }: Vocabulary): object {
  const texts = new Map(terms)
  for (const [term, text] of categories.flatMap((category) => category.terms)) {
    if (!texts.has(term)) texts.set(term, text)
  }
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
      comment: text === '' ? undefined : text,
      isDefinedBy: namespace.slice(0, -1),
    })),
  }
}
