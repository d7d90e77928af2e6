import { RESTRICTED } from './clean-documents.ts'
import type { Change, Request, Response } from './clean-service.ts'

// Each fault changes one thing of the clean service.

interface PlantedFault {
  readonly title: string
  /** The check that finds it. */
  readonly finds: string
  readonly change: Change
}

type When = (request: Request, response: Response) => boolean
// biome-ignore lint/suspicious/noExplicitAny: faults change documents of any form.
type Edit = (document: any) => unknown

const at =
  (when: When, edit: (response: Response, request: Request) => Response): Change =>
  (response, request) =>
    when(request, response) ? edit(response, request) : response

const withStatus = (status: number) => (response: Response) => ({ ...response, status })
const withBody = (body: string) => (response: Response) => ({ ...response, body })
const withHeader = (name: string, value: string) => (response: Response) => ({
  ...response,
  headers: { ...response.headers, [name]: value },
})
const without = (name: string) => (response: Response) => {
  const { [name]: _, ...headers } = response.headers
  return { ...response, headers }
}
const edited = (edit: Edit) => (response: Response) => {
  const document = JSON.parse(response.body)
  return { ...response, body: JSON.stringify(edit(document) ?? document) }
}

const isOk: When = (_, { status }) => status === 200
const isError: When = (_, { status }) => status >= 400
const both =
  (...all: When[]): When =>
  (request, response) =>
    all.every((when) => when(request, response))
const path =
  (pattern: RegExp): When =>
  ({ path: text }) =>
    pattern.test(text)
const type =
  (name: string): When =>
  (_, { headers }) =>
    headers['content-type']?.startsWith(name) === true

const isRead: When = (request, response) => path(/^\/v1\/dpps\/[^/]+$/)(request, response) && isOk(request, response)
const isForm = (form: 'compressed' | 'full'): When =>
  both(isRead, ({ query }) => (query.get('representation') ?? 'compressed') === form)
const isCompressed = isForm('compressed')
const isFull = isForm('full')
const isProduct = both(path(/^\/v1\/dppsByProductId\//), isOk)
const isSearch = path(/^\/v1\/dppsByProductIds$/)
const isElement = path(/\/elements\//)
const isVersion = path(/^\/v1\/dppsByIdAndDate\//)
const isLink = path(/^\/01\//)
const isLinkset = type('application/linkset+json')
const isPage = both(isLink, type('text/html'))
const isJson = both(isLink, isOk, type('application/json'))
const isAnonymous: When = ({ headers }) => headers.authorization === undefined

const fault = (finds: string, title: string, when: When, edit: (response: Response, request: Request) => Response) => ({
  ...{ finds, title },
  change: at(when, edit),
})

/** Changes the elements of a full document. */
const ofElement = (name: string, edit: Edit) =>
  edited((document) => {
    for (const element of document.elements) if (element.elementId === name) edit(element)
  })

const ofLinks = (edit: Edit) =>
  edited(({ linkset }) => {
    for (const [name, links] of Object.entries<unknown>(linkset[0])) if (Array.isArray(links)) edit({ name, links })
    return { linkset }
  })

/** Changes the decoded header or payload of a token; the signature stays. */
const ofToken = (index: 0 | 1, edit: Edit) => (response: Response) => {
  const [token = '', ...rest] = response.body.split('~')
  const parts = token.split('.')
  const decoded = JSON.parse(Buffer.from(parts[index] ?? '', 'base64url').toString())
  parts[index] = Buffer.from(JSON.stringify(edit(decoded) ?? decoded)).toString('base64url')
  return { ...response, body: [parts.join('.'), ...rest].join('~') }
}

const isVcJwt = both(isLink, type('application/vc+jwt'))
const isSdJwt = type('application/dc+sd-jwt')

const HTTP_FAULTS: readonly PlantedFault[] = [
  fault(
    'http.head',
    'HEAD responds with another type',
    ({ method }) => method === 'HEAD',
    withHeader('content-type', 'text/plain'),
  ),
  fault('http.cross-origin', 'pages of other origins are excluded', isLink, without('access-control-allow-origin')),
  fault('http.unknown-address', 'an unknown address responds with 200', path(/^\/no-such/), withStatus(200)),
  fault('http.vary', 'the page does not vary by Accept', isPage, withHeader('vary', 'Origin')),
  fault(
    'http.quality-values',
    'quality values are ignored',
    both(isJson, ({ headers }) => (headers.accept ?? '').includes('text/html')),
    (response) => ({
      ...response,
      headers: { ...response.headers, 'content-type': 'text/html' },
    }),
  ),
  fault(
    'http.broken-query',
    'a malformed query is a server error',
    (request) => request.query.has('a'),
    withStatus(500),
  ),
  fault('http.compression', 'a response claims a compression', isPage, withHeader('content-encoding', 'br')),
  fault('caching.etag', 'the passport has no entity tag', isJson, without('etag')),
  fault('caching.not-modified', 'conditional requests are ignored', isJson, withHeader('x-unconditional', 'yes')),
  fault('caching.tags-of-formats', 'all formats have one entity tag', both(isLink, isOk), withHeader('etag', '"same"')),
  fault('caching.cache-control', 'caching is not stated', isJson, without('cache-control')),
  fault(
    'caching.fresh',
    'the passport is cached for a year',
    isJson,
    withHeader('cache-control', 'public, max-age=31536000, immutable'),
  ),
  fault('caching.no-cookies', 'the passport sets a cookie', isJson, withHeader('set-cookie', 'visitor=1')),
  fault(
    'caching.stable',
    'the passport has the time of reading',
    isJson,
    edited((document) => ({ ...document, readAt: process.hrtime().join() })),
  ),
  fault(
    'caching.restricted-view',
    'a restricted view is stored by caches',
    isJson,
    withHeader('cache-control', 'public, max-age=60'),
  ),
]

const IDENTIFIER_FAULTS: readonly PlantedFault[] = [
  fault('en18216.passport-json', 'the default format is XML', isJson, withHeader('content-type', 'application/xml')),
  fault('en18216.html', 'there is no page', isPage, withStatus(406)),
  fault('en18216.html-alternatives', 'a picture has no alternative text', isPage, (response) =>
    withBody(response.body.replace(/ alt="[^"]*"/, ''))(response),
  ),
  fault(
    'en18219.resolves',
    'the link leads to another product',
    isJson,
    edited((document) => ({ ...document, uniqueProductIdentifier: 'https://other.example/1' })),
  ),
  fault('en18219.without-credentials', 'the passport requires a login', both(isLink, isAnonymous), withStatus(401)),
  fault(
    'en18219.economicOperatorId-did',
    'the DID document belongs to another DID',
    path(/did\.json$/),
    edited((document) => ({ ...document, id: 'did:web:other.example' })),
  ),
  fault(
    'en18219.facilityId-check-digit',
    'the GLN has a wrong check digit',
    isCompressed,
    edited((document) => ({ ...document, facilityId: 'https://id.gs1.org/414/9506000134353' })),
  ),
  fault(
    'en18219.economicOperatorId-scheme',
    'the operator has no scheme',
    isCompressed,
    edited((document) => ({ ...document, economicOperatorId: 'Maker Ltd.' })),
  ),
]

const SERVICE_FAULTS: readonly PlantedFault[] = [
  fault('en18222.read-by-id', 'the type of a passport is text', isRead, withHeader('content-type', 'text/plain')),
  fault(
    'en18222.read-by-id-identifier',
    'another identifier is returned',
    isCompressed,
    edited((document) => ({ ...document, digitalProductPassportId: 'urn:other' })),
  ),
  fault(
    'en18222.read-by-product-identifier',
    'the product identifier is changed',
    isProduct,
    edited((document) => ({ ...document, uniqueProductIdentifier: `${document.uniqueProductIdentifier}/` })),
  ),
  fault(
    'en18222.same-document',
    'the product has another version',
    isProduct,
    edited((document) => ({ ...document, cycles: 1 })),
  ),
  fault(
    'en18222.default-form',
    'the full form is the default',
    isCompressed,
    edited((document) => ({ ...document, elements: [] })),
  ),
  fault(
    'en18222.full-form',
    'the full form is not offered',
    isFull,
    edited(({ elements: _, ...document }) => document),
  ),
  fault(
    'en18222.unknown-form',
    'an unknown form is ignored',
    both(path(/^\/v1\/dpps\//), ({ query }) => query.get('representation') === 'unknown-form'),
    withStatus(200),
  ),
  fault('en18222.lower-case-escapes', 'small letters in escapes are not decoded', path(/%3a/), withStatus(404)),
  fault('en18222.double-encoding', 'identifiers are decoded twice', path(/%25/), withStatus(200)),
  fault('en18222-search.finds', 'the search finds nothing', both(isSearch, isOk), withBody('{"dppIds":[]}')),
  fault(
    'en18222-search.not-json',
    'a malformed body is a server error',
    both(isSearch, ({ body }) => body.startsWith('{not')),
    withStatus(500),
  ),
  fault(
    'en18222-search.wrong-type',
    'a wrong type is ignored',
    both(isSearch, ({ body }) => body.includes('42')),
    (response) => ({ ...response, status: 200, body: '[]' }),
  ),
  fault(
    'en18222-search.limit-zero',
    'a limit of 0 is ignored',
    both(isSearch, ({ query }) => query.get('limit') === '0'),
    withStatus(200),
  ),
  fault(
    'en18222-search.repeated',
    'a passport is found twice',
    both(isSearch, isOk),
    edited(({ dppIds }) => ({ dppIds: [...dppIds, ...dppIds] })),
  ),
  fault('en18222-elements.read', 'elements are not found', both(isElement, isOk), withStatus(404)),
  fault('en18222-elements.value', 'an element is wrapped', both(isElement, isOk), (response) =>
    withBody(`{"value":${response.body}}`)(response),
  ),
  fault(
    'en18222-elements.not-a-path',
    'a malformed path is not found',
    both(isElement, path(/%24%5B$/)),
    withStatus(404),
  ),
  fault('en18222-elements.wildcard', 'a wildcard returns all elements', both(isElement, path(/%2A/)), (response) => ({
    ...response,
    status: 200,
    body: '[1]',
  })),
  fault(
    'en18222-elements.inherited',
    'an inherited member is an element',
    both(isElement, path(/constructor/)),
    (response) => ({ ...response, status: 200, body: '{}' }),
  ),
  fault('en18222-versions.now', 'versions are not found', both(isVersion, isOk), withStatus(404)),
  fault(
    'en18222-versions.bad-date',
    'a malformed date is ignored',
    both(isVersion, ({ query }) => query.get('date') === 'yesterday'),
    withStatus(200),
  ),
  fault(
    'en18222-versions.before-first',
    'the passport is older than its first version',
    both(isVersion, ({ query }) => query.get('date')?.startsWith('1970') === true),
    withStatus(200),
  ),
  fault(
    'en18222-errors.unknown-passport',
    'an unknown passport is a server error',
    both(path(/^\/v1\/dpps\/[^/]+$/), isError),
    withStatus(500),
  ),
  fault(
    'en18222-errors.message',
    'an error has one text',
    both(path(/^\/v1\//), isError),
    edited((document) => ({ ...document, message: 'Not found.' })),
  ),
  fault(
    'en18222-errors.message-type',
    'a message has another type',
    both(path(/^\/v1\//), isError),
    edited((document) => ({ ...document, message: [{ messageType: 'Fatal', text: 'x' }] })),
  ),
  fault(
    'en18222-errors.no-details',
    'an error has a stack trace',
    both(path(/^\/v1\//), isError),
    edited((document) => ({ ...document, stack: 'Error\n    at read (/srv/app.js:1:2)' })),
  ),
  fault(
    'en18222-writes.update-anonymously',
    'anonymous updates are accepted',
    ({ method, headers }) => method === 'PATCH' && headers.authorization === undefined,
    withStatus(200),
  ),
  fault(
    'en18222-writes.create-anonymously',
    'anonymous creation is accepted',
    ({ method, path: text }) => method === 'POST' && text === '/v1/dpps',
    withStatus(201),
  ),
]

const DOCUMENT_FAULTS: readonly PlantedFault[] = [
  fault(
    'en18223.lastUpdated',
    'lastUpdated has no zone',
    isRead,
    edited((document) => ({ ...document, lastUpdated: '2026-03-01T10:00:00' })),
  ),
  fault(
    'en18223.names',
    'the draft name of the status is used',
    isRead,
    edited(({ dppStatus, ...document }) => ({ ...document, DPPStatus: dppStatus })),
  ),
  fault(
    'en18223.economicOperatorId',
    'the operator is missing',
    isRead,
    edited(({ economicOperatorId: _, ...document }) => document),
  ),
  fault(
    'en18223.granularity-values',
    'the granularity is lot',
    isRead,
    edited((document) => ({ ...document, granularity: 'lot' })),
  ),
  fault(
    'en18223.granularity-of-link',
    'a model states item',
    isRead,
    edited((document) => ({ ...document, granularity: 'item' })),
  ),
  fault(
    'en18223.compressed-empty',
    'a value is null',
    isCompressed,
    edited((document) => ({ ...document, cycles: null })),
  ),
  fault(
    'en18223.object-types',
    'an element has an unknown type',
    isFull,
    ofElement('cycles', (element) => Object.assign(element, { objectType: 'Property' })),
  ),
  fault(
    'en18223.unique-ids',
    'two elements have one identifier',
    isFull,
    edited((document) => ({ ...document, elements: [...document.elements, document.elements[1]] })),
  ),
  fault(
    'en18223.value-types',
    'a text has the type of a date',
    isFull,
    ofElement('manufacturedOn', (element) => Object.assign(element, { value: 'in January' })),
  ),
  fault(
    'en18223.collections',
    'a collection is empty',
    isFull,
    ofElement('casing', (element) => Object.assign(element, { elements: [] })),
  ),
  fault(
    'en18223.resources',
    'a resource has a relative address',
    isFull,
    ofElement('manual', (element) => Object.assign(element, { url: '/manual.pdf' })),
  ),
  fault(
    'en18223.languages',
    'a text has no language',
    isFull,
    ofElement('productName', (element) => Object.assign(element, { value: ['Battery pack'] })),
  ),
  fault(
    'en18223.full-content',
    'the full form lacks an element',
    isFull,
    edited((document) => ({ ...document, elements: document.elements.slice(1) })),
  ),
]

const RESOLVER_FAULTS: readonly PlantedFault[] = [
  fault('gs1.check-digit', 'a wrong check digit is accepted', both(isLink, path(/09506000134353/)), withStatus(200)),
  fault(
    'gs1.unknown-gtin',
    'an unknown GTIN leads to a page',
    both(isLink, isError, path(/^\/01\/0200/)),
    withStatus(200),
  ),
  fault('gs1.description', 'there is no description file', path(/gs1resolver/), withStatus(404)),
  fault(
    'gs1.description-keys',
    'the description lacks the key',
    path(/gs1resolver/),
    edited((document) => ({ ...document, supportedPrimaryKeys: ['8003'] })),
  ),
  fault('gs1.linkset', 'there is no link set', isLinkset, withStatus(404)),
  fault(
    'gs1.linkset-type',
    'the link set has the type of JSON',
    isLinkset,
    withHeader('content-type', 'application/json'),
  ),
  fault(
    'gs1.linkset-anchors',
    'an anchor is relative',
    isLinkset,
    edited(({ linkset }) => ({ linkset: [{ ...linkset[0], anchor: '/01/1' }] })),
  ),
  fault(
    'gs1.linkset-targets',
    'a target is relative',
    isLinkset,
    ofLinks(({ links }) => Object.assign(links[0], { href: '/passports/1' })),
  ),
  fault(
    'gs1.linkset-languages',
    'hreflang is a text',
    isLinkset,
    ofLinks(({ links }) => Object.assign(links[0], { hreflang: 'en' })),
  ),
  fault(
    'gs1.default-link',
    'the default link is missing',
    isLinkset,
    edited(({ linkset: [first] }) => {
      const entries = Object.entries(first).filter(([name]) => !name.endsWith('defaultLink'))
      return { linkset: [Object.fromEntries(entries)] }
    }),
  ),
  fault(
    'gs1.links-respond',
    'a link leads nowhere',
    isLinkset,
    ofLinks(
      ({ name, links }) => name.endsWith('pip') && Object.assign(links[0], { href: links[0].href.replace('/1', '/2') }),
    ),
  ),
  fault(
    'gs1.unknown-link-type',
    'an unknown link type leads to the passport',
    ({ query }) => query.get('linkType') === 'gs1:noSuchLinkType',
    withStatus(200),
  ),
  fault(
    'gs1.cross-origin-errors',
    'errors are closed to other origins',
    both(isLink, isError),
    without('access-control-allow-origin'),
  ),
]

const FORMAT_FAULTS: readonly PlantedFault[] = [
  fault(
    'aas.members',
    'a shell has an unknown member',
    type('application/aas+json'),
    edited((document) => {
      document.assetAdministrationShells[0].colour = 'red'
    }),
  ),
  fault(
    'aas.references',
    'a shell refers to a missing submodel',
    type('application/aas+json'),
    edited((document) => {
      document.submodels[0].id = 'urn:other'
    }),
  ),
  fault(
    'aas.values',
    'a property has a wrong value',
    type('application/aas+json'),
    edited((document) => {
      document.submodels[0].submodelElements[0].valueType = 'xs:integer'
    }),
  ),
  fault(
    'aas.unique-id-shorts',
    'two elements have one idShort',
    type('application/aas+json'),
    edited((document) => {
      document.submodels[0].submodelElements[1].idShort = document.submodels[0].submodelElements[0].idShort
    }),
  ),
  fault(
    'credentials.signature',
    'the payload is changed after signing',
    isVcJwt,
    ofToken(1, (payload) => ({ ...payload, name: 'Other' })),
  ),
  fault(
    'credentials.jwt-algorithm',
    'the token has no signature',
    isVcJwt,
    ofToken(0, (header) => ({ ...header, alg: 'none' })),
  ),
  fault(
    'credentials.key',
    'the key is not published',
    path(/did\.json$/),
    edited((document) => ({ ...document, verificationMethod: [], assertionMethod: [] })),
  ),
  fault(
    'credentials.status',
    'the status list is of another issuer',
    path(/^\/status$/),
    ofToken(1, (payload) => ({ ...payload, issuer: 'did:web:other.example' })),
  ),
  fault(
    'credentials.shares',
    'materials exceed the product',
    isVcJwt,
    ofToken(1, (payload) => {
      payload.credentialSubject.materialProvenance[0].massFraction = 40
    }),
  ),
  fault(
    'data-integrity.signature',
    'the proof is of another document',
    type('application/vc+ld+json'),
    edited((document) => ({ ...document, name: 'Other' })),
  ),
  fault('sd-jwt.digests', 'a disclosure is changed', isSdJwt, (response) => {
    const [token, disclosure = '', ...rest] = response.body.split('~')
    const [salt, name] = JSON.parse(Buffer.from(disclosure, 'base64url').toString())
    const changed = Buffer.from(JSON.stringify([salt, name, 'other'])).toString('base64url')
    return { ...response, body: [token, changed, ...rest].join('~') }
  }),
  fault('sd-jwt.form', 'the last tilde is missing', isSdJwt, (response) =>
    withBody(response.body.replace(/~$/, ''))(response),
  ),
]

const ACCESS_FAULTS: readonly PlantedFault[] = [
  fault('access.restricted-in-html', 'the page shows a restricted value', isPage, (response) =>
    withBody(response.body.replace('</p>', `${RESTRICTED.dismantling}</p>`))(response),
  ),
  fault(
    'access.restricted-in-full',
    'the full form shows a restricted value',
    both(isFull, isAnonymous),
    edited((document) => ({
      ...document,
      elements: [
        ...document.elements,
        { elementId: 'dismantling', objectType: 'SingleValuedDataElement', value: RESTRICTED.dismantling },
      ],
    })),
  ),
  fault(
    'access.restricted-in-aas',
    'the environment has a restricted value',
    type('application/aas+json'),
    edited((document) => {
      document.submodels[0].submodelElements[0].value = String(RESTRICTED.internalResistance)
    }),
  ),
  fault('access.restricted-in-sdJwt', 'a disclosure has a restricted value', isSdJwt, (response) => {
    const disclosure = Buffer.from(JSON.stringify(['salt', 'dismantling', RESTRICTED.dismantling])).toString(
      'base64url',
    )
    return withBody(`${response.body}${disclosure}~`)(response)
  }),
  fault(
    'access.element-escaped',
    'a path with escapes reads a restricted element',
    both(isElement, isAnonymous, path(/u0064/)),
    (response) => ({ ...response, status: 200, body: '"open"' }),
  ),
  fault(
    'access.no-placeholders',
    'a placeholder stands for a restricted value',
    both(isCompressed, isAnonymous),
    edited((document) => ({ ...document, dismantling: '[REDACTED]' })),
  ),
  fault('access.no-external-components', 'the page loads a script of another host', isPage, (response) =>
    withBody(response.body.replace('</head>', '<script src="https://tracker.example/a.js"></script></head>'))(response),
  ),
  fault(
    'access.unknown-token',
    'every token opens all values',
    both(isJson, ({ headers }) => headers.authorization !== undefined),
    edited((document) => ({ ...document, ...RESTRICTED })),
  ),
]

export const PLANTED: readonly PlantedFault[] = [
  ...HTTP_FAULTS,
  ...IDENTIFIER_FAULTS,
  ...SERVICE_FAULTS,
  ...DOCUMENT_FAULTS,
  ...RESOLVER_FAULTS,
  ...FORMAT_FAULTS,
  ...ACCESS_FAULTS,
]
