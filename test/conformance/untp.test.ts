import fc from 'fast-check'
import jsonld from 'jsonld'
import { describe, expect, test } from 'vitest'
import { productPassportCredential, UNTP_PROFILES, unitCredential } from '../../plugins/representations/untp/untp.ts'
import type { PassportView } from '../../src/domain/view.ts'
import { contextLoader } from '../../src/verify/contexts.ts'
import { anyText } from '../support/any-text.ts'
import { CONTEXTS } from '../support/contexts.ts'
import { FORMS, METADATA, partOf } from '../support/credentials.ts'
import { BASE_URL } from '../support/gateway.ts'
import { standard } from '../support/reference-tools.ts'
import { anyUnit } from '../support/unit-views.ts'
import { contextOf, errorsOf, SCHEMAS, useUntp, viewOf } from '../support/untp.ts'

const { issuing, loader } = await useUntp()

const accept = (profile: string) => `${FORMS.jwt};profile="${profile}"`

const cases = UNTP_PROFILES.flatMap((profile) => Object.keys(METADATA).map((category) => ({ profile, category })))
const isThere = standard('untp') !== undefined && standard('vc') !== undefined

describe.skipIf(!isThere)('the published schemas and contexts', () => {
  test.each(cases)('accept a $category credential of $profile', async ({ profile, category }) => {
    const id = await issuing.given(METADATA[category] ?? {})
    const { iss: _iss, ...credential } = partOf(await issuing.credential(id, accept(profile)), 1)
    const { proof: _proof, ...embedded } = JSON.parse(
      await issuing.credential(id, `${FORMS.dataIntegrity};profile="${profile}"`),
    )
    expect(embedded).toEqual(credential)
    for (const path of SCHEMAS[profile] ?? [])
      expect([path, errorsOf(standard(path) ?? '', credential)]).toEqual([path, ''])
    const expanded = await jsonld.expand(credential, { safe: true, documentLoader: await loader() })
    expect(expanded).toHaveLength(1)
  })

  test.each(UNTP_PROFILES)('%s has one name of several, and says in which language the others are', async (profile) => {
    const id = await issuing.given({ ...METADATA.textiles, story: { pl: 'Z Podhala', id: 'Dari Podhale' } })
    const credential = partOf(await issuing.credential(id, accept(profile)), 1)
    expect(JSON.stringify(credential.credentialSubject)).toContain('"name":"Wool coat"')
    const expanded = JSON.stringify(await jsonld.expand(credential, { safe: true, documentLoader: await loader() }))
    expect(expanded).toContain('{"@language":"pl","@value":"Z Podhala"}')
    expect(expanded).toContain('{"@language":"id","@value":"Dari Podhale"}')
  })

  test.each(SCHEMAS['untp-0.7.0'] ?? [])('%s refuses a broken credential, so it judges', async (path) => {
    const credential = partOf(await issuing.credential(await issuing.given(METADATA.textiles ?? {}), FORMS.jwt), 1)
    expect(errorsOf(standard(path) ?? '', { ...credential, issuer: 5 })).not.toBe('')
  })

  test('any metadata makes a credential that meets the schemas and expands in safe mode', async () => {
    const documentLoader = await loader()
    const accepts = async (given: object, profile: string) => {
      const view = viewOf({ ...(given as PassportView['metadata']), category: 'textiles' })
      const credential = await productPassportCredential(view, contextOf(profile))
      for (const path of SCHEMAS[profile] ?? []) expect(errorsOf(standard(path) ?? '', credential)).toBe('')
      await jsonld.expand(credential, { safe: true, documentLoader })
    }
    const awkward = [
      ...['id', 'type', '@id', '@type', '@context', '@graph', '', 'a:b', '_:b', 'name', 'proof', 'issuer'],
      ...['issuingSoftware', 'mediaType', 'characteristics', 'evidence', 'digestSRI', 'payload', 'recordedAt'],
      ...['description', 'untp:x', 'status', 'renderMethod', '%', 'a b', 'ä/ö'],
    ]
    for (const profile of UNTP_PROFILES) {
      for (const leaf of [0.5, ['x', 1]]) {
        const all = Object.fromEntries(awkward.map((key) => [key, leaf]))
        await accepts({ ...all, group: all, list: [all] }, profile)
      }
    }
    const key = fc.oneof(anyText({ maxLength: 8 }), fc.constantFrom(...awkward))
    const value = fc.letrec((tie) => ({
      leaf: fc.oneof(
        anyText({ maxLength: 8 }),
        fc.integer(),
        fc.boolean(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      ),
      node: fc.oneof(
        { maxDepth: 3 },
        tie('leaf'),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(key, tie('node'), { maxKeys: 3 }),
      ),
    })).node
    const isText = (text: string) => text.isWellFormed() && !['__proto__', 'constructor', 'prototype'].includes(text)
    const metadata = fc
      .dictionary(key.filter(isText), value, { maxKeys: 8 })
      .filter((entry) => isText(JSON.stringify(entry)))
    await fc.assert(fc.asyncProperty(metadata, fc.constantFrom(...UNTP_PROFILES), accepts), { numRuns: 6 })
  })

  test.each(UNTP_PROFILES)(
    'any unit makes a credential of %s that meets the schemas and expands in safe mode',
    async (profile) => {
      const documentLoader = await loader()
      const models = (['public', 'legitimateInterest', 'authority', 'owner'] as const).map((audience) =>
        viewOf({ category: 'batteries', productName: 'Pack', serialNumber: 'SERIES' }, { audience }),
      )
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...models).chain(anyUnit), async (unit) => {
          const credential = await unitCredential(unit, contextOf(profile))
          for (const path of SCHEMAS[profile] ?? []) expect(errorsOf(standard(path) ?? '', credential)).toBe('')
          await jsonld.expand(credential, { safe: true, documentLoader })
        }),
        { numRuns: 5 },
      )
    },
  )
})

describe('the vocabulary as JSON-LD', () => {
  test('expands in safe mode, and has the terms of every category', async () => {
    const document = JSON.parse(await issuing.read(`${BASE_URL}/ns/dpp`, 'application/ld+json'))
    const [{ '@graph': _graph, ...first } = {} as Record<string, unknown>, ...rest] = (await jsonld.expand(document, {
      safe: true,
      documentLoader: contextLoader(CONTEXTS),
    })) as Record<string, unknown>[]
    const ids = [first, ...rest].map((node) => node['@id'])
    for (const term of ['DigitalProductPassport', 'fiberComposition', 'scrapMetalContentRatio', 'batteryMass']) {
      expect(ids).toContain(`${BASE_URL}/ns/dpp#${term}`)
    }
    expect((await issuing.read(`${BASE_URL}/ns/dpp`, 'text/html')).startsWith('<!doctype html>')).toBe(true)
  })

  test('/context/v1 makes a passport expand in safe mode', async () => {
    const id = await issuing.given(METADATA.batteries ?? {})
    const passport = JSON.parse(await issuing.read(`${BASE_URL}/passport/${id}`, 'application/ld+json'))
    const given = new Map([[`${BASE_URL}/context/v1`, JSON.parse(await issuing.read(`${BASE_URL}/context/v1`))]])
    const expanded = await jsonld.expand(passport, { safe: true, documentLoader: contextLoader(CONTEXTS, given) })
    expect(JSON.stringify(expanded)).toContain(`${BASE_URL}/ns/dpp#status`)
  })
})
