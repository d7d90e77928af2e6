import { describe, expect, test } from 'vitest'
import { FORMS, METADATA, partOf } from '../support/credentials.ts'
import { createWorkspace, newGtin, startTestGateway } from '../support/gateway.ts'
import { useUntp } from '../support/untp.ts'

const { issuing } = await useUntp()

describe('passports without credential', () => {
  const ask = async (path: string, headers: object) => {
    const { status, body } = await issuing.gateway.request('GET', path, { headers: { accept: FORMS.jwt, ...headers } })
    return { status, body }
  }
  const refusal = { status: 406, body: { error: 'Not Acceptable', message: expect.any(String) } }

  test('trap 34: a passport without a facility, in every form and for every reader, while its other forms respond', async () => {
    const id = await issuing.given(METADATA.textiles ?? {}, { facilityId: undefined })
    for (const accept of Object.values(FORMS)) {
      for (const headers of [{}, issuing.workspace.as]) {
        for (const path of [`/passport/${id}`, `/credentials/${id}`, `/passport/${id}?x=1`]) {
          expect(await ask(path, { accept, ...headers })).toEqual(refusal)
        }
      }
      expect(await ask(`/api/v1/passports/${id}`, { accept, ...issuing.workspace.as })).toEqual(refusal)
    }
    for (const accept of ['application/ld+json', 'application/aas+json', 'text/html']) {
      expect((await issuing.gateway.request('GET', `/passport/${id}`, { headers: { accept } })).status).toBe(200)
    }
    const rows = await issuing.gateway.sqlAs(issuing.workspace.id, 'select 1 from status_entry where subject_id = $1', [
      id,
    ])
    expect(rows).toEqual([])
  })

  test('a draft, for its owner; its existence is not disclosed', async () => {
    const id = await issuing.given(METADATA.textiles ?? {}, { draft: true })
    expect(await ask(`/passport/${id}`, issuing.workspace.as)).toEqual(refusal)
    expect((await ask(`/passport/${id}`, {})).status).toBe(404)
  })

  test('a profile that there is not', async () => {
    const id = await issuing.given(METADATA.textiles ?? {})
    for (const path of [`/passport/${id}`, `/credentials/${id}`]) {
      expect(await ask(path, { accept: `${FORMS.jwt};profile="untp-0.5.0"` })).toEqual(refusal)
    }
  })

  test('a passport of a workspace without a key, which has no DID document and no lists either', async () => {
    const keyless = await createWorkspace(issuing.gateway, { withKey: false })
    const created = await issuing.gateway.request('POST', '/api/v1/passports', {
      headers: keyless.as,
      json: { productId: newGtin(), metadata: METADATA.textiles },
    })
    expect(await ask(`/passport/${created.body.passport.id}`, {})).toEqual(refusal)
    for (const path of ['did.json', 'status/revocation', 'status/tokens']) {
      expect((await ask(`/tenants/${keyless.id}/${path}`, {})).status).toBe(404)
    }
    expect((await ask(`/.well-known/jwt-vc-issuer/tenants/${keyless.id}`, {})).status).toBe(404)
  })
})

describe('signed content', () => {
  const get = (path: string, headers: object) =>
    issuing.gateway.request('GET', path, { headers: headers as Record<string, string> })

  test.each(Object.values(FORMS))('%s is made once, has an entity tag, and is never stale', async (accept) => {
    const id = await issuing.given(METADATA.textiles ?? {})
    const path = `/passport/${id}`
    const first = await get(path, { accept })
    const again = [
      await get(path, { accept }),
      await get(path, { accept }),
      await get(`${path}?x=1`, { accept }),
      await get(`/credentials/${id}`, { accept }),
    ]
    for (const { text, headers } of again) expect([text, headers.etag]).toEqual([first.text, first.headers.etag])
    expect((await get(path, { accept, 'if-none-match': first.headers.etag })).status).toBe(304)
    for (const change of [
      () => issuing.passports.update(id, { metadata: { ...METADATA.textiles, size: 'XL' } }),
      () => issuing.passports.setStatus(id, 'RECALLED'),
      () =>
        issuing.gateway.request('PUT', `/api/v1/facilities/${issuing.facilityId}`, {
          headers: issuing.workspace.as,
          json: { name: `Works of ${id}` },
        }),
      () => issuing.gateway.request('POST', '/api/v1/tenants/rotate-keys', { headers: issuing.workspace.as }),
    ]) {
      const before = await get(path, { accept })
      expect((await change()).status).toBe(200)
      const after = await get(path, { accept, 'if-none-match': before.headers.etag })
      expect(after.status).toBe(200)
      expect(after.text).not.toBe(before.text)
    }
  })

  test('the credential answers at its own id, as a token unless a credential is asked for', async () => {
    const id = await issuing.given(METADATA.textiles ?? {})
    const compact = await issuing.credential(id, FORMS.jwt)
    const { id: url } = partOf(compact, 1)
    for (const accept of ['*/*', 'text/html', 'text/html, application/vc+jwt;q=0.1'])
      expect(await issuing.read(url, accept)).toBe(compact)
    expect(JSON.parse(await issuing.read(url, 'application/vc')).proof.cryptosuite).toBe('ecdsa-jcs-2019')
    expect(await issuing.read(url, 'application/vc+sd-jwt')).toContain('~')
  })

  test('concurrent rendering by two processes ends in one signature', async () => {
    const twin = await startTestGateway({ DATABASE_URL: issuing.gateway.databaseUrl })
    try {
      const id = await issuing.given(METADATA.batteries ?? {})
      const texts = await Promise.all(
        [issuing.gateway, twin, issuing.gateway, twin].map(
          async (gateway) =>
            (await gateway.request('GET', `/passport/${id}`, { headers: { accept: FORMS.sdJwt } })).text,
        ),
      )
      expect(new Set(texts).size).toBe(1)
    } finally {
      await twin.close()
    }
  })
})
