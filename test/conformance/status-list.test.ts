import { describe, expect, test } from 'vitest'
import { verify } from '../../src/verify/index.ts'
import { CONTEXTS } from '../support/contexts.ts'
import { useCredentialStatus } from '../support/credential-status.ts'
import { FORMS, issuerIn, METADATA, partOf } from '../support/credentials.ts'
import { startTestGateway } from '../support/gateway.ts'

const { issuing, issued } = await useCredentialStatus()

describe('the list', () => {
  test('is signed once while unchanged, and again when a bit changes', async () => {
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

  test('of yesterday has no effect, and one of another issuer is rejected', async () => {
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
      // Only the list's expiry prevents replay of an old one.
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
