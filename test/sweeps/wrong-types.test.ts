import { describe, expect, test } from 'vitest'
import type { Operation } from '../../src/http/contract.ts'
import { bodySchemaOf } from '../support/fuzz-requests.ts'
import { textile } from '../support/gateway.ts'
import { document, operations, sendAll, useUnchangedGateway, withBody } from '../support/odd-requests.ts'

const { gateway, workspace, callOf, allowChanges, expectNothingStored } = await useUnchangedGateway()

const WRONG = [null, true, 0, -1, 1e308, '', ' ', 'x', [], [[]], ['x'], {}, { a: 1 }, 'x'.repeat(5000)]
/** A third of them, rotating by field: three fields of an operation cover all. */
const wrongFor = (field: number) => WRONG.filter((_, index) => index % 3 === field % 3)
const METADATA_KEYS = [
  'category',
  'originCountry',
  'gtin',
  'grai',
  'serialNumber',
  'materialComposition',
  'facilityDetails',
]

function fieldsOf(operationId: string): string[] {
  return Object.keys(bodySchemaOf(document, operations.get(operationId) as Operation).properties ?? {})
}

describe.each(withBody)('%s', (operationId) => {
  test('answers a value of a wrong type as the contract says', async () => {
    const { method, path, json } = callOf(operationId)
    const bodies: unknown[] = [...WRONG]
    for (const [place, field] of fieldsOf(operationId).entries()) {
      for (const value of wrongFor(place)) bodies.push({ ...(json as object), [field]: value })
      for (const [index, key] of field === 'metadata' ? METADATA_KEYS.entries() : [])
        for (const value of wrongFor(index)) bodies.push({ ...(json as object), metadata: textile({ [key]: value }) })
    }
    const request = (body: unknown) => gateway.request(method, path, { headers: workspace.as, json: body })
    const refused: unknown[] = []
    for (const body of bodies) {
      const { status, text } = await request(body)
      expect([JSON.stringify(body), status < 500, text]).toEqual([JSON.stringify(body), true, text])
      if (status >= 400) refused.push(body)
    }
    // If others were accepted, sends the rejected ones alone to check that they store nothing.
    if (refused.length < bodies.length) {
      await allowChanges()
      for (const [body, { status, text }] of await sendAll(refused, request))
        expect([JSON.stringify(body), status >= 400 && status < 500, text]).toEqual([JSON.stringify(body), true, text])
    }
    await expectNothingStored()
  })

  test('answers a missing body as the contract says', async () => {
    const { method, path } = callOf(operationId)
    const answers = [
      await gateway.request(method, path, { headers: workspace.as }),
      await gateway.request(method, path, { headers: { ...workspace.as, 'content-type': 'application/json' } }),
      await gateway.request(method, path, { headers: { ...workspace.as, 'content-length': '0' } }),
      await gateway.request(method, path, { headers: { ...workspace.as, 'transfer-encoding': 'chunked' } }),
    ]
    expect(new Set(answers.map(({ status }) => status)).size).toBe(1)
    if ((answers[0]?.status ?? 0) >= 400) await expectNothingStored()
    else await allowChanges()
  })
})
