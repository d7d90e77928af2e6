import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../src/root.ts'
import { createWorkspace, newGtin, startTestGateway } from '../support/gateway.ts'
import { battery, expectStatus, passportClient } from '../support/passport-client.ts'
import { unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const folders = ['representations', 'categories', 'signers'].map((name) => join(ROOT, 'plugins', name))
const { gateway, workspace, passports } = await useGateway({ PLUGINS: folders.join() })
const { contract, plugins } = gateway.container.cradle

describe('review-3-house H1: a gateway without modules', () => {
  test('has no operation of a module in its contract, and no address of it', async () => {
    expect(plugins.modules).toEqual([])
    expect(contract.operations.has('getApiReference')).toBe(false)
    expect(contract.json).not.toContain('ReferencePage')
    expect((await gateway.request('GET', '/docs')).status).toBe(404)
  })

  test('leads from a GTIN with a batch number to the passport of the GTIN', async () => {
    const productId = newGtin()
    const { body } = await passports.create({ productId, metadata: { category: 'textiles', originCountry: 'PT' } })
    const served = expectStatus(200, await gateway.request('GET', `/01/${productId}/10/L1`))
    expect(served.body.id).toBe(body.passport.id)
    expect(served.text).toBe((await gateway.request('GET', `/01/${productId}`)).text)
    const unit = await unitClient(gateway, workspace.as).given(body.passport.id, { batchNumber: 'L1' })
    const { batchNumber, ofBatch } = (await gateway.request('GET', `/unit/${unit.id}`)).body
    expect([batchNumber, ofBatch]).toEqual(['L1', undefined])
    expect((await gateway.request('GET', `/batch/${body.passport.id}`)).status).toBe(404)
  })

  test('creates, seals and serves a passport', async () => {
    // Only modules that store documents validate references to them.
    const documents = [
      { mediaId: randomUUID(), url: 'https://maker.example/1.pdf', documentType: 'manual', sha256: '0'.repeat(64) },
    ]
    const { body } = await passports.create({
      productId: newGtin(),
      metadata: { category: 'textiles', originCountry: 'PT', documents },
    })
    const { id } = body.passport
    await passports.seal(id)
    const served = expectStatus(200, await gateway.request('GET', `/passport/${id}`))
    expect(served.body).toMatchObject({ '@type': 'DigitalProductPassport', digitalSeal: expect.any(String), documents })
    expect(served.body).not.toHaveProperty('media')
    for (const path of ['/', `/passport/${id}`]) {
      const page = expectStatus(200, await gateway.request('GET', path, { headers: { accept: 'text/html' } }))
      expect(page.text).not.toMatch(/href="[^"]*\/(verify|docs)\b/)
    }
  })

  test('accepts requests for access without e-mail', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const form = { granteeName: 'Ada', granteeEmail: 'ada@repair.example' }
    const { text } = expectStatus(
      201,
      await gateway.request('POST', `/request-access?passport=${id}&lang=en`, { form }),
    )
    expect(text).toContain('will get in touch with you')
  })
})

test('passports of two workspaces are linked without the module notifications', async () => {
  const own = await startTestGateway({ PLUGINS: [...folders, join(ROOT, 'plugins/modules/links')].join() })
  try {
    const [asking, asked] = [await createWorkspace(own), await createWorkspace(own)]
    const target = (await passportClient(own, asked.as).given()).id
    const { id } = await passportClient(own, asking.as).given()
    const json = { rel: 'partOf', target }
    const link = await own.request('POST', `/api/v1/passports/${id}/links`, { headers: asking.as, json })
    const accepted = `/api/v1/links/${expectStatus(201, link).body.link.id}/accept`
    expectStatus(200, await own.request('POST', accepted, { headers: asked.as }))
  } finally {
    await own.close()
  }
})

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:9'],
  ['SMTP_URL', 'smtp://127.0.0.1:9'],
  ['REGISTRY_URL', 'http://127.0.0.1:9/'],
])('a gateway with %s does not start without a module that uses it', async (name, value) => {
  const env = { PLUGINS: folders.join(), MAIL_FROM: 'gateway@dpp.example', [name]: value }
  await expect(startTestGateway(env)).rejects.toThrow(`${name} is set, but no loaded module uses it`)
})

test.each([
  ['mail', { SMTP_URL: 'http://mail.example' }, 'Invalid SMTP_URL: set smtps://'],
  ['registry', { REGISTRY_URL: 'ftp://x' }, 'Invalid REGISTRY_URL "ftp://x": set an http or https address'],
  ['media', { MEDIA_S3_ENDPOINT: 'http://s3' }, 'MEDIA_S3_ENDPOINT is set, but MEDIA_S3_BUCKET is missing'],
])('a gateway does not start if a setting of the module %s is invalid', async (name, env, message) => {
  const PLUGINS = [...folders, join(ROOT, 'plugins/modules', name)].join()
  await expect(startTestGateway({ PLUGINS, ...env })).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringContaining(message),
  })
})
