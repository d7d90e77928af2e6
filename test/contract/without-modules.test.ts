import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../src/root.ts'
import { newGtin } from '../support/gateway.ts'
import { expectStatus } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const folders = ['representations', 'categories', 'signers'].map((name) => join(ROOT, 'plugins', name))
const { gateway, passports } = await useGateway({ PLUGINS: folders.join() })
const { contract, plugins } = gateway.container.cradle

describe('review-3-house H1: a gateway without modules', () => {
  test('has no operation of a module in its contract, and no address of it', async () => {
    expect(plugins.modules).toEqual([])
    expect(contract.operations.has('getApiReference')).toBe(false)
    expect(contract.json).not.toContain('ReferencePage')
    expect((await gateway.request('GET', '/docs')).status).toBe(404)
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
})
