// Cases of seal-vectors.json, on which every verifier must agree, derived from the documents of seal-documents.mjs.
import {
  BASE,
  bits,
  CREATED,
  certificatePem,
  constraints,
  countMembers,
  der,
  ECDSA_WITH_SHA256,
  ECDSA_WITH_SHA384,
  extension,
  FALSE,
  FOR_SEALS,
  forgery,
  generalized,
  hex,
  idOf,
  integer,
  keyUsage,
  makeOthers,
  makeSeals,
  makeWorld,
  NO_CA,
  nameOf,
  numbersOf,
  octets,
  rootVectors,
  SERIAL,
  sequence,
  signatureOf,
  subjectKeyId,
  TRUE,
  utc,
} from './seal-documents.mjs'
import { merkleRoot, ORDER, REDACTED, SUBJECT_KEY } from './seal-tree.mjs'

const ABOUT =
  'The seal rule (docs/reference/seal-rule.md) by example. `vectors`: salts, leaves and roots of whole trees; `forgery` rebuilds the root of ' +
  'the last one from an inner node and must be refused; `signature` is one of that root. `documents`: passports as a gateway ' +
  'emits them; `made` says which of them are genuine seals of one workspace, and what a gateway has stored of them. `cases`: ' +
  'take the text of `document`, put `to` in place of `from` ([from, to]), or put `to` before `from` so many times ([from, to, ' +
  'times]); `from` is there exactly once unless `all` is true. Give the verifier the certificate `sealCa` where `trust` says so, and ' +
  'it must come to `verdict`. `only: "offline"`: beyond what a gateway takes in at all. `registerCases`: unsealed members that ' +
  'only the register of a gateway can deny. `authorityCases`: other certificates given as seal CA. `revocationCases`: lists of ' +
  'revoked certificates (Base64 of DER) are given in `lists`; without that member nobody asks. Written by ' +
  'seal-cases.mjs with keys that are thrown away.'

const none = { trust: 'none' }
const offline = { only: 'offline' }
const [H5, H6, M1, L1, L2] = ['H5', 'H6', 'M1', 'L1', 'L2'].map((finding) => ({ finding }))

const json = JSON.stringify
const member = (name, value) => `${json(name)}:${json(value)}`
// Replacement that removes a member (not the last), changes its value, or inserts one before it.
const without = (name, value) => [[`${member(name, value)},`, '']]
const instead = (name, value, other) => [[member(name, value), member(name, other)]]
const before = (name, text) => [[`${json(name)}:`, `${text},${json(name)}:`]]

function makeCases(world, seals, others, texts) {
  const cases = []
  const add = (verdict) => (name, document, replace, why, more) => {
    cases.push({ name, ...more, document, replace, trust: more?.trust ?? 'sealCa', verdict, why })
  }
  const [valid, invalid, undecided] = ['valid', 'not valid', 'undecided'].map(add)
  const parse = (name) => JSON.parse(texts[name])
  const small = parse('small')
  const shown = parse('battery, public')
  const proofMember = (name, other) => instead(name, small.proof[name], other)
  const operator = small.economicOperator
  const asOperator = (change) => instead('economicOperator', operator, { ...operator, ...change })
  const proof = small.proof
  const value = proof.signatureValue
  const everywhere = (document, from, to, name, why, more) =>
    invalid(name, document, [[from, to]], why, { all: true, ...more })
  const asSignature = (to, name, why, more) => everywhere('small', value, to, name, why, more)
  const link = small['@id']
  const leaves = shown.proof.redactedLeaves
  const asLeaves = (to) => instead('redactedLeaves', leaves, to)
  const end = '},"category":"textiles","originCountry":"PT"}'
  const given = {
    valid,
    invalid,
    undecided,
    world,
    seals,
    others,
    texts,
    parse,
    small,
    shown,
    operator,
    asOperator,
    proof,
    value,
    everywhere,
    asSignature,
    link,
    leaves,
    asLeaves,
    end,
    proofMember,
  }
  for (const list of [
    genuineCases,
    textCases,
    formCases,
    proofCases,
    subjectCases,
    maskCases,
    signatureCases,
    certificateCases,
    timestampCases,
  ])
    list(given)
  return cases
}

/** Every genuine document, with and without the seal CA. */
function genuineCases({ valid, undecided, seals }) {
  for (const name of Object.keys(seals)) {
    valid(`genuine: ${name}`, name, [], 'As it was sealed.')
    undecided(`genuine, no CA: ${name}`, name, [], 'It fits; nobody vouches for the key.', none)
  }
}

/** T. Text. */
function textCases({ valid, invalid, texts, small, end }) {
  const whole = (name, to, why) => valid(name, 'something else', [['?', to]], why)
  whole('members in another order', reordered(texts.small), 'Objects have no order.')
  whole('white space of every kind', json(small, null, '\t').replaceAll('\n', ' \r\n'), 'White space says nothing.')
  valid(
    'white space before and behind',
    'small',
    [['"updatedAt"', ' \n\t\r "updatedAt" \n']],
    'White space says nothing.',
  )
  valid('a byte order mark', 'small', [['{"@context":', '\ufeff{"@context":']], 'RFC 8259 permits to ignore it.')
  invalid('two byte order marks', 'small', [['{"@context":', '\ufeff\ufeff{"@context":']], 'Only one is ignored.')
  invalid('a byte order mark inside', 'small', [['"updatedAt"', '\ufeff"updatedAt"']], 'It is no white space.')
  invalid('another white space', 'small', [['"updatedAt"', '\u00a0"updatedAt"']], 'JSON has four kinds.')
  invalid('a form feed', 'small', [['"updatedAt"', '\f"updatedAt"']], 'JSON has four kinds.')
  const room = 3_145_728 - Buffer.byteLength(texts.small)
  valid('as large as is allowed', 'small', [['{"@context":', ' ', room]], 'At the limit.', offline)
  invalid(
    'one byte too large',
    'small',
    [['{"@context":', ' ', room + 1]],
    'Beyond the limit of 3,145,728 bytes.',
    offline,
  )
  const fill = (total) => [['{"":0}', '{"":0},', total - countMembers(texts['one member too many'])]]
  valid('as many members as are allowed', 'as many members as are allowed', fill(100_000), 'At the limit.', offline)
  invalid('one member too many', 'one member too many', fill(100_001), 'Beyond the limit of 100,000 members.', offline)
  valid('66 containers inside one another', 'metadata nested to 66', [], 'At the limit.', offline)
  invalid('67 containers inside one another', 'metadata nested to 67', [], 'Beyond the limit of 66.', offline)
  invalid(
    'very deep brackets',
    'small',
    [['"updatedAt":', `"x":${'['.repeat(300)}${']'.repeat(300)},"updatedAt":`]],
    'Beyond the limit of 66.',
    offline,
  )
  invalid(
    'brackets that never close',
    'small',
    [['{"@context":', '[', 100_000]],
    'No parser may give up on it.',
    offline,
  )
  invalid('a name of 257 characters', 'a name of 257 characters', [], 'Beyond the limit of 256.')
  const escaped = [
    [
      '"category":"textiles","originCountry":"PT"},"category"',
      '"\\u0063ategory":"text\\u0069les","originCountry":"\\u0050\\u0054"},"category"',
    ],
  ]
  valid('escapes', 'small', escaped, 'Another spelling of the same text.')
  valid(
    'an escaped slash',
    'small',
    [['"digitalLinkUri":"https://', '"digitalLinkUri":"https:\\/\\/']],
    'Another spelling of the same text.',
  )
  valid(
    'an escaped pair of surrogates',
    'names',
    [['"😀":{"𝒳":[null,"",{},[]]},"id"', '"\\ud83d\\ude00":{"\\uD835\\uDCB3":[null,"",{},[]]},"id"']],
    'Another spelling of the same text.',
  )
  const color = (to) => [['"color":"\ufffd"', `"color":"${to}"`]]
  invalid(
    'a lone high surrogate',
    'sealed U+FFFD',
    color('\\ud800'),
    'UTF-8 writers turn it into U+FFFD, which was sealed.',
    { all: true },
  )
  invalid(
    'a lone low surrogate',
    'sealed U+FFFD',
    color('\\udc00'),
    'UTF-8 writers turn it into U+FFFD, which was sealed.',
    { all: true },
  )
  invalid('surrogates in the wrong order', 'sealed U+FFFD', color('\\ude00\\ud83d'), 'Each is alone.', { all: true })
  invalid('a lone surrogate in a name', 'small', before('updatedAt', '"\\ud800":1'), 'No text may have one.')
  invalid(
    'a lone surrogate in an unsealed text',
    'small',
    [['"role":"MANUFACTURER"', '"role":"\\udbff"']],
    'No text may have one.',
  )
  invalid('U+0000', 'sealed U+0000', [], 'No text may have it.')
  invalid(
    'U+0000 in an unsealed text',
    'small',
    [['"role":"MANUFACTURER"', '"role":"a\\u0000"']],
    'No text may have it.',
  )
  invalid(
    'a raw control character',
    'small',
    [['"role":"MANUFACTURER"', '"role":"MANUFACTURER\u0001"']],
    'JSON wants an escape.',
  )
  invalid('an unknown escape', 'small', [['"role":"MANUFACTURER"', '"role":"\\x41"']], 'No JSON.')
  invalid('an escape with an underscore', 'small', [['"role":"MANUFACTURER"', '"role":"\\u00_1"']], 'No JSON.')
  invalid('a comma too many', 'small', [['"role":"MANUFACTURER"', '"role":"MANUFACTURER",']], 'No JSON.')
  invalid('text behind the document', 'small', [[end, `${end} {}`]], 'No JSON.')
  invalid('an empty text', 'something else', [['?', '']], 'No JSON.')
  invalid(
    'a list',
    'small',
    [
      ['{"@context":', '[{"@context":'],
      [end, `${end}]`],
    ],
    'A document is an object.',
  )
  for (const text of [
    'null',
    '5',
    '"x"',
    '{}',
    '{"metadata":{},"proof":{}}',
    'https://dpp.example/01/09506000134352',
  ]) {
    invalid(`instead of a document: ${text}`, 'something else', [['?', text]], 'No sealed document.')
  }
  const twice = (name, document, replace) =>
    invalid(name, document, replace, 'Readers disagree about which one counts.', L1)
  const forged = member('metadata', { ...small.metadata, originCountry: 'FR' })
  twice('metadata twice', 'small', [
    [member('metadata', small.metadata), `${forged},${member('metadata', small.metadata)}`],
  ])
  twice('metadata twice, the same', 'small', [
    [member('metadata', small.metadata), `${member('metadata', small.metadata)},${member('metadata', small.metadata)}`],
  ])
  twice('batteryMass twice', 'battery, public', [
    ['{"category":"batteries"', '{"batteryMass":1,"category":"batteries"'],
  ])
  twice('productId twice', 'small', [['"digitalLinkUri":', '"productId":"09506000134352","digitalLinkUri":']])
  twice('proof twice', 'small', [['"proof":{', '"proof":null,"proof":{']])
  twice('a name twice, once escaped', 'small', [['"status":"ACTIVE"', '"st\\u0061tus":"RECALLED","status":"ACTIVE"']])
  for (const name of ['constructor', 'prototype', '__proto__']) {
    invalid(`the name ${name}`, `sealed ${name}`, [], 'It reaches into JavaScript objects.')
  }
  invalid(
    'the name __proto__ beside the others',
    'small',
    before('updatedAt', '"__proto__":{"status":"ACTIVE"}'),
    'It reaches into JavaScript objects.',
  )
  invalid(
    'the name __proto__, escaped',
    'small',
    before('updatedAt', '"\\u005f_proto__":{"status":"ACTIVE"}'),
    'It reaches into JavaScript objects.',
  )
  const spell = (verdict, name, from, to, why) =>
    verdict(`number: ${to}`, 'numbers', [[`${json(name)}:${from}`, `${json(name)}:${to}`]], why)
  for (const [name, from, ...others] of [
    ['one', '1', '1.0', '1e0', '10E-1', '0.1e+1', '1.000000000000000000000000000000'],
    ['hundred', '100', '1e2', '1E+2', '1.00e2', '100e-0', '10000000e-00000005'],
    ['tenth', '0.1', '0.10', '1e-1'],
    ['zero', '0', '-0', '0.0', '-0.0e5', '0e999', '0e-99999999999999999999'],
    ['limit', '9007199254740992', '9.007199254740992e15', '9007199254740992.0'],
    ['large', '1e+23', '1e23', '100000000000000000000000'],
    ['tiny', '5e-324', '0.5e-323'],
  ]) {
    for (const to of others) spell(valid, name, from, to, 'Another spelling of the same value.')
  }
  for (const [name, from, ...others] of [
    ['limit', '9007199254740992', '9007199254740993', '9007199254740991.9999', '9007199254740992.5'],
    ['tenth', '0.1', '0.1000000000000000055', '0.1000000000000000055511151231257827021181583404541015625'],
    ['large', '1e+23', '99999999999999991611392', '1e400', '-1e400', '1e99999999999999999999'],
    ['zero', '0', '1e-400', '-1e-400', '1e-99999999999999999999', '0.00001e-400'],
    ['tiny', '5e-324', '4.94e-324', '6e-324'],
  ]) {
    for (const to of others) spell(invalid, name, from, to, 'A double holds another value.')
  }
  for (const to of [
    '01',
    '1.',
    '.5',
    '+1',
    '0x1',
    '-',
    '1e',
    'NaN',
    'Infinity',
    '-Infinity',
    '--1',
    '1_0',
    '١',
    'True',
  ]) {
    spell(invalid, 'one', '1', to, 'No JSON.')
  }
}

/** F. Form of the document. */
function formCases({ valid, invalid, parse, small, operator, asOperator, end }) {
  valid('repeated members left out', 'small', [[end, '}}']], 'They repeat what metadata says.')
  invalid('a repeated value changed', 'small', [[end, end.replace('PT', 'FR')]], 'It differs from the sealed one.', L2)
  invalid('a further member', 'small', before('updatedAt', '"recycled":true'), 'It was not sealed.', L2)
  const said = (name, json, why, verdict = valid) => verdict(name, 'small', before('updatedAt', json), why)
  const recall = { reason: { en: 'It may catch fire.' }, at: '2026-01-01T00:00:00.000Z', contact: null, url: null }
  const medium = {
    id: idOf('medium'),
    kind: 'document',
    mediaType: 'application/pdf',
    title: null,
    url: BASE,
    sizes: [],
  }
  said('a recall beside the seal', member('recall', recall), 'It may be said at any time.')
  said('media beside the seal', member('media', [medium]), 'They may come and go.')
  said('no media', member('media', []), 'It is a list.')
  said('a recall with a further member', member('recall', { ...recall, weight: 1 }), 'It has no place there.', invalid)
  said('a recall that is null', '"recall":null', 'It is no object.', invalid)
  said(
    'a recall with a keyword',
    member('recall', { ...recall, reason: { '@id': 'x' } }),
    'JSON-LD reads more.',
    invalid,
  )
  said('media with a further member', member('media', [{ ...medium, '@id': 'x' }]), 'It has no place there.', invalid)
  said('media that are an object', member('media', medium), 'It is no list.', invalid)
  const link = { rel: 'replaces', target: `${BASE}/passport/x`, identifier: 'x', since: '2026-01-01T00:00:00.000Z' }
  said('links beside the seal', member('links', [link]), 'A passport that follows is not known yet.')
  said('links with a further member', member('links', [{ ...link, weight: 1 }]), 'It has no place there.', invalid)
  said('links that are a text', member('links', 'x'), 'They are no list.', invalid)
  const registration = { identifier: 'R1', registeredAt: '2026-01-01T00:00:00.000Z', version: 1 }
  said('a registration beside the seal', member('registration', registration), 'It comes after the seal.')
  said('registrations as a list', member('registration', [registration]), 'It is one.', invalid)
  said('a level beside the seal', member('granularity', 'model'), 'It follows from what is passported.')
  said('a level that is a number', member('granularity', 1), 'It is no text.', invalid)
  said('an end beside the seal', member('availableUntil', '2037-02-18'), 'It moves with the last product.')
  said('an end that is an object', member('availableUntil', {}), 'It is no text.', invalid)
  said('media of texts', '"media":["x"]', 'They are no objects.', invalid)
  for (const [name, contact] of [
    ['null', null],
    ['a text', 'x'],
    ['with a number', { phone: 1 }],
    ['with a further member', { fax: '1' }],
  ]) {
    invalid(`a contact that is ${name}`, 'small', asOperator({ contact }), 'It has no place there.')
  }
  invalid('a further member with an inherited name', 'small', before('updatedAt', '"toString":1'), 'It was not sealed.')
  invalid('another @type', 'small', instead('@type', 'DigitalProductPassport', 'Recall'), 'No passport.')
  invalid('no @type', 'small', without('@type', 'DigitalProductPassport'), 'It is required.', L2)
  invalid(
    '@type as a list',
    'small',
    instead('@type', 'DigitalProductPassport', ['DigitalProductPassport']),
    'It has one spelling.',
  )
  for (const name of ['@graph', '@included', '@evil', '@reverse']) {
    invalid(
      `the member ${name}`,
      'small',
      before('updatedAt', `"${name}":[]`),
      'A JSON-LD processor would read more than was sealed.',
      H6,
    )
  }
  const host = [['"@context":["https://dpp.example/context/v1"', '"@context":["https://evil.example/context/v1"']]
  invalid('@context of another host', 'small', host, 'It would give every name another meaning.', H6)
  const terms = '"@context":["https://dpp.example/context/v1",{'
  const context = (name, text, why, verdict = invalid, more = {}) =>
    verdict(name, 'small', [[terms, `${terms}${text},`]], why, more)
  context(
    '@context with a foreign term',
    '"weight":"https://evil.example/ns#weight"',
    'It would give a name another meaning.',
    invalid,
    H6,
  )
  context(
    '@context with a further term of ours',
    '"weight":"https://dpp.example/ns/dpp#weight"',
    'It means what it should.',
    valid,
  )
  context(
    '@context with a term that means another',
    '"weight":"https://dpp.example/ns/dpp#mass"',
    'It would give a name another meaning.',
  )
  context('@context with @vocab', '"@vocab":"https://dpp.example/ns/dpp#@vocab"', 'A keyword is no term.')
  context(
    '@context with a term as an object',
    '"weight":{"@id":"https://dpp.example/ns/dpp#weight"}',
    'A term is a text.',
  )
  const named = `${BASE}/context/v1#productName`
  const ofTexts = json({ '@id': named, '@container': '@language' })
  const ofLanguages = (name, to, why, verdict = invalid) =>
    verdict(`@context of texts by language, ${name}`, 'texts by language', [[`"productName":${ofTexts}`, to]], why)
  ofLanguages('named plainly', `"productName":${json(named)}`, 'So it was written before.', valid)
  ofLanguages(
    'in another order',
    `"productName":${json({ '@container': '@language', '@id': named })}`,
    'The same.',
    valid,
  )
  for (const [name, meaning] of [
    ['another container', { '@id': named, '@container': '@index' }],
    ['a further member', { '@id': named, '@container': '@language', '@type': '@id' }],
    ['another address', { '@id': 'https://evil.example/ns#productName', '@container': '@language' }],
    ['the address of a member', { '@id': `${BASE}/ns/dpp#productName`, '@container': '@language' }],
    ['no address', { '@container': '@language' }],
    ['a list as container', { '@id': named, '@container': ['@language'] }],
  ]) {
    ofLanguages(name, `"productName":${json(meaning)}`, 'It would give a name another meaning.')
  }
  for (const name of ['category', 'sizes', 'weight']) {
    const address = `${BASE}/context/v1#${name}`
    const to = `"productName":${ofTexts},${json(name)}:${json({ '@id': address, '@container': '@language' })}`
    const twice = name === 'weight' ? [] : [[`${json(name)}:${json(address)},`, '']]
    const replace = [...twice, [`"productName":${ofTexts}`, to]]
    invalid(`@context that calls ${name} texts by language`, 'texts by language', replace, 'There are none under it.')
  }
  context('@context with a list as a term', '"weight":["https://dpp.example/ns/dpp#weight"]', 'A term is a text.')
  invalid(
    '@context as a text',
    'small',
    instead('@context', small['@context'], small['@context'][0]),
    'It is a list of two.',
  )
  invalid(
    '@context with an empty list',
    'small',
    instead('@context', small['@context'], [small['@context'][0], []]),
    'The second is an object.',
  )
  invalid(
    '@context that looks like a list',
    'small',
    instead('@context', small['@context'], { ...small['@context'], length: 2 }),
    'It is a list.',
  )
  invalid(
    '@context of one entry',
    'small',
    instead('@context', small['@context'], [small['@context'][0]]),
    'It is a list of two.',
  )
  invalid(
    '@context of three entries',
    'small',
    [
      [
        '"DigitalProductPassport":"https://dpp.example/ns/dpp#DigitalProductPassport",',
        '"DigitalProductPassport":"https://dpp.example/ns/dpp#DigitalProductPassport"},{',
      ],
    ],
    'It is a list of two.',
  )
  valid('no @context', 'small', without('@context', small['@context']), 'Plain JSON is as good.')
  invalid('a nested @id in metadata', 'sealed @id', [], 'A JSON-LD processor would read other things.')
  invalid('@type as a metadata key', 'sealed @type', [], 'Names that begin with @ are not for metadata.')
  invalid('@ as a name deep in metadata', 'sealed @', [], 'Names that begin with @ are not for metadata.')
  invalid('@passport as a metadata key', 'small', [['"metadata":{', '"metadata":{"@passport":1,']], 'It is reserved.')
  invalid('empty metadata', 'sealed nothing', [], 'Nothing was sealed.')
  invalid('metadata as a list', 'small', instead('metadata', small.metadata, []), 'It is an object.')
  for (const name of ['metadata', 'proof', 'economicOperator']) {
    invalid(`no ${name}`, 'small', without(name, small[name]), 'It is required.', name === 'economicOperator' ? H6 : {})
    invalid(`${name} null`, 'small', instead(name, small[name], null), 'It is an object.')
  }
  const product = '"productId":"09506000134352","digitalLinkUri"'
  invalid('no id', 'small', [[`${member('id', small.id)},${product}`, product]], 'It is required.', H6)
  invalid('no productId', 'small', [[product, '"digitalLinkUri"']], 'It is required.', H6)
  invalid(
    'operator with a name alone',
    'small',
    instead('economicOperator', operator, { name: 'Counterfeit Ltd' }),
    'id and regId are required.',
    H6,
  )
  invalid('operator with another id', 'small', asOperator({ id: idOf('evil') }), 'Another company.', H6)
  invalid('operator with another regId', 'small', asOperator({ regId: 'DE999999999' }), 'Another company.', H6)
  invalid('operator with a further member', 'small', asOperator({ vatId: 'DE1' }), 'It has no place there.')
  invalid(
    'operator with a name that is no text',
    'small',
    asOperator({ name: ['Nordlicht Energie GmbH'] }),
    'It is a text.',
  )
  invalid('operator with another @type', 'small', asOperator({ '@type': 'Organization' }), 'It is an EconomicOperator.')
  valid(
    'operator without @type, name and role',
    'small',
    instead('economicOperator', operator, { id: operator.id, regId: operator.regId }),
    'They are not required.',
  )
  const facility = parse('textile').manufacturingFacility
  const asFacility = (change) => instead('manufacturingFacility', facility, { ...facility, ...change })
  valid('no facility', 'textile', without('manufacturingFacility', facility), 'It is not sealed.')
  valid('facility null', 'textile', instead('manufacturingFacility', facility, null), 'It is not sealed.')
  valid(
    'facility with an address',
    'textile',
    asFacility({ streetAddress: 'Werkstraße 1', city: null, postalCode: '50667' }),
    'The owner sees it.',
    offline,
  )
  invalid('facility with a further member', 'textile', asFacility({ owner: 'x' }), 'It has no place there.')
  invalid('facility with a number', 'textile', asFacility({ gln: 4000001000005 }), 'It is a text.')
  invalid('facility with another @type', 'textile', asFacility({ '@type': 'Place' }), 'It is a Facility.')
  invalid('facility as an empty list', 'small', instead('manufacturingFacility', null, []), 'It is an object or null.')
  invalid('facility as a text', 'small', instead('manufacturingFacility', null, 'Werk 1'), 'It is an object or null.')
  valid(
    'status recalled to active and back',
    'small',
    instead('status', 'ACTIVE', 'RECALLED'),
    'The status is not sealed; every verifier says so.',
    H6,
  )
  valid('no status', 'small', without('status', 'ACTIVE'), 'It is not required.')
  for (const status of ['active', 'VALID', null, 1]) {
    invalid(`status ${json(status)}`, 'small', instead('status', 'ACTIVE', status), 'There are four.')
  }
  valid('archived', 'small', instead('archivedAt', null, '2025-07-01T00:00:00.000Z'), 'It is not sealed.', H6)
  invalid('archivedAt a number', 'small', instead('archivedAt', null, 1), 'It is a text or null.')
  invalid('createdAt an object', 'small', instead('createdAt', small.createdAt, {}), 'It is a text or null.')
  valid(
    'createdAt null, no updatedAt',
    'small',
    [...instead('createdAt', small.createdAt, null), ...without('updatedAt', small.updatedAt)],
    'They are not sealed.',
  )
}

/** F. Form of the proof, and the addresses. */
function proofCases({
  valid,
  invalid,
  parse,
  world,
  others,
  small,
  proof,
  value,
  everywhere,
  asSignature,
  link,
  leaves,
  asLeaves,
  proofMember,
}) {
  invalid('proof with a further member', 'small', [['"proof":{', '"proof":{"nonce":"x",']], 'It has no place there.')
  invalid('proof as a list', 'small', instead('proof', proof, [proof]), 'It is an object.')
  for (const name of Object.keys(proof).filter((name) => name !== 'x5c')) {
    const value = proof[name]
    const gone =
      name === 'subject'
        ? [[`,${member(name, value)}}`, '}']]
        : name === 'created'
          ? [[`${member(name, value)},"proofPurpose"`, '"proofPurpose"']]
          : without(name, value)
    invalid(`proof without ${name}`, 'small', gone, 'It is required.')
  }
  invalid(
    'proof of another type',
    'small',
    [['"type":"MerkleTreeAttestationProof"', '"type":"DataIntegrityProof"']],
    'Another proof.',
  )
  invalid(
    'proof of two types',
    'small',
    proofMember('@type', ['MerkleTreeAttestationProof', 'Proof']),
    'Another proof.',
  )
  invalid(
    'proof with @type that looks like a list',
    'small',
    proofMember('@type', { 0: 'MerkleTreeAttestationProof', length: 1 }),
    'It is a list.',
  )
  invalid('proof with @type as a text', 'small', proofMember('@type', 'MerkleTreeAttestationProof'), 'It is a list.')
  invalid('another algorithm', 'small', proofMember('signatureAlgorithm', 'ECDSA-P256-SHA256'), 'Another proof.')
  invalid('another purpose', 'small', proofMember('proofPurpose', 'authentication'), 'Another proof.')
  invalid('merkleRoot in upper case, signed so', 'root in upper case', [], 'It is in lower case.')
  invalid(
    'merkleRoot of another document',
    'small',
    proofMember('merkleRoot', 'a'.repeat(64)),
    'The values give another.',
  )
  invalid('merkleRoot a number', 'small', proofMember('merkleRoot', 5), 'It is a text.')
  asSignature(` ${value}`, 'signatureValue with white space', 'Base64 has one spelling.')
  asSignature(`${value.slice(0, 8)}\\n${value.slice(8)}`, 'signatureValue with a line feed', 'Base64 has one spelling.')
  asSignature(
    value.replace(/=*$/, (padding) => (padding === '' ? '=' : '')),
    'signatureValue with other padding',
    'Base64 has one spelling.',
  )
  asSignature(
    `${Buffer.from(value, 'base64').toString('base64url')}-_`,
    'signatureValue in base64url',
    'Another alphabet.',
  )
  asSignature('', 'signatureValue empty', 'Nothing was signed.')
  asSignature(json(5).repeat(96), 'signatureValue of digits', 'No signature.')
  invalid('digitalSeal differs', 'small', [['"digitalSeal":"M', '"digitalSeal":"N']], 'It repeats the signature.')
  invalid(
    'digitalSeal null',
    'small',
    [[member('digitalSeal', value), '"digitalSeal":null']],
    'It repeats the signature.',
  )
  valid(
    'no digitalSeal and no signingPublicKey',
    'small',
    [...without('digitalSeal', value), ...without('signingPublicKey', proof.publicKeyPem)],
    'They repeat the proof.',
  )
  invalid(
    'signingPublicKey of another',
    'small',
    instead('signingPublicKey', proof.publicKeyPem, world.stranger.pem),
    'It repeats the key.',
  )
  const pem = json(proof.publicKeyPem).slice(1, -1)
  const lines = proof.publicKeyPem.split('\n')
  for (const [name, other] of [
    ['with a final line feed', `${proof.publicKeyPem}\n`],
    ['with CRLF', proof.publicKeyPem.replaceAll('\n', '\r\n')],
    ['of one line', [lines[0], lines[1] + lines[2], lines[3]].join('\n')],
    ['of two keys', `${proof.publicKeyPem}\n${proof.publicKeyPem}`],
    ['with a text before', `Key:\n${proof.publicKeyPem}`],
    ['as a certificate', certificatePem(world.leaf).trim()],
    [
      'with other unused bits',
      proof.publicKeyPem.replace(/.==\n-----END/, (end) => `${otherBits(end[0])}${end.slice(1)}`),
    ],
    ['empty', ''],
  ]) {
    everywhere('small', pem, json(other).slice(1, -1), `publicKeyPem ${name}`, 'It has one spelling.')
  }
  for (const name of Object.keys(others.keys)) {
    invalid(name, name, [], 'No uncompressed P-256 point in its one spelling.')
    invalid(`${name}, no CA`, name, [], 'No uncompressed P-256 point in its one spelling.', none)
  }
  const method = (to) => proofMember('verificationMethod', to)
  const own = `/passport/${small.id}#key-1`
  for (const [name, to] of [
    ['of another passport', `${BASE}/passport/${idOf('evil')}#key-1`],
    ['of another key', `${BASE}/passport/${small.id}#key-2`],
    ['of another host than the links', `https://evil.example${own}`],
    ['that is a DID', `did:web:dpp.example${own}`],
    ['by ftp', `ftp://dpp.example${own}`],
    ['without a host', `https://${own}`],
    ['with a query', `${BASE}/?x=${own}`],
    ['with a second fragment', `${BASE}#${own}`],
    ['with white space', `${BASE} ${own}`],
    ['with a space that is not ASCII', `${BASE}\u2003${own}`],
    ['with a host beyond ASCII', `https://dpp.exämple${own}`],
    ['that is null', null],
  ]) {
    invalid(`verificationMethod ${name}`, 'small', method(to), 'It is the address of this passport and its key.')
  }
  for (const [name, to] of [
    ['by ftp', 'ftp://dpp.example'],
    ['without a host', 'https://'],
    ['with a query', 'https://dpp.example?'],
    ['with a fragment', 'https://dpp.example#'],
    ['with white space', 'https://dpp example'],
    ['with a space that is not ASCII', 'https://dpp\u2003example'],
    ['beyond ASCII', 'https://dpp.ex\u00e4mple'],
    ['with a control character', 'https://dpp\\u007fexample'],
    ['without a scheme', 'dpp.example'],
  ]) {
    invalid(`all addresses ${name}`, 'small', [['https://dpp.example', to]], 'It is no address of a gateway.', {
      all: true,
    })
  }
  valid(
    'all addresses of another host',
    'small',
    [['https://dpp.example', 'http://127.0.0.1:3000/dpp']],
    'A passport may move, all of it.',
    { all: true, ...offline },
  )
  invalid('@id of another product', 'small', instead('@id', link, `${BASE}/01/09506000134369`), 'Another product.', H6)
  invalid(
    'digitalLinkUri of another product',
    'small',
    instead('digitalLinkUri', link, `${BASE}/01/09506000134369`),
    'Another product.',
    H6,
  )
  invalid(
    '@id of another host',
    'small',
    instead('@id', link, 'https://evil.example/01/09506000134352'),
    'Another resolver.',
    H6,
  )
  invalid('@id with a query', 'small', instead('@id', link, `${link}?x=1`), 'It has one spelling.')
  invalid('@id null', 'small', instead('@id', link, null), 'It is the link of the product.')
  valid(
    'no links',
    'small',
    [...without('@id', link), ...without('digitalLinkUri', link)],
    'They follow from the product id.',
  )
  valid('links of an asset', 'small', [[link, link.replace('/01/', '/8003/')]], 'Either form of a link.', {
    all: true,
    ...offline,
  })
  const identifier = (from, to) => instead('uniqueProductIdentifier', from, to)
  invalid('another product identifier', 'small', identifier(link, `${BASE}/01/09506000134369`), 'Another product.', H6)
  invalid('a foreign product identifier', 'small', identifier(link, 'did:web:evil.example'), 'Another product.', H6)
  invalid('product identifier null', 'small', identifier(link, null), 'It is the link of the product.')
  valid('no product identifier', 'small', without('uniqueProductIdentifier', link), 'It follows from the product id.')
  const { productId, digitalLinkUri } = parse('a DID')
  invalid('the link instead of the DID', 'a DID', identifier(productId, digitalLinkUri), 'It is globally unique.', H6)
  invalid('links without encoding', 'odd SKU', [['%281%29', '(1)']], 'It has one spelling.', { all: true })
  invalid('links in lower case', 'odd SKU', [['A%2FB', 'A%2fB']], 'It has one spelling.', { all: true })
  const salts = proof.salts
  invalid('salts as a list', 'small', proofMember('salts', Object.values(salts)), 'It is an object.')
  invalid('salts null', 'small', proofMember('salts', null), 'It is an object.')
  const salt = salts.category
  for (const [name, to] of [
    ['of 21 characters', salt.slice(1)],
    ['with padding', `${salt}==`],
    ['with other unused bits', salt.slice(0, -1) + otherBits(salt.at(-1))],
    ['in Base64', `+/${salt.slice(2)}`],
    ['that is a number', 5],
    ['of the other entry', salts.originCountry],
    ['of other random bytes', `${salt.slice(0, 6)}${'A'.repeat(15)}${salt.at(-1)}`],
  ]) {
    invalid(
      `a salt ${name}`,
      'small',
      [[member('category', salt), member('category', to)]],
      'The leaf was made with another.',
    )
  }
  invalid('a salt of nothing', 'small', [['"salts":{', `"salts":{"brand":"${salt}",`]], 'There is no such entry.')
  invalid('no salt for a value', 'small', [[`${member('category', salt)},`, '']], 'It cannot be recomputed.')
  invalid(
    'no salt for the subject',
    'small',
    [[`${member(SUBJECT_KEY, salts[SUBJECT_KEY])},`, '']],
    'Every reader gets it.',
  )
  invalid('redactedLeaves in upper case', 'battery, public', asLeaves(upper(leaves)), 'It has one spelling.', L2)
  invalid('redactedLeaves shifted', 'battery, public', asLeaves(shifted(leaves)), 'The root is another.', L2)
  invalid(
    'redactedLeaves of a further key',
    'battery, public',
    asLeaves({ ...leaves, brand: 'a'.repeat(64) }),
    'There is no such entry.',
    M1,
  )
  invalid(
    'redactedLeaves of the subject',
    'battery, public',
    asLeaves({ ...leaves, [SUBJECT_KEY]: 'a'.repeat(64) }),
    'Every reader sees the subject.',
  )
  invalid('redactedLeaves as a list', 'battery, public', asLeaves(Object.values(leaves)), 'It is an object.')
  invalid('redactedLeaves null', 'battery, public', asLeaves(null), 'It is an object.')
  invalid('redactedLeaves an empty list', 'small', before('salts', '"redactedLeaves":[]'), 'It is an object.')
  valid('redactedLeaves empty', 'small', before('salts', '"redactedLeaves":{}'), 'Nothing is masked.')
  invalid(
    'redactedLeaves null where nothing is masked',
    'small',
    before('salts', '"redactedLeaves":null'),
    'It is an object.',
  )
}

/** S. Subject (H6). */
function subjectCases({ invalid, undecided, others, parse, small, operator, asOperator, proof, link }) {
  const paste = (name, replace, more = {}) =>
    invalid(name, 'small', replace, 'A genuine proof under another product or company.', { ...H6, ...more })
  const other = '09506000134369'
  const identifiers = (to) => `${member('digitalLinkUri', to)},${member('uniqueProductIdentifier', to)}`
  paste('id, product, links, operator, facility and status forged', [
    [
      `"id":${json(small.id)},"productId":"09506000134352",${identifiers(link)}`,
      `"id":"${idOf('evil')}","productId":"${other}",${identifiers(`${BASE}/01/${other}`)}`,
    ],
    [`"@id":"${link}"`, `"@id":"${BASE}/01/${other}"`],
    ...asOperator({ id: idOf('evil'), regId: 'CN1', name: 'Counterfeit Ltd' }),
    ...instead('manufacturingFacility', null, { name: 'Counterfeit works' }),
    ...instead('status', 'ACTIVE', 'DRAFT'),
  ])
  paste('id, product and links left out, operator forged', [
    [`"@id":"${link}","id":${json(small.id)},"productId":"09506000134352",${identifiers(link)},`, ''],
    ...instead('economicOperator', operator, { name: 'Counterfeit Ltd' }),
  ])
  paste('review-3-claims 2.1: product and links forged, and the id left', [
    [
      `"productId":"09506000134352",${identifiers(link)}`,
      `"productId":"${other}",${identifiers(`${BASE}/01/${other}`)}`,
    ],
    [`"@id":"${link}"`, `"@id":"${BASE}/01/${other}"`],
  ])
  paste('another product, subject forged as well', [['09506000134352', other]], { all: true })
  paste('another passport, subject forged as well', [[small.id, idOf('evil')]], { all: true })
  paste('another operator, subject forged as well', [[operator.regId, 'CN1']], { all: true })
  paste('another time, subject forged as well', [[CREATED, '2025-06-03T09:30:00.000Z']], { all: true })
  invalid(
    'the proof of another passport',
    'one entry',
    instead('proof', parse('one entry').proof, proof),
    'The values give another root.',
    H6,
  )
  invalid(
    'review-3-claims 2.1: created a second later',
    'small',
    [['"created":"2025-06-02T09:30:00.000Z","proofPurpose"', '"created":"2025-06-02T09:30:01.000Z","proofPurpose"']],
    'It was sealed at another time.',
    L2,
  )
  invalid(
    'created two years later',
    'small',
    [['"created":"2025-06-02T09:30:00.000Z","proofPurpose"', '"created":"2027-06-02T09:30:00.000Z","proofPurpose"']],
    'It was sealed at another time.',
    L2,
  )
  invalid(
    'created in 2035',
    'small',
    [['"created":"2025-06-02T09:30:00.000Z","proofPurpose"', '"created":"2035-06-02T09:30:00.000Z","proofPurpose"']],
    'It was sealed at another time.',
    L2,
  )
  for (const name of Object.keys(others.subjects)) {
    invalid(name, name, [], 'Everything else holds, and the workspace signed it.')
    invalid(`${name}, no CA`, name, [], 'Everything else holds.', none)
  }
  undecided('sealed in the year 0, no CA', 'sealed in the year 0', [], 'A real date.', none)
  for (const name of ['sealed before the certificate', 'sealed after the certificate', 'sealed in the year 0']) {
    invalid(name, name, [], 'The certificate was not valid then.')
  }
  for (const name of ['sealed before the certificate', 'sealed after the certificate']) {
    undecided(`${name}, no CA`, name, [], 'Without a CA nobody looks.', none)
  }
}

/** M. Masks (M1). */
function maskCases({ valid, invalid, seals, others, parse, shown, leaves, asLeaves }) {
  const last = `${member('facilityDetails', REDACTED)}},"category"`
  const adding = (key) => [[last, last.replace('}', `,${member(key, REDACTED)}}`)]]
  const sealed = seals['battery, owner'].made.leaves
  const sentence = 'RECALLED by the authority, send back to evil.example'
  invalid('an added masked key that says something', 'battery, public', adding(sentence), 'It has no leaf.', M1)
  invalid(
    'an added masked key, with a leaf',
    'battery, public',
    [...adding(sentence), ...asLeaves({ ...leaves, [sentence]: 'a'.repeat(64) })],
    'It may not be masked.',
    M1,
  )
  const masked = (name, renamed) => {
    const document = structuredClone(shown)
    delete document[name]
    document.metadata = Object.fromEntries(
      Object.entries(shown.metadata).map(([key, inner]) => (key === name ? [renamed, REDACTED] : [key, inner])),
    )
    delete document.proof.salts[name]
    document.proof.redactedLeaves = { ...leaves, [renamed]: sealed[name].hash }
    return changes(shown, document)
  }
  invalid(
    'a shown value masked by its own leaf',
    'battery, public',
    masked('carbonFootprint', 'carbonFootprint'),
    'It may not be masked.',
    M1,
  )
  invalid(
    'a masked value renamed',
    'battery, public',
    masked('regulatoryCompliance', 'regulatoryComplianceWaived'),
    'It may not be masked.',
    M1,
  )
  const hideAll = structuredClone(shown)
  for (const key of Object.keys(shown.metadata).filter((key) => key !== 'originCountry')) {
    hideAll.metadata[key] = REDACTED
    delete hideAll[key]
    delete hideAll.proof.salts[key]
    hideAll.proof.redactedLeaves[key] = sealed[key].hash
  }
  invalid(
    'everything masked but originCountry',
    'battery, public',
    changes(shown, hideAll),
    'Only some may be masked.',
    M1,
  )
  invalid(
    'a masked key without its leaf',
    'battery, public',
    asLeaves({ ...leaves, facilityDetails: undefined }),
    'Every entry has a leaf.',
    M1,
  )
  invalid(
    'a masked key left out',
    'battery, public',
    changes(shown, leftOut(shown, 'facilityDetails')),
    'There are fewer entries than were sealed.',
  )
  invalid(
    'a shown key left out',
    'battery, public',
    changes(shown, leftOut(shown, 'carbonFootprint')),
    'There are fewer entries than were sealed.',
  )
  invalid(
    'a masked key with a salt',
    'battery, public',
    [['"salts":{', `"salts":{${member('facilityDetails', sealed.facilityDetails.salt)},`]],
    'The value could be guessed.',
  )
  invalid(
    'a shown value with a masked leaf too',
    'battery, public',
    asLeaves({ ...leaves, batteryMass: sealed.batteryMass.hash }),
    'It is shown.',
  )
  invalid(
    'a masked value in other letters',
    'battery, public',
    [[REDACTED, REDACTED.toLowerCase()]],
    'It is another text.',
    { all: true },
  )
  const owner = parse('battery, owner')
  const six = parse('six leaves')
  invalid(
    'a masked value that is made up',
    'battery, public',
    changes(shown, madeUp(shown)),
    'It has a leaf and no salt.',
  )
  valid('the owner masks what may be masked', 'battery, owner', changes(owner, shown), 'That is the public view.')
  for (const name of Object.keys(others.wrong))
    invalid(name, name, [], 'Everything else holds, and the workspace signed it.')
  invalid(
    'an inner node as a masked leaf',
    'six leaves',
    changes(six, innerNode(six, seals['six leaves'].made.leaves)),
    'The old forgery; only the places of the salts tell.',
  )
}

/** G. Signature. */
function signatureCases({ invalid, world, others, proof, value, asSignature }) {
  const asSigned = (name, bytes, why) => asSignature(bytes.toString('base64'), name, why)
  asSigned('r is 0', signatureOf({ r: 0n, s: 1n }), 'Out of range.')
  asSigned('s is 0', signatureOf({ r: 1n, s: 0n }), 'Out of range.')
  asSigned('r and s are 0', signatureOf({ r: 0n, s: 0n }), 'Out of range.')
  asSigned('r is the order', signatureOf({ r: ORDER, s: 1n }), 'Out of range.')
  asSigned('s is the order', signatureOf({ r: 1n, s: ORDER }), 'Out of range.')
  asSigned('a negative r', sequence(hex('020180'), integer(1n)), 'Out of range.')
  asSigned('empty numbers', sequence(hex('0200'), hex('0200')), 'No numbers.')
  asSigned(
    'a signature of indefinite length',
    Buffer.concat([hex('3080'), integer(1n), integer(1n), hex('0000')]),
    'No DER.',
  )
  asSigned('a signature that is cut off', Buffer.from(value, 'base64').subarray(0, -1), 'No DER.')
  asSigned(
    'a signature of another text',
    signatureOf(numbersOf(world.workspace.privateKey, Buffer.from('a'))),
    'It is not of this root.',
  )
  asSigned(
    "a stranger's signature",
    signatureOf(numbersOf(world.stranger.privateKey, Buffer.from(proof.merkleRoot))),
    'Another key.',
  )
  for (const name of Object.keys(others.signatures)) {
    invalid(name, name, [], 'A signature has one spelling.', name.includes('upper') ? L2 : {})
    invalid(`${name}, no CA`, name, [], 'A signature has one spelling.', none)
  }
}

/** C. Certificate (H5). */
function certificateCases({ valid, invalid, undecided, world, others, proof }) {
  const chain = (...entries) => [
    [json(proof.x5c), json(entries.map((entry) => (Buffer.isBuffer(entry) ? entry.toString('base64') : entry)))],
  ]
  const withoutChain = [[`${member('x5c', proof.x5c)},`, '']]
  invalid('no certificate, though a CA is given', 'small', withoutChain, 'Nobody vouches for the key.', H5)
  undecided('no certificate, no CA', 'small', withoutChain, 'Nobody was asked.', none)
  for (const name of Object.keys(others.strangers)) {
    invalid(name, name, [], 'A wholly forged passport.', H5)
    undecided(`${name}, no CA`, name, [], 'It fits, as anybody could make it; nobody vouches for the key.', {
      ...H5,
      ...none,
    })
  }
  invalid('the certificate of the CA as that of the key', 'sealed by the CA itself', [], 'It is not for seals.')
  const cert = (options) => world.leafWith(options)
  const at = (begin, end) => [utc(begin), utc(end)]
  const { spki } = world.workspace
  const base = [NO_CA, FOR_SEALS]
  const certificates = {
    valid: {
      'certificate with GeneralizedTime': {
        validity: [generalized('20240101000000Z'), generalized('20990101000000Z')],
      },
      'certificate without basicConstraints': { extensions: [FOR_SEALS] },
      'certificate for signatures and commitment': { extensions: [NO_CA, keyUsage(bits(6, hex('c0')), TRUE)] },
      'certificate with decipherOnly': { extensions: [NO_CA, keyUsage(bits(7, hex('8080')), TRUE)] },
      'certificate whose usage is not critical': { extensions: [NO_CA, keyUsage(bits(7, hex('80')))] },
      'certificate with further names': {
        extensions: [...base, extension('551d11', octets(sequence(der(0x82, Buffer.from('dpp.example')))))],
      },
      'certificate with another subject': { subject: nameOf('Somebody Else Ltd') },
      'certificate with a signature in the upper half': {
        signature: ({ r, s }) => bits(0, signatureOf({ r, s: ORDER - s })),
      },
    },
    'not valid': {
      'certificate of another issuer name': { issuer: nameOf('Seal CA of evil.example') },
      'certificate signed by a foreign CA of that name': { signer: world.foreignCa.privateKey },
      'certificate signed by its own key': { signer: world.workspace.privateKey },
      'certificate of another key': { spki: world.stranger.spki },
      'certificate that had expired': { validity: at('240101000000Z', '250602092959Z') },
      'certificate that was not valid yet': { validity: at('250602093001Z', '270101000000Z') },
      'certificate of 1950': { validity: at('500101000000Z', '990101000000Z') },
      'certificate with a time without seconds': { validity: [utc('2401010000Z'), utc('270101000000Z')] },
      'certificate with a time with an offset': { validity: [utc('240101000000+0000'), utc('270101000000Z')] },
      'certificate with fractions of seconds': { validity: [generalized('20240101000000.0Z'), utc('270101000000Z')] },
      'certificate with 30 February': { validity: at('240230000000Z', '270101000000Z') },
      'certificate with one time': { validity: [utc('240101000000Z')] },
      'certificate for servers': {
        extensions: [...base, extension('551d25', octets(sequence(hex('06082b06010505070301'))))],
      },
      'certificate without extensions': { extensions: null },
      'certificate without keyUsage': { extensions: [NO_CA] },
      'certificate for key agreement': { extensions: [NO_CA, keyUsage(bits(3, hex('08')), TRUE)] },
      'certificate that may sign certificates': { extensions: [NO_CA, keyUsage(bits(2, hex('84')), TRUE)] },
      'certificate of a CA': { extensions: [constraints(TRUE), FOR_SEALS] },
      'certificate with keyUsage twice': { extensions: [NO_CA, FOR_SEALS, FOR_SEALS] },
      'certificate with a key id twice': { extensions: [...base, subjectKeyId(spki), subjectKeyId(spki)] },
      'certificate with an unknown critical extension': {
        extensions: [...base, extension('2a0304', TRUE, octets(hex('0500')))],
      },
      'certificate with critical name constraints': {
        extensions: [...base, extension('551d1e', TRUE, octets(sequence()))],
      },
      'certificate with "critical" FALSE': { extensions: [NO_CA, keyUsage(bits(7, hex('80')), FALSE)] },
      'certificate with cA FALSE': { extensions: [constraints(FALSE), FOR_SEALS] },
      'certificate with "critical" 1': { extensions: [NO_CA, keyUsage(bits(7, hex('80')), hex('010101'))] },
      'certificate with unused bits that are set': { extensions: [NO_CA, keyUsage(bits(7, hex('81')), TRUE)] },
      'certificate with usage of no bits': { extensions: [NO_CA, keyUsage(bits(0), TRUE)] },
      'certificate with usage of three bytes': { extensions: [NO_CA, keyUsage(bits(0, hex('800001')), TRUE)] },
      'certificate with bytes behind its usage': {
        extensions: [NO_CA, extension('551d0f', TRUE, octets(bits(7, hex('80')), hex('0500')))],
      },
      'certificate signed with SHA-384': { algorithm: ECDSA_WITH_SHA384, hash: 'sha384' },
      'certificate that says SHA-384 inside': { innerAlgorithm: ECDSA_WITH_SHA384 },
      'certificate that says SHA-384 outside': { algorithm: ECDSA_WITH_SHA384, innerAlgorithm: ECDSA_WITH_SHA256 },
      'certificate whose algorithm has parameters': { algorithm: hex('300c06082a8648ce3d0403020500') },
      'certificate of version 1': { version: [], extensions: null },
      'certificate of version 2': { version: [hex('a003020101')] },
      'certificate with unique ids': { uniqueId: [hex('810200aa')] },
      'certificate with a padded serial': { serial: hex('02020001') },
      'certificate whose signature has unused bits': { signature: (numbers) => bits(1, signatureOf(numbers)) },
      'certificate with a padded signature': {
        signature: ({ r, s }) => bits(0, sequence(der(0x02, hex('00'), integer(r).subarray(2)), integer(s))),
      },
      'certificate with a fourth part': { behind: [hex('0500')] },
      'certificate with a name of many levels': { subject: sequence(levels(16)) },
      'certificate with three times': { validity: [...at('240101000000Z', '270101000000Z'), utc('280101000000Z')] },
      'certificate with a time that is a text': {
        validity: [der(0x16, Buffer.from('20240101000000Z')), utc('270101000000Z')],
      },
      'certificate with a long UTCTime': { validity: [utc('20240101000000Z'), utc('270101000000Z')] },
      'certificate with a short GeneralizedTime': { validity: [generalized('240101000000Z'), utc('270101000000Z')] },
      'certificate with an empty serial': { serial: hex('0200') },
      'certificate with an indefinite length inside': { subject: sequence(hex('3180 0000')) },
      'certificate with a long length inside': { subject: sequence(hex('0c8101 41')) },
      'certificate with a padded length inside': { subject: sequence(hex('0c820081'), Buffer.alloc(129, 'A')) },
      'certificate with a tag of two bytes inside': { subject: sequence(hex('1f02 4141')) },
      'certificate with a name that is cut off': { subject: sequence(hex('0c05 41')) },
      'certificate with a tag and no length': { subject: sequence(hex('0c')) },
      'certificate with an extension as a set': { extensions: [...base, der(0x31, hex('06032a0304'), octets())] },
      'certificate with an extension without an id': { extensions: [...base, sequence(hex('05032a0304'), octets())] },
      'certificate with an extension without octets': {
        extensions: [...base, sequence(hex('06032a0304'), hex('0c00'))],
      },
      'certificate with an extension of four parts': {
        extensions: [...base, sequence(hex('06032a0304'), FALSE, octets(), octets())],
      },
      'certificate with an extension of an id alone': { extensions: [...base, sequence(hex('06032a0304'))] },
      'certificate with an extension whose flag is a number': {
        extensions: [...base, sequence(hex('06032a0304'), hex('0201ff'), octets())],
      },
      'certificate with usage as octets': { extensions: [NO_CA, keyUsage(octets(hex('0780')), TRUE)] },
      'certificate with 8 unused bits': { extensions: [NO_CA, keyUsage(bits(8, hex('8000')), TRUE)] },
      'certificate whose constraints are a number': {
        extensions: [extension('551d13', TRUE, octets(integer(0))), FOR_SEALS],
      },
      'certificate whose constraints are empty': { extensions: [extension('551d13', TRUE, octets()), FOR_SEALS] },
      'certificate with bytes behind its constraints': {
        extensions: [extension('551d13', TRUE, octets(sequence(), hex('0500'))), FOR_SEALS],
      },
      'certificate whose constraints have two numbers': {
        extensions: [constraints(integer(0), integer(0)), FOR_SEALS],
      },
      'certificate whose constraints have a text': { extensions: [constraints(hex('0c0141')), FOR_SEALS] },
      'certificate whose constraints have a padded number': { extensions: [constraints(hex('02020001')), FOR_SEALS] },
      'certificate with two lists of extensions': { listed: [sequence(...base), sequence()] },
    },
  }
  for (const [name, options] of Object.entries(certificates.valid))
    valid(name, 'small', chain(cert(options)), 'For seals, of this key, by this CA.')
  for (const [name, options] of Object.entries(certificates['not valid'])) {
    invalid(name, 'small', chain(cert(options)), 'Not a certificate for seals, of this key, by this CA.')
  }
  const leaf = world.leaf
  const leafText = leaf.toString('base64')
  invalid(
    'certificate with bytes behind',
    'small',
    chain(Buffer.concat([leaf, hex('0500')])),
    'One certificate and nothing else.',
  )
  invalid(
    'two certificates in one entry',
    'small',
    chain(Buffer.concat([leaf, world.sealCa])),
    'One certificate and nothing else.',
  )
  invalid(
    'certificate with a bit changed',
    'small',
    chain(Buffer.concat([leaf.subarray(0, -1), Buffer.from([leaf.at(-1) ^ 1])])),
    'Its signature does not hold.',
  )
  invalid('certificate cut off', 'small', chain(leaf.subarray(0, -1)), 'No DER.')
  invalid(
    'certificate of indefinite length',
    'small',
    chain(Buffer.concat([hex('3080'), leaf.subarray(4), hex('0000')])),
    'No DER.',
  )
  invalid('certificate with a long length', 'small', chain(Buffer.concat([hex('308300'), leaf.subarray(2)])), 'No DER.')
  invalid('certificate with a set bit in its signature field', 'small', chain(leaf.subarray(0, 40)), 'No DER.')
  valid('the CA as second entry', 'small', chain(leaf, world.sealCa), 'It belongs to the chain.')
  invalid(
    'a foreign certificate as second entry',
    'small',
    chain(leaf, world.caCertificate({ signer: world.foreignCa.privateKey })),
    'It does not belong to the chain.',
  )
  invalid('the certificate itself as second entry', 'small', chain(leaf, leaf), 'It does not belong to the chain.', L2)
  invalid('the CA as first entry', 'small', chain(world.sealCa, leaf), 'The order says whose it is.')
  invalid('three entries', 'small', chain(leaf, world.sealCa, world.sealCa), 'Two are enough.')
  invalid('three entries, no CA', 'small', chain(leaf, world.sealCa, world.sealCa), 'Two are enough.', none)
  const large = cert({ extensions: [...base, extension('2a0304', octets(Buffer.alloc(9000)))] })
  invalid('an entry of 9 KB', 'small', chain(large), 'At most 8,192 bytes.')
  const repeated = [...chain('Wg=='), ['Wg==', 'Wlpa', 2731]]
  invalid('an entry of 8,194 bytes, no CA', 'small', repeated, 'At most 8,192 bytes.', none)
  const fitting = (size) => cert({ extensions: [...base, extension('2a0304', octets(Buffer.alloc(size)))] })
  valid('an entry of 8,192 bytes', 'small', chain(exactSize(fitting, 8192)), 'At the limit.')
  invalid('an entry in PEM', 'small', chain(certificatePem(leaf)), 'It is Base64 alone.')
  invalid('an entry with a line feed', 'small', chain(`${leafText}\n`), 'Base64 has one spelling.')
  invalid(
    'an entry with white space',
    'small',
    chain(`${leafText.slice(0, 64)} ${leafText.slice(64)}`),
    'Base64 has one spelling.',
  )
  invalid('an entry in base64url', 'small', chain(`-_${leafText.slice(2)}`), 'Another alphabet.')
  invalid('an entry in base64url, no CA', 'small', chain(`-_${leafText.slice(2)}`), 'Another alphabet.', none)
  undecided('an entry that is no certificate, no CA', 'small', chain('AAAA'), 'Without a CA nobody looks.', none)
  invalid('an entry that is no certificate', 'small', chain('AAAA'), 'No certificate.')
  for (const [name, to] of [
    ['null', null],
    ['empty', []],
    ['that looks like a list', { 0: leafText, length: 1 }],
    ['a text', leafText],
    ['with an empty entry', ['']],
    ['with a number', [5]],
  ]) {
    invalid(`x5c ${name}`, 'small', [[json(proof.x5c), json(to)]], 'A list of one or two texts.')
    invalid(`x5c ${name}, no CA`, 'small', [[json(proof.x5c), json(to)]], 'A list of one or two texts.', none)
  }
}

/** D. Timestamp, by its form. */
function timestampCases({ valid, invalid, undecided }) {
  const token = (size) => Buffer.alloc(size, 0x5a).toString('base64')
  const stampedLarge = (ending) => [...stamped({ genTime: null, token: ending }), [`${ending}"}`, 'Wlpa', 5461]]
  const stamped = (to) => before('merkleRoot', member('rfc3161', to))
  valid(
    'a timestamp',
    'small',
    stamped({ genTime: '2025-06-02T09:30:01.000Z', token: token(1000) }),
    'Held against its form alone.',
    offline,
  )
  valid('a timestamp of 16,384 bytes, no time', 'small', stampedLarge('Wg=='), 'At the limit.', offline)
  invalid('a timestamp of 16,385 bytes', 'small', stampedLarge('Wlo='), 'Beyond the limit.')
  undecided('a timestamp, no CA', 'small', stamped({ token: token(3) }), 'Held against its form alone.', {
    ...none,
    ...offline,
  })
  for (const [name, to] of [
    ['that is not Base64', { genTime: null, token: 'AAA*' }],
    ['in base64url', { genTime: null, token: '-_-_' }],
    ['with white space', { genTime: null, token: 'AAAA\n' }],
    ['that is empty', { genTime: null, token: '' }],
    ['without a token', { genTime: null }],
    ['with a further member', { genTime: null, token: 'AAAA', tsa: 'x' }],
    ['with a number for a time', { genTime: 5, token: 'AAAA' }],
    ['that is null', null],
    ['that is a list', ['AAAA']],
  ]) {
    invalid(`a timestamp ${name}`, 'small', stamped(to), 'Its form is another.')
  }
}

/** The document with the members of every object in reverse order. */
const reordered = (text) => {
  const turn = (value) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(
          Object.entries(value)
            .map(([name, inner]) => [name, turn(inner)])
            .reverse(),
        )
  return json(turn(JSON.parse(text)))
}

/** Replacement that turns one document into another: one stretch of text that occurs once. */
function changes(from, to) {
  const [before, after] = [JSON.stringify(from), JSON.stringify(to)]
  let start = 0
  while (before[start] === after[start]) start += 1
  let same = 0
  while (same < Math.min(before.length, after.length) - start && before.at(-1 - same) === after.at(-1 - same)) same += 1
  const end = before.length - same
  while (before.split(before.slice(start, end)).length !== 2) start -= 1
  return [[before.slice(start, end), after.slice(start, after.length - same)]]
}

function leftOut(document, key) {
  const out = structuredClone(document)
  for (const place of [out, out.metadata, out.proof.salts, out.proof.redactedLeaves]) delete place[key]
  return out
}

function madeUp(document) {
  const out = structuredClone(document)
  out.facilityDetails = out.metadata.facilityDetails = [{ facilityName: 'Werk 2' }]
  return out
}

/** Hides the last two of six leaves behind their parent node, presented as the leaf of a masked key. */
function innerNode(document, leaves) {
  const out = leftOut({ ...document, proof: { ...document.proof, redactedLeaves: {} } }, 'originCountry')
  const node = merkleRoot(['facilityDetails', 'originCountry'].map((key) => hex(leaves[key].hash)))
  out.facilityDetails = out.metadata.facilityDetails = REDACTED
  delete out.proof.salts.facilityDetails
  out.proof.redactedLeaves.facilityDetails = node.toString('hex')
  return out
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** Sets one of the unused bits of a text's last character. */
const otherBits = (character) => BASE64[BASE64.indexOf(character) + 1]
const upper = (values) => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value.toUpperCase()]))
const shifted = (values) =>
  Object.fromEntries(Object.keys(values).map((key, at, keys) => [key, values[keys[(at + 1) % keys.length]]]))
const levels = (count) => (count === 0 ? hex('0500') : sequence(levels(count - 1)))
/** Retries until the size fits: signatures differ by a byte or two. */
function exactSize(make, size) {
  for (let filling = size - 500; ; ) {
    const made = make(filling)
    if (made.length === size) return made
    filling += Math.sign(size - made.length) * Math.max(1, Math.abs(size - made.length) - 2)
  }
}

/** Names in a gateway's register, unknown to other verifiers. */
function makeRegisterCases(texts) {
  const { economicOperator, manufacturingFacility } = JSON.parse(texts.textile)
  const change = (name, from, to) => ({
    name,
    finding: 'H6',
    document: 'textile',
    replace: [[JSON.stringify(from), JSON.stringify(to)]],
    trust: 'sealCa',
    verdict: 'valid',
    gateway: 'not valid',
    why: 'Not sealed, and not what the register says.',
  })
  return [
    change('another name of the operator', economicOperator, { ...economicOperator, name: 'Counterfeit Ltd' }),
    change('a contact of the operator', economicOperator, {
      ...economicOperator,
      contact: { phone: '+49 30 1234567' },
    }),
    change('another name of the facility', manufacturingFacility, {
      ...manufacturingFacility,
      name: 'Counterfeit works',
    }),
    change('another facility', manufacturingFacility, {
      ...manufacturingFacility,
      id: idOf('evil'),
      gln: '4000001000012',
    }),
    change('another country of the facility', manufacturingFacility, { ...manufacturingFacility, country: 'CN' }),
    change('another activity of the facility', manufacturingFacility, { ...manufacturingFacility, activity: 'design' }),
  ]
}

/** Other certificates as seal CA, for the document `small`. */
function makeAuthorityCases(world) {
  const good = certificatePem(world.sealCa)
  const other = (options) => certificatePem(world.caCertificate(options))
  const signs = keyUsage(bits(1, hex('06')), TRUE)
  return [
    ['the seal CA with CRLF', good.replaceAll('\n', '\r\n'), 'valid'],
    ['the seal CA on one line', good.replace(/\n(?!-----END|$)/g, (feed, at) => (at < 30 ? feed : '')), 'valid'],
    ['the seal CA with white space around it', `\n  ${good}\n`, 'valid'],
    ['a longer one of the same key', other({ validity: [utc('200101000000Z'), utc('491231235959Z')] }), 'valid'],
    ['one that had ended', other({ validity: [utc('200101000000Z'), utc('250101000000Z')] }), 'not valid'],
    ['one that is no CA', other({ extensions: [NO_CA, signs] }), 'not valid'],
    ['one without basicConstraints', other({ extensions: [signs] }), 'not valid'],
    ['one that may not sign certificates', other({ extensions: [constraints(TRUE), FOR_SEALS] }), 'not valid'],
    ['one with an extension twice', other({ extensions: [constraints(TRUE), signs, signs] }), 'not valid'],
    ['one whose cA is 1', other({ extensions: [constraints(hex('010101')), signs] }), 'not valid'],
    [
      'one with a key off the curve',
      other({ spki: Buffer.concat([world.ca.spki.subarray(0, 90), Buffer.from([world.ca.spki[90] ^ 1])]) }),
      'not valid',
    ],
    ['one without keyUsage', other({ extensions: [constraints(TRUE)] }), 'not valid'],
    ['another name', other({ subject: nameOf('Seal CA of evil.example') }), 'not valid'],
    ['another key', other({ spki: world.foreignCa.spki }), 'not valid'],
    ['a new seal CA ahead of it', other({ spki: world.foreignCa.spki, subject: nameOf('Seal CA 2') }) + good, 'valid'],
    ['a new seal CA behind it', good + other({ spki: world.foreignCa.spki, subject: nameOf('Seal CA 2') }), 'valid'],
    ['another key of the same name ahead of it', other({ spki: world.foreignCa.spki }) + good, 'valid'],
    ['the seal CA eight times', good.repeat(8), 'valid'],
    ['the seal CA nine times', good.repeat(9), 'not valid'],
    ['two others', other({ spki: world.foreignCa.spki }) + other({ subject: nameOf('Seal CA 2') }), 'not valid'],
    ['one that is no CA behind it', good + certificatePem(world.leaf), 'not valid'],
    ['a text between two', `${good}Seal CA\n${good}`, 'not valid'],
    ['a text behind it', `${good}Seal CA`, 'not valid'],
    ['one that has no end', good + good.split('-----END')[0], 'not valid'],
    ['a text before it', `Seal CA\n${good}`, 'not valid'],
    ['the certificate of the key', certificatePem(world.leaf), 'not valid'],
    ['nothing', '', 'not valid'],
    ['no PEM', 'seal CA', 'not valid'],
    ['a public key', world.ca.pem, 'not valid'],
  ].map(([name, sealCa, verdict]) => ({ name, sealCa, document: 'small', verdict }))
}

function makeRevocationCases(world) {
  const [valid, invalid, undecided] = ['valid', 'not valid', 'undecided']
  const time = (iso) => utc(`${iso.replaceAll(/[^0-9]/g, '').slice(2, 14)}Z`)
  const [second, next, earlier, later] = [0, 1000, -86_400_000, 86_400_000].map((away) =>
    new Date(Date.parse(CREATED) + away).toISOString(),
  )
  const entry = (since, ...more) => sequence(SERIAL, time(since), ...more)
  const list = (options) => world.list(options)
  const revoked = (since, ...more) => list({ entries: [entry(since, ...more)] })
  const reason = sequence(extension('551d15', octets(hex('0a0101'))))
  const critical = (id) => sequence(extension(id, TRUE, octets(sequence())))
  const good = list({})
  const never = list({ validity: [utc('200101000000Z'), utc('200108000000Z')] })
  return [
    ['a list with nobody on it', [good], valid],
    ['a list without the sequence of nobody', [list({ entries: null })], valid],
    ['a list with somebody else on it', [list({ entries: [sequence(integer(5), time(earlier))] })], valid],
    ['revoked a day before the seal', [revoked(earlier)], invalid],
    ['revoked in the second of the seal', [revoked(second)], invalid],
    ['revoked a second after the seal', [revoked(next)], undecided],
    ['revoked a day after the seal', [revoked(later)], undecided],
    ['revoked with a reason', [revoked(earlier, reason)], invalid],
    ['revoked as a generalized time', [list({ entries: [sequence(SERIAL, generalized('20240101000000Z'))] })], invalid],
    ['revoked as last of a hundred', [list({ entries: [...strangers(99, time(earlier)), entry(earlier)] })], invalid],
    ['no list', [], undecided],
    ['a list that has ended', [never], undecided],
    ['a list that has not begun', [list({ validity: [utc('480101000000Z'), utc('490101000000Z')] })], undecided],
    ['a list of another key', [list({ signer: world.foreignCa.privateKey })], undecided],
    ['a list of another name', [list({ issuer: nameOf('Seal CA 2') })], undecided],
    ['a list of nobody, and its own', [list({ signer: world.foreignCa.privateKey }), good], valid],
    [
      'a newer list of another key, and its own',
      [newer({ signer: world.foreignCa.privateKey }), revoked(earlier)],
      invalid,
    ],
    ['an older list that knows of it, and a newer one that does not', [revoked(earlier), newer({})], valid],
    [
      'a newer list that knows of it, and an older one that does not',
      [newer({ entries: [entry(earlier)] }), good],
      invalid,
    ],
    ['a newer list that has ended, and an older one', [good, newer({ end: utc('250101000000Z') })], undecided],
    ['a text, and a list', [Buffer.from('none'), good], valid],
    ['nothing, and a list', [Buffer.alloc(0), revoked(earlier)], invalid],
    ['a certificate', [world.sealCa], undecided],
    ['a list that is cut off', [good.subarray(0, -1)], undecided],
    ['a list with bytes behind', [Buffer.concat([good, hex('0500')])], undecided],
    ['a list with a bit changed', [Buffer.concat([good.subarray(0, -1), Buffer.from([good.at(-1) ^ 1])])], undecided],
    ['a list signed with SHA-384', [list({ algorithm: ECDSA_WITH_SHA384, hash: 'sha384' })], undecided],
    ['a list that names another algorithm inside', [list({ innerAlgorithm: ECDSA_WITH_SHA384 })], undecided],
    ['a list of version 1', [list({ version: [] })], undecided],
    ['a list of version 3', [list({ version: [integer(2)] })], undecided],
    ['a list that names no next', [list({ validity: [utc('250101000000Z')] })], undecided],
    ['a list whose begin is no time', [list({ validity: [utc('251301000000Z'), utc('491231235959Z')] })], undecided],
    ['a list without extensions', [list({ extensions: null })], undecided],
    ['a list of some certificates alone', [list({ extensions: critical('551d1c') })], undecided],
    ['a list that speaks for another issuer', [revoked(later, critical('551d1d'))], undecided],
    ['an entry without a time', [list({ entries: [sequence(SERIAL)] })], undecided],
    ['an entry with a padded number', [list({ entries: [sequence(hex('02020001'), time(earlier))] })], undecided],
    ['an entry that is a set', [list({ entries: [der(0x31, SERIAL, time(earlier))] })], undecided],
    ['an entry with more than belongs to it', [revoked(earlier, reason, reason)], undecided],
  ].map(([name, lists, verdict]) => ({
    name,
    document: 'small',
    lists: lists.map((one) => one.toString('base64')),
    verdict,
  }))

  function newer({ end = utc('491231235959Z'), ...options }) {
    return list({ validity: [utc('250501000000Z'), end], ...options })
  }
}
const strangers = (count, since) => Array.from({ length: count }, (_, at) => sequence(integer(at + 1000), since))

export function sealVectors() {
  const world = makeWorld()
  const seals = makeSeals(world)
  const others = makeOthers(world)
  const texts = Object.assign(
    Object.fromEntries(Object.entries(seals).map(([name, { text }]) => [name, text])),
    ...Object.values(others),
    { 'something else': '?' },
  )
  const byPassport = Map.groupBy(Object.keys(seals), (name) => seals[name].made.passport.id)
  const vectors = rootVectors()
  const { root } = vectors.at(-1)
  return {
    about: ABOUT,
    vectors,
    forgery: forgery(vectors.at(-1)),
    signature: {
      root,
      base64: signatureOf(numbersOf(world.workspace.privateKey, Buffer.from(root))).toString('base64'),
      publicKeyPem: world.workspace.pem,
    },
    sealCa: certificatePem(world.sealCa),
    documents: texts,
    made: [...byPassport.values()].map((names) => ({ documents: names, ...seals[names[0]].made })),
    cases: makeCases(world, seals, others, texts),
    registerCases: makeRegisterCases(texts),
    authorityCases: makeAuthorityCases(world),
    revocationCases: makeRevocationCases(world),
  }
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(sealVectors(), null, 1)}\n`)
