import { inflateSync } from 'node:zlib'
import { StatusList } from '@sd-jwt/jwt-status-list'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verify } from '../../src/verify/index.ts'
import { CONTEXTS } from '../support/contexts.ts'
import { FORMS, type IssuingGateway, issuerIn, METADATA, partOf, startIssuingGateway } from '../support/credentials.ts'
import { digitalBazaar } from '../support/digital-bazaar.ts'
import { BASE_URL, createWorkspace, startTestGateway } from '../support/gateway.ts'
import { passportClient } from '../support/passport-client.ts'
import { unitClient } from '../support/unit-client.ts'

let issuing: IssuingGateway
beforeAll(async () => {
  issuing = await startIssuingGateway()
})
afterAll(() => issuing.gateway.close())

/** What Digital Bazaar's library finds in the list that the credential names. */
const bitstringSays = (text: string) => digitalBazaar(issuing).statusIsClear(partOf(text, 1))

/** What the reference library finds in the token list. */
async function tokenSays(text: string): Promise<number> {
  const { idx, uri } = partOf(text, 1).status.status_list
  const { status_list: list } = partOf(await issuing.read(uri), 1)
  expect(inflateSync(Buffer.from(list.lst, 'base64url')).length).toBeGreaterThanOrEqual(131_072 / 8)
  return StatusList.decompressStatusList(list.lst, list.bits).getStatus(idx)
}

const ours = async (text: string) =>
  (await verify(text, { documents: issuing.documents, contexts: CONTEXTS, now: new Date() })).valid

async function everybodySays(id: string, texts: Record<keyof typeof FORMS, string>) {
  return {
    bitstring: await bitstringSays(texts.jwt),
    token: await tokenSays(texts.sdJwt),
    ours: await Promise.all(Object.values(texts).map(ours)),
    id,
  }
}

const issued = (id: string) => issuedAt(`/passport/${id}`)

async function issuedAt(path: string): Promise<Record<keyof typeof FORMS, string>> {
  const [jwt = '', dataIntegrity = '', sdJwt = ''] = await Promise.all(
    Object.values(FORMS).map((accept) => issuing.read(`${BASE_URL}${path}`, accept)),
  )
  return { jwt, dataIntegrity, sdJwt }
}

const holds = (id: string) => ({ id, bitstring: true, token: 0, ours: [true, true, true] })
const isRevoked = (id: string) => ({ id, bitstring: false, token: 1, ours: [false, false, false] })

describe('the status of a credential', () => {
  test.each(['RECALLED', 'DECOMMISSIONED'])(
    '%s revokes what was issued before, and reactivation restores it',
    async (status) => {
      const id = await issuing.given(METADATA.textiles ?? {})
      const other = await issuing.given(METADATA.textiles ?? {})
      const [texts, others] = [await issued(id), await issued(other)]
      expect(await everybodySays(id, texts)).toEqual(holds(id))
      await issuing.passports.setStatus(id, status)
      expect(await everybodySays(id, texts)).toEqual(isRevoked(id))
      expect(await everybodySays(other, others)).toEqual(holds(other))
      // What is issued now says so too.
      expect(await everybodySays(id, await issued(id))).toEqual(isRevoked(id))
      await issuing.passports.setStatus(id, 'ACTIVE')
      expect(await everybodySays(id, texts)).toEqual(holds(id))
    },
  )

  test('a passport first issued while it is recalled is revoked from the start', async () => {
    const id = await issuing.given(METADATA.textiles ?? {})
    await issuing.passports.setStatus(id, 'RECALLED')
    expect(await everybodySays(id, await issued(id))).toEqual(isRevoked(id))
  })

  test('a passport that is withdrawn or deleted stays revoked, and its index is given to nobody', async () => {
    const id = await issuing.given(METADATA.textiles ?? {})
    const texts = await issued(id)
    await issuing.passports.update(id, { metadata: {}, draft: true })
    expect(await everybodySays(id, texts)).toEqual(isRevoked(id))
    await issuing.passports.remove(id)
    expect(await everybodySays(id, texts)).toEqual(isRevoked(id))
  })

  test('of a unit is its own, in every form and at the address that is its id', async () => {
    const units = unitClient(issuing.gateway, issuing.workspace.as)
    const passportId = await issuing.given(METADATA.batteries ?? {})
    const [unit, sibling] = [await units.given(passportId), await units.given(passportId)]
    const path = `/unit/${unit.id}`
    const texts = await issuedAt(path)
    const [passport, aside] = [await issued(passportId), await issuedAt(`/unit/${sibling.id}`)]
    expect(partOf(texts.jwt, 1).id).toBe(`${BASE_URL}/credentials/unit/${unit.id}`)
    expect(await issuing.read(partOf(texts.jwt, 1).id)).toBe(texts.jwt)
    for (const status of ['RECALLED', 'DECOMMISSIONED', 'WASTE'] as const) {
      expect(await everybodySays(unit.id, texts)).toEqual(holds(unit.id))
      await units.setStatus(unit.id, status)
      expect(await everybodySays(unit.id, texts)).toEqual(isRevoked(unit.id))
      expect(await everybodySays(unit.id, await issuedAt(path))).toEqual(isRevoked(unit.id))
      expect(await everybodySays(passportId, passport)).toEqual(holds(passportId))
      expect(await everybodySays(sibling.id, aside)).toEqual(holds(sibling.id))
      await units.setStatus(unit.id, 'IN_SERVICE')
    }
    await issuing.passports.setStatus(passportId, 'RECALLED')
    expect(await everybodySays(unit.id, texts)).toEqual(holds(unit.id))
    await units.setStatus(unit.id, 'RECYCLED')
    expect(await everybodySays(unit.id, texts)).toEqual(isRevoked(unit.id))
    await units.remove(sibling.id)
    expect(await everybodySays(sibling.id, aside)).toEqual(isRevoked(sibling.id))
  })

  test('moves when a workspace sets it to which the operator is bound', async () => {
    const bound = await createWorkspace(issuing.gateway)
    await issuing.gateway.container.cradle.workspaces.bindOperator(issuing.workspace.operatorId, bound.id)
    const id = await issuing.given(METADATA.textiles ?? {})
    const texts = await issued(id)
    expect((await passportClient(issuing.gateway, bound.as).setStatus(id, 'RECALLED')).status).toBe(200)
    expect(await everybodySays(id, texts)).toEqual(isRevoked(id))
  })

  test('keeps its index in every form, profile, version and after a rotation, and shares it with nobody', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => issuing.given(METADATA.textiles ?? {})))
    const indexes = new Set<number>()
    for (const id of ids) {
      const before = await issued(id)
      await issuing.passports.update(id, { metadata: { ...METADATA.textiles, size: 'M' } })
      const after = await issued(id)
      const old = partOf(await issuing.credential(id, `${FORMS.jwt};profile="untp-0.6.1"`), 1)
      const all = [before, after].flatMap(({ jwt, dataIntegrity, sdJwt }) => [
        partOf(jwt, 1).credentialStatus.statusListIndex,
        JSON.parse(dataIntegrity).credentialStatus.statusListIndex,
        partOf(sdJwt, 1).status.status_list.idx,
      ])
      expect(new Set([...all, Number(old.credentialStatus.statusListIndex)]).size).toBe(1)
      expect(typeof old.credentialStatus.statusListIndex).toBe('string')
      indexes.add(all[0])
    }
    expect(indexes.size).toBe(ids.length)
  })

  test('is allotted once when many ask at the same time', async () => {
    const id = await issuing.given(METADATA.textiles ?? {})
    const texts = await Promise.all(Array.from({ length: 12 }, () => issuing.credential(id, FORMS.jwt)))
    expect(new Set(texts).size).toBe(1)
  })

  test('finds a place when the first ones are taken, and the list grows to hold it', async () => {
    const full = await issuerIn(issuing.gateway)
    await full.gateway.sqlAs(
      full.workspace.id,
      `insert into status_entry select $1::uuid, n, gen_random_uuid(), false from generate_series(0, 131071) n`,
      [full.workspace.id],
    )
    const text = await full.credential(await full.given(METADATA.textiles ?? {}), FORMS.jwt)
    expect(partOf(text, 1).credentialStatus.statusListIndex).toBeGreaterThan(131_071)
    expect(await verify(text, { documents: full.documents, contexts: CONTEXTS, now: new Date() })).toMatchObject({
      valid: true,
    })
  })
})

describe('the list', () => {
  test('is signed once while nothing changes, and anew when a bit moves', async () => {
    const id = await issuing.given(METADATA.textiles ?? {})
    await issued(id)
    const url = `${issuing.url}/status/revocation`
    const first = await issuing.read(url)
    expect(await issuing.read(url)).toBe(first)
    await issuing.passports.setStatus(id, 'RECALLED')
    const second = await issuing.read(url)
    expect(second).not.toBe(first)
    expect(partOf(second, 1)).toMatchObject({
      id: url,
      type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    })
  })

  test('of yesterday says nothing, and one of another issuer is refused', async () => {
    const id = await issuing.given(METADATA.textiles ?? {})
    const texts = await issued(id)
    const stale = new Map<string, string>()
    for (const path of ['status/revocation', 'status/tokens'])
      stale.set(`${issuing.url}/${path}`, await issuing.read(`${issuing.url}/${path}`))
    await issuing.passports.setStatus(id, 'RECALLED')
    const stranger = await issuerIn(issuing.gateway)
    const documents = { read: async (url: string, accept: string) => stale.get(url) ?? issuing.read(url, accept) }
    const tomorrow = new Date(Date.now() + 25 * 3600 * 1000)
    for (const text of Object.values(texts)) {
      const late = await verify(text, { documents, contexts: CONTEXTS, now: tomorrow })
      expect(late).toMatchObject({ verdict: 'undecided', valid: false })
      expect(late.checks.find(({ name }) => name === 'status')).toMatchObject({ ok: null, code: 'statusUnknown' })
      // Only the list's own time keeps an old one from being shown: within it, it holds.
      expect((await verify(text, { documents, contexts: CONTEXTS, now: new Date() })).valid).toBe(true)
    }
    await stranger.credential(await stranger.given(METADATA.textiles ?? {}), FORMS.jwt)
    const foreign = await stranger.read(`${stranger.url}/status/revocation`)
    const swapped = {
      read: async (url: string, accept: string) =>
        url.endsWith('/status/revocation')
          ? foreign
          : url.startsWith(stranger.url)
            ? stranger.read(url, accept)
            : issuing.read(url, accept),
    }
    const { verdict, checks } = await verify(texts.jwt, { documents: swapped, contexts: CONTEXTS, now: new Date() })
    expect(verdict).toBe('not valid')
    expect(checks.find(({ name }) => name === 'status')).toMatchObject({ ok: false })
  })

  test('that cannot be had leaves the status unknown, and nothing is valid that may be revoked', async () => {
    const id = await issuing.given(METADATA.textiles ?? {})
    const texts = await issued(id)
    await issuing.passports.setStatus(id, 'RECALLED')
    const answers: Record<string, () => Promise<string>> = {
      'not there': () => Promise.reject(new Error('answered 404.')),
      'no list': async () => '<html>Please log in</html>',
      empty: async () => '',
    }
    for (const [name, answer] of Object.entries(answers)) {
      const documents = {
        read: async (url: string, accept: string) => (url.includes('/status/') ? answer() : issuing.read(url, accept)),
      }
      for (const text of Object.values(texts)) {
        const options = { documents, contexts: CONTEXTS, now: new Date() }
        const { verdict, valid, checks } = await verify(text, options)
        expect([name, verdict, valid]).toEqual([name, 'undecided', false])
        expect(checks.find(({ name }) => name === 'status')).toMatchObject({ ok: null, code: 'statusUnknown' })
        expect(await verify(text, { ...options, allowUnknownStatus: true })).toMatchObject({ verdict: 'valid' })
      }
    }
  })

  test('is the same in two processes', async () => {
    const twin = await startTestGateway({ DATABASE_URL: issuing.gateway.databaseUrl })
    try {
      for (const path of ['status/revocation', 'status/tokens']) {
        const at = `/tenants/${issuing.workspace.id}/${path}`
        expect((await twin.request('GET', at)).text).toBe((await issuing.gateway.request('GET', at)).text)
      }
    } finally {
      await twin.close()
    }
  })
})
