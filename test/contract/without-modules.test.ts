import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../src/root.ts'
import { createWorkspace, newGtin } from '../support/gateway.ts'
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
    const { body } = await passports.create({
      productId: newGtin(),
      metadata: { category: 'textiles', originCountry: 'PT' },
    })
    const { id } = body.passport
    await passports.seal(id)
    const served = expectStatus(200, await gateway.request('GET', `/passport/${id}`))
    expect(served.body).toMatchObject({ '@type': 'DigitalProductPassport', digitalSeal: expect.any(String) })
    for (const path of ['/', `/passport/${id}`]) {
      const page = expectStatus(200, await gateway.request('GET', path, { headers: { accept: 'text/html' } }))
      expect(page.text).not.toMatch(/href="[^"]*\/(verify|docs)\b/)
    }
  })

  test('links passports of two workspaces, and accepts requests for access, without notifications and e-mail', async () => {
    const other = await createWorkspace(gateway)
    const theirs = await passportClient(gateway, other.as).given()
    const { id } = await passports.given({ metadata: battery() })
    const json = { rel: 'partOf', target: theirs.id }
    const asked = await gateway.request('POST', `/api/v1/passports/${id}/links`, { headers: workspace.as, json })
    const accepted = `/api/v1/links/${expectStatus(201, asked).body.link.id}/accept`
    expectStatus(200, await gateway.request('POST', accepted, { headers: other.as }))
    const form = { granteeName: 'Ada', granteeEmail: 'ada@repair.example' }
    const { text } = expectStatus(
      201,
      await gateway.request('POST', `/request-access?passport=${id}&lang=en`, { form }),
    )
    expect(text).toContain('will get in touch with you')
  })
})
