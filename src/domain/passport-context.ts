const DATE_TIME = 'http://www.w3.org/2001/XMLSchema#dateTime'

/** Terms that are more than text or number; every other key is a property of the vocabulary through `@vocab`. */
const TYPED: Readonly<Record<string, string>> = {
  createdAt: DATE_TIME,
  updatedAt: DATE_TIME,
  archivedAt: DATE_TIME,
  retentionUntil: DATE_TIME,
  created: DATE_TIME,
  genTime: DATE_TIME,
  digitalLinkUri: '@id',
  verificationMethod: '@id',
}

/**
 * The JSON-LD context of passport documents, served at `/context/v1`. It gives every key a meaning, so that a strict
 * processor loses none.
 */
export function passportContext(baseUrl: string): object {
  const namespace = `${baseUrl}/ns/dpp#`
  return {
    '@context': {
      '@version': 1.1,
      '@vocab': namespace,
      dpp: namespace,
      ...Object.fromEntries(
        Object.entries(TYPED).map(([term, type]) => [term, { '@id': `${namespace}${term}`, '@type': type }]),
      ),
    },
  }
}
