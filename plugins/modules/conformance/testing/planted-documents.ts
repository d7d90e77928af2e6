import { RESTRICTED } from './clean-documents.ts'
import {
  both,
  edited,
  fault,
  isAnonymous,
  isCompressed,
  isElement,
  isError,
  isFull,
  isJson,
  isLink,
  isLinkset,
  isOk,
  isPage,
  isRead,
  isSdJwt,
  isVcJwt,
  ofElement,
  ofLinks,
  ofToken,
  type PlantedFault,
  path,
  type,
  withBody,
  withHeader,
  without,
  withStatus,
} from './fault.ts'

// Faults of documents.

export const DOCUMENT_FAULTS: readonly PlantedFault[] = [
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

export const RESOLVER_FAULTS: readonly PlantedFault[] = [
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

export const FORMAT_FAULTS: readonly PlantedFault[] = [
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

export const ACCESS_FAULTS: readonly PlantedFault[] = [
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
    'access.token-opens',
    'a token opens nothing',
    both(isOk, type('application/json')),
    edited((document) => {
      delete document.dismantling
      delete document.internalResistance
    }),
  ),
  fault(
    'access.unknown-token',
    'every token opens all values',
    both(isJson, ({ headers }) => headers.authorization !== undefined),
    edited((document) => ({ ...document, ...RESTRICTED })),
  ),
]
