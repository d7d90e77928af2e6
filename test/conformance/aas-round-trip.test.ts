import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verifyTree } from '../../src/domain/merkle.ts'
import type { Metadata } from '../../src/domain/metadata.ts'
import { categoryNames } from '../support/categories.ts'
import { createWorkspace, newGtin, type TestWorkspace } from '../support/gateway.ts'
import { expectStatus } from '../support/passport-client.ts'
import { randomMetadata } from '../support/random-metadata.ts'
import { newGrai } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

// plugins/representations/aas/parse.test.ts covers more passports, without a database.
const PASSPORTS = 54
const AT_ONCE = 8
const ROWS = 27

const { gateway, workspace: issuer } = await useGateway()
const receiver = await createWorkspace(gateway)

const send = async (
  status: number,
  method: string,
  path: string,
  { as }: TestWorkspace,
  json?: unknown,
  accept = '*/*',
) => expectStatus(status, await gateway.request(method, path, { headers: { ...as, accept }, json })).body

/** Random valid metadata of all categories in equal shares, each with its own product. */
async function passports(): Promise<{ productId: string; metadata: Metadata }[]> {
  const arbitraries = randomMetadata()
  const each = Math.ceil(PASSPORTS / categoryNames.length)
  return categoryNames
    .flatMap((category) => fc.sample(arbitraries[category] as fc.Arbitrary<Metadata>, each))
    .slice(0, PASSPORTS)
    .map((metadata, index) => {
      const productId = [newGtin(), newGrai(), `SKU ${index}/ä`][index % 3] as string
      // The metadata's own identifiers determine the product of an ingested document.
      const own = {
        gtin: index % 3 === 0 ? productId : newGtin(),
        grai: index % 3 === 1 ? productId : newGrai(),
      }
      const identifiers = Object.entries(own).filter(([key]) => Object.hasOwn(metadata, key))
      return { productId, metadata: { ...withoutMedia(metadata), ...Object.fromEntries(identifiers) } }
    })
}

/** Stored documents belong to one passport; other workspaces do not have them. */
const withoutMedia = (metadata: Metadata): Metadata =>
  JSON.parse(JSON.stringify(metadata), (name, value) => (name === 'mediaId' ? undefined : value))

async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const iterator = items.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of iterator) await work(item)
    }),
  )
}

test('the environment that an owner sees gives another workspace the same metadata, and the same leaves', async () => {
  const given = await passports()
  for (let at = 0; at < given.length; at += ROWS) {
    const rows = given.slice(at, at + ROWS)
    const { insertedCount } = await send(201, 'POST', '/api/v1/passports/bulk', issuer, { passports: rows })
    expect(insertedCount).toBe(rows.length)
  }
  let same = 0
  await forEach(given, async ({ productId, metadata }) => {
    const address = `/api/v1/passports/${encodeURIComponent(productId)}`
    const { passport } = await send(200, 'POST', `${address}/seal`, issuer)
    const { proof } = await send(200, 'GET', `/passport/${passport.id}`, issuer)
    const environment = await send(200, 'GET', address, issuer, undefined, 'application/aas+json')
    // The receiver rejects the issuer's seal as foreign.
    const { body } = await gateway.request('POST', '/api/v1/passports/aas/ingest', {
      headers: receiver.as,
      json: environment,
    })
    expect(body).toMatchObject({ error: 'Signature Verification Failed' })
    environment.submodels = environment.submodels.filter(
      ({ idShort }: { idShort: string }) => idShort !== 'eidasVerificationSeal',
    )
    const { passportId } = await send(201, 'POST', '/api/v1/passports/aas/ingest', receiver, environment)
    const received = (await send(200, 'GET', `/passport/${passportId}`, receiver)).metadata
    expect(received).toEqual(metadata)
    // The issuer's key order is preserved.
    expect(JSON.stringify(received)).toBe(JSON.stringify(metadata))
    expect(verifyTree({ metadata: received, subject: proof.subject, salts: proof.salts })).toBe(proof.merkleRoot)
    same += 1
  })
  expect(same).toBe(PASSPORTS)
}, 120_000)
