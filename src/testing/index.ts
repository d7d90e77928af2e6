/** Contract tests for plugins (`dpp-gateway/plugin/testing`). Functions throw an AssertionError. No test runner or gateway required. */
import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, type JsonWebKey, randomBytes, sign, verify } from 'node:crypto'
import categoryValidator from '../categories/category-validator.ts'
import descriptionsOf from '../categories/descriptions.ts'
import type { Cradle } from '../cradle.ts'
import { type Audience, audienceRules } from '../domain/audience.ts'
import type { BatchView } from '../domain/batch.ts'
import { fieldsOf } from '../domain/field.ts'
import { REQUEST_STATES, type RequestState } from '../domain/grants.ts'
import { sealTree } from '../domain/merkle.ts'
import type { Metadata } from '../domain/metadata.ts'
import { Problem } from '../domain/problem.ts'
import { sealSubject } from '../domain/seal.ts'
import type { UnitView } from '../domain/unit.ts'
import { type PassportView, REDACTED } from '../domain/view.ts'
import type { PassportRow } from '../passports/passport-columns.ts'
import { COMMON_SCHEMA } from '../plugin/common-schema.ts'
import type {
  CategoryDescription,
  ParseContext,
  RenderContext,
  Rendered,
  RepresentationPlugin,
  SignerPlugin,
  SigningContext,
} from '../plugin/contracts.ts'
import { type LoadedCategory, type LoadedPlugins, loadPlugins } from '../plugin/loader.ts'
import passportViews from '../renditions/passport-views.ts'
import { bareProduct } from '../renditions/sample-passport.ts'
import translatorOf from '../renditions/translator.ts'

/** Metadata that a category must accept, or reject at a path. */
export interface CategorySamples {
  readonly valid: readonly Metadata[]
  readonly invalid: readonly { readonly metadata: Metadata; readonly path: string }[]
}

/** Checks category plugins: the schema compiles, samples validate as expected, issues have texts, `check` is pure. */
export async function checkCategory(folder: string, samples: CategorySamples): Promise<void> {
  const plugins = await loadPlugins([folder])
  assert.ok(plugins.categories.size > 0, `${folder} has no category plugin.`)
  const translator = translatorOf({ plugins })
  const validator = categoryValidator({ plugins, translator, descriptions: descriptionsOf({ plugins, translator }) })
  assert.ok(samples.valid.length > 0 && samples.invalid.length > 0, 'Pass at least one valid and one invalid sample.')
  for (const metadata of samples.valid) {
    const { errors } = validator.validate(frozen(metadata), 'en')
    assert.deepEqual(errors, [], `A valid sample of ${String(metadata.category)} is rejected.`)
  }
  for (const { metadata, path } of samples.invalid) {
    const { errors } = validator.validate(frozen(metadata), 'en')
    const paths = errors.map((error) => error.path)
    assert.ok(paths.includes(path), `No issue is reported at ${path}. Reported paths: ${paths.join(', ') || 'none'}.`)
    for (const error of errors) {
      const text = error.friendlyMessage ?? ''
      assert.ok(text !== '' && !/^issue\./.test(text), `The issue at ${error.path} has no text in locales/en.json.`)
    }
    assert.deepEqual(
      validator.validate(metadata, 'en').errors,
      errors,
      'Validating the same metadata twice gives different results.',
    )
  }
  const descriptions = descriptionsOf({ plugins, translator })
  for (const category of plugins.categories.values()) {
    assertKeysAreShown(category)
    assertKeysAreNamed(category, descriptions.of(category.plugin.name, 'en'))
  }
}

function assertKeysAreShown({ plugin: { name, restrictedKeys = [] }, schema }: LoadedCategory): void {
  assert.equal(new Set(restrictedKeys).size, restrictedKeys.length, `${name} lists a restricted key twice.`)
  const masked = audienceRules([COMMON_SCHEMA, schema], restrictedKeys)
  for (const key of ['category', 'originCountry']) {
    assert.ok(!masked.has(key), `${name} must not hide ${key}: every reader needs it.`)
  }
}

function assertKeysAreNamed({ plugin, schema }: LoadedCategory, description: CategoryDescription): void {
  assert.ok(description.name !== undefined, `${plugin.name} has no text "category" (its name) in locales/en.json.`)
  const nameless = [...fieldsOf(schema, COMMON_SCHEMA).keys()].filter((path) => {
    const [group, key] = path.split('/')
    return (key === undefined ? description.label(path) : description.label(key, group)) === undefined
  })
  assert.deepEqual(nameless, [], `${plugin.name} has no text for these keys under "field" in locales/en.json.`)
}

/**
 * Checks representation plugins: every audience and language renders the same bytes (compared in English) in its media type without
 * changing the input, or throws Problem 406. `parse` reads the owner's output and rejects other documents with Problem 400.
 */
export async function checkRepresentation(folder: string): Promise<void> {
  const plugins = await loadPlugins([folder])
  assert.ok(plugins.representations.length > 0, `${folder} has no representation plugin.`)
  const translator = translatorOf({ plugins })
  const descriptions = descriptionsOf({ plugins, translator })
  for (const plugin of plugins.representations) {
    const languages = plugin.isSigned !== true && plugin.localised ? [...translator.languages] : ['en']
    for (const [place, lang] of languages.entries()) {
      const context = contextFor(plugin, lang, { translator, descriptions })
      for (const view of sampleViews(plugins).filter(isIn(lang, place))) {
        await assertRendersPassport(plugin, view, context)
        await assertRendersVersion(plugin, view, context)
        await assertRendersUnit(plugin, view, context)
        await assertRendersBatch(plugin, view, context)
        await assertParses(plugin, view, context)
      }
      assertRendersCeasedUnit(plugin, context)
      for (const status of [400, 404, 410, 429, 500]) assertRendersProblem(plugin, status, context)
      for (const isSent of [false, true]) assertRendersAccessRequest(plugin, isSent, context)
      for (const state of REQUEST_STATES) assertRendersAccessStatus(plugin, state, context)
      assertRendersChoices(plugin, context)
      assertRendersPages(plugin, context)
    }
  }
}

const isIn = (lang: string, place: number) => (_: unknown, index: number, views: readonly unknown[]) =>
  lang === 'en' || index === place % views.length

const nameOf = (plugin: RepresentationPlugin, { audience, metadata }: PassportView) =>
  `${plugin.name}, for ${audience}, ${metadata.category}`

const signingContext = (plugin: RepresentationPlugin, context: RenderContext): SigningContext => ({
  ...context,
  profile: plugin.isSigned === true ? plugin.profiles[0] : '',
  signing: sampleIssuer(),
})

const assertRendersPassport = (plugin: RepresentationPlugin, view: PassportView, context: RenderContext) =>
  assertRenders(plugin, context, nameOf(plugin, view), () =>
    plugin.isSigned === true ? plugin.render(view, signingContext(plugin, context)) : plugin.render(view, context),
  )

async function assertRendersVersion(
  plugin: RepresentationPlugin,
  view: PassportView,
  context: RenderContext,
): Promise<void> {
  if (plugin.isSigned === true || plugin.renderVersion === undefined || view.audience !== 'public') return
  const currentUrl = `${view.baseUrl}/passport/${view.id}`
  const superseded = {
    number: 7,
    at: '2041-05-06T07:08:09.000Z',
    url: `${currentUrl}?version=7`,
    currentUrl,
    statusNow: 'RECALLED',
  } as const
  for (const version of [frozen({ ...view, superseded }), frozen({ ...view, superseded: null })]) {
    await assertRenders(plugin, context, `${nameOf(plugin, view)}, a version`, () =>
      plugin.renderVersion?.(version, context),
    )
  }
}

async function assertRendersUnit(
  plugin: RepresentationPlugin,
  view: PassportView,
  context: RenderContext,
): Promise<void> {
  if (plugin.renderUnit === undefined) return
  const unit = frozen(sampleUnit(view))
  await assertRenders(plugin, context, `${nameOf(plugin, view)}, a unit`, () =>
    plugin.isSigned === true
      ? plugin.renderUnit?.(unit, signingContext(plugin, context))
      : plugin.renderUnit?.(unit, context),
  )
}

async function assertRendersBatch(
  plugin: RepresentationPlugin,
  view: PassportView,
  context: RenderContext,
): Promise<void> {
  const renderer = plugin.levels?.batch
  if (renderer === undefined) return
  const batch = frozen(sampleBatch(view))
  await assertRenders(plugin, context, `${nameOf(plugin, view)}, a batch`, () => renderer.render(batch, context))
}

async function assertRenders(
  plugin: RepresentationPlugin,
  { lang }: RenderContext,
  place: string,
  make: () => Rendered | Promise<Rendered> | undefined,
): Promise<void> {
  const render = async () => {
    try {
      return await make()
    } catch (error) {
      assert.ok(error instanceof Problem && error.status === 406, `${place}: ${(error as Error).stack}`)
      return undefined
    }
  }
  const first = await render()
  if (first === undefined) return
  assert.ok(first.body.length > 0, `${place}: the body is empty.`)
  const contentType = first.contentType ?? plugin.mediaTypes[0]
  assert.ok(
    plugin.mediaTypes.some((mediaType) => contentType.startsWith(mediaType)),
    `${place}: ${contentType} is not one of its media types.`,
  )
  // Signatures differ each time; the first is stored.
  if (plugin.isSigned === true || lang !== 'en') return
  const second = await render()
  assert.deepEqual(second?.body, first.body, `${place}: rendering the same view twice gives different bytes.`)
}

async function assertParses(plugin: RepresentationPlugin, view: PassportView, context: RenderContext): Promise<void> {
  if (plugin.parse === undefined) return
  const parsing: ParseContext = { parseJson: JSON.parse, takesStructure: () => false, redacted: REDACTED }
  for (const garbage of [null, 1, 'text', [], {}, [{}], { submodels: [null] }]) {
    const parse = () => plugin.parse?.(frozen(garbage), parsing)
    const isRefusal = (error: unknown) => error instanceof Problem && error.status === 400
    assert.throws(parse, isRefusal, `${plugin.name}: ${JSON.stringify(garbage)} must be rejected with a Problem 400.`)
  }
  if (plugin.isSigned === true || view.audience !== 'owner') return
  const document = JSON.parse(String((await plugin.render(view, context)).body))
  const { metadata, issues } = plugin.parse(document, parsing)
  assert.deepEqual(
    [issues, metadata],
    [[], view.metadata],
    `${plugin.name}: parsing the rendered document gives other metadata.`,
  )
}

function assertRendersProblem(plugin: RepresentationPlugin, status: number, context: RenderContext): void {
  if (plugin.renderProblem === undefined) return
  const problem = new Problem(status, 'Sample <b>problem</b>', { title: 'Sample' })
  const requested = { kind: 'passport', text: '"><b>sample</b>', corrected: '09506000134352' } as const
  const { body } = plugin.renderProblem(problem, context, requested)
  assert.ok(body.length > 0, `${plugin.name}: the page of a ${status} is empty.`)
  assert.ok(!body.toString().includes(requested.text), `${plugin.name}: the requested address is not escaped.`)
}

function assertRendersCeasedUnit(plugin: RepresentationPlugin, context: RenderContext): void {
  if (plugin.renderCeasedUnit === undefined) return
  const { body } = plugin.renderCeasedUnit(
    {
      baseUrl: 'https://passport.example',
      id: '00000000-0000-4000-8000-000000000005',
      serialNumber: 'SN-0001',
      digitalLinkUri: 'https://passport.example/01/09506000134352/21/SN-0001',
      status: 'RECYCLED',
      ceasedAt: '2041-05-06T07:08:09.000Z',
      passportId: '00000000-0000-4000-8000-000000000001',
      isBattery: true,
    },
    context,
  )
  assert.ok(
    String(body).includes('SN-0001'),
    `${plugin.name}: the page of a ceased unit does not contain its serial number.`,
  )
}

function assertRendersAccessRequest(plugin: RepresentationPlugin, isSent: boolean, context: RenderContext): void {
  if (plugin.renderAccessRequest === undefined) return
  const hostile = '"><b>sample</b>'
  const values = {
    ...{ granteeName: hostile, granteeEmail: hostile, organization: hostile, purpose: hostile },
    ...{ actorKind: null, identifierScheme: null, identifier: hostile },
  }
  const { body } = plugin.renderAccessRequest(
    {
      company: hostile,
      product: { name: hostile, id: hostile },
      query: 'passport=x',
      subjectUrl: 'https://dpp.example/passport/x',
      request: {
        values,
        errors: isSent ? [] : ['nameMissing', 'emailInvalid', 'actorKindInvalid', 'identifierInvalid'],
      },
      actorKinds: ['repairer'],
      identifierSchemes: ['LEI', hostile],
      sent: isSent ? { followUrl: `https://dpp.example/request-access/x?${hostile}`, isMailed: false } : undefined,
    },
    context,
  )
  assert.ok(body.length > 0, `${plugin.name}: the page for access requests is empty.`)
  assert.ok(!body.toString().includes(hostile), `${plugin.name}: the form input is not escaped.`)
}

function assertRendersPages(plugin: RepresentationPlugin, context: RenderContext): void {
  if (plugin.renderPage === undefined) return
  const hostile = '"></script><b>sample</b>'
  const door = { host: hostile, sought: hostile, corrected: hostile }
  const vocabulary = { namespace: hostile, terms: [[hostile, hostile] as const], categories: [] }
  for (const { body } of [
    plugin.renderPage('door', { purpose: 'open', ...door, problem: 'absent', corrected: undefined }, context),
    plugin.renderPage('door', { purpose: 'access', ...door, problem: 'checkDigit' }, context),
    plugin.renderPage('verifier', { script: 'void 0' }, context),
    plugin.renderPage('vocabulary', vocabulary, context),
  ]) {
    assert.ok(body.length > 0, `${plugin.name}: a page of the gateway is empty.`)
    assert.ok(!body.toString().includes('<b>sample</b>'), `${plugin.name}: the search input is not escaped.`)
  }
}

function assertRendersAccessStatus(plugin: RepresentationPlugin, state: RequestState, context: RenderContext): void {
  if (plugin.renderAccessStatus === undefined) return
  const company = '"><b>sample</b>'
  const subjectUrl = 'https://dpp.example/passport/x'
  const { body } = plugin.renderAccessStatus(
    {
      company,
      product: { name: company, id: company },
      subjectUrl,
      state,
      isMailed: false,
      expiresAt: '2027-02-18T00:00:00.000Z',
    },
    context,
  )
  assert.ok(body.toString().includes(subjectUrl), `${plugin.name}: the page of a request has no link to its subject.`)
  assert.ok(!body.toString().includes(company), `${plugin.name}: the name of a company is not escaped.`)
}

function assertRendersChoices(plugin: RepresentationPlugin, context: RenderContext): void {
  if (plugin.renderChoices === undefined) return
  const hostile = '"><b>sample</b>'
  const details = { company: hostile, country: 'DE', status: 'ACTIVE' } as const
  const choice = { href: 'https://dpp.example/passport/x', ...details, isClaimed: true, isSealed: false }
  const { body } = plugin.renderChoices([choice, { ...choice, isClaimed: false }], context)
  assert.ok(body.toString().includes(choice.href), `${plugin.name}: the page of choices has no link to the passport.`)
  assert.ok(!body.toString().includes(hostile), `${plugin.name}: the name of a company is not escaped.`)
}

/** Checks a signer: keys differ, signatures verify externally, unknown keys are rejected. */
export async function checkSigner(plugin: SignerPlugin, options: Readonly<Record<string, string>>): Promise<void> {
  const signer = await plugin.open(options)
  try {
    const [first, second] = await Promise.all([signer.createKey('kit:first'), signer.createKey('kit:second')])
    assert.notEqual(first, second, 'Two keys have the same id.')
    const jwk = (await signer.publicJwk(first)) as JsonWebKey
    assert.deepEqual([jwk.kty, jwk.crv, jwk.d], ['EC', 'P-256', undefined], 'publicJwk must be a public P-256 key.')
    assert.notDeepEqual(await signer.publicJwk(second), jwk, 'Two ids have the same key.')
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const texts = Array.from({ length: 20 }, () => randomBytes(64))
    const signatures = await Promise.all(texts.map((text) => signer.sign(first, text)))
    for (const [index, signature] of signatures.entries()) {
      assert.equal(signature.length, 64, 'A signature must be r‖s with 64 bytes.')
      const isValid = verify('sha256', texts[index] as Buffer, { key, dsaEncoding: 'ieee-p1363' }, signature)
      assert.ok(isValid, 'A signature does not verify under the public key.')
    }
    await assert.rejects(signer.sign('no-such-key', randomBytes(8)), 'Signing with an unknown key must fail.')
  } finally {
    await signer.close?.()
  }
}

const contextFor = (
  plugin: RepresentationPlugin,
  lang: string,
  { translator, descriptions }: Pick<Cradle, 'translator' | 'descriptions'>,
): RenderContext => ({
  lang,
  translate: (key, params) => translator.translate(lang, plugin.name, key, params),
  mediaTypes: plugin.mediaTypes,
  modules: new Set(),
  describe: (category) => descriptions.of(category, lang),
})

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) frozen(inner)
    Object.freeze(value)
  }
  return value
}

function sampleViews(plugins: LoadedPlugins): PassportView[] {
  const categories = new Map(plugins.categories)
  if (!categories.has('batteries')) {
    const plugin = { kind: 'category', name: 'batteries', restrictedKeys: ['detailedPerformance'] } as const
    categories.set('batteries', { plugin, schema: undefined, published: false })
  }
  const views = passportViews({
    config: { baseUrl: 'https://passport.example' } as never,
    plugins: { ...plugins, categories },
  })
  const audiences: Audience[] = ['public', 'legitimateInterest', 'authority', 'owner']
  return [sealedBattery(), bareProduct()].flatMap((row) =>
    audiences.map((audience) => frozen(views.view(row, audience))),
  )
}

function sampleBatch(ofModel: PassportView): BatchView {
  const { baseUrl, audience, metadata, maskedKeys, grantableKeys, privilegedKeys } = ofModel
  return {
    baseUrl,
    audience,
    id: '00000000-0000-4000-8000-000000000006',
    batchNumber: 'L/1',
    digitalLinkUri: `${ofModel.digitalLinkUri}/10/L%2F1`,
    manufacturedAt: '2026-01-02T00:00:00.000Z',
    createdAt: '2026-01-02T03:04:05.678Z',
    metadata,
    maskedKeys,
    grantableKeys,
    privilegedKeys,
    ofModel,
  }
}

function sampleUnit(ofModel: PassportView): UnitView {
  const other = (serialNumber: string) => ({
    unitId: '00000000-0000-4000-8000-000000000006',
    serialNumber,
    digitalLinkUri: `${ofModel.digitalLinkUri}/21/${serialNumber}`,
  })
  const state = {
    stateOfHealth: 97.5,
    cycleCount: 120,
    remainingCapacityAh: null,
    temperatureC: -4,
    recordedAt: '2026-01-02T03:04:05.678Z',
  }
  return {
    baseUrl: ofModel.baseUrl,
    audience: ofModel.audience,
    id: '00000000-0000-4000-8000-000000000005',
    serialNumber: 'SN-0001',
    batchNumber: 'L-1',
    ofBatch: {
      batchId: '00000000-0000-4000-8000-000000000006',
      batchNumber: 'L-1',
      digitalLinkUri: `${ofModel.digitalLinkUri}/10/L-1`,
    },
    digitalLinkUri: `${ofModel.digitalLinkUri}/21/SN-0001`,
    status: 'REPURPOSED',
    manufacturedAt: null,
    placedOnMarketAt: null,
    ceasedAt: null,
    createdAt: '2026-01-02T03:04:05.678Z',
    updatedAt: '2026-01-02T03:04:05.678Z',
    version: 1,
    ofModel,
    repurposedFrom: other('SN-0000'),
    successorUnits: [other('SN-0002')],
    ...(ofModel.audience === 'public'
      ? {}
      : {
          telemetry: {
            currentState: state,
            dynamicData: [{ ...state, eventType: 'NEGATIVE_EVENT', payload: { note: 'Sample <event>' } }],
            kept: {
              batteryStatus: 'repurposed',
              condition: {
                fullCycles: { value: 120, recordedAt: state.recordedAt },
                accidents: { value: 'Sample <accident>', recordedAt: state.recordedAt },
                negativeEvents: {
                  value: [{ kind: 'other', recordedAt: state.recordedAt }],
                  recordedAt: state.recordedAt,
                },
              },
              statusChanges: [{ batteryStatus: 'original', recordedAt: state.recordedAt, values: { powerW: 7 } }],
            },
          },
        }),
  }
}

function sealedBattery(): PassportRow {
  const metadata: Metadata = {
    category: 'batteries',
    originCountry: 'DE',
    productName: 'Sample <battery> & "quotes"',
    materialComposition: [
      { material: 'Graphite', percentage: 60 },
      { material: 'Copper', percentage: 40 },
    ],
    detailedPerformance: { capacityFadePct: 1 },
    facilityDetails: [{ facilityName: 'Works', location: 'Berlin', activity: 'Assembly' }],
  }
  const passport = { ...bareProduct(), productId: '09506000134352' }
  const subject = sealSubject(passport, '2026-01-02T03:04:05.678Z', ['detailedPerformance', 'facilityDetails'])
  const tree = sealTree(metadata, subject, randomBytes)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    ...passport,
    metadata,
    facility: {
      id: '00000000-0000-4000-8000-000000000003',
      gln: '4012345000009',
      name: 'Sample works',
      activity: null,
      country: 'DE',
      streetAddress: 'Street 1',
      city: 'Berlin',
      postalCode: '10115',
    },
    enrichment: { tagline: 'A tagline', links: [{ label: 'More', url: 'https://example.org/' }] },
    seal: {
      merkleRoot: tree.root,
      signature: sign('sha256', Buffer.from(tree.root), privateKey).toString('base64'),
      publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString().trim(),
      leaves: tree.leaves,
      createdAt: subject.created,
      x5c: null,
      rfc3161: null,
      subject,
    },
  }
}

function sampleIssuer(): SigningContext['signing'] {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = {
    did: 'did:web:issuer.example',
    name: 'Sample Issuer',
    url: 'https://issuer.example',
    verificationMethod: 'did:web:issuer.example#key-1',
    keyNumber: 1,
    sign: async (data: Uint8Array) => sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
  }
  return { issuer, statusPlace: async () => ({ list: 0, index: 7 }) }
}
