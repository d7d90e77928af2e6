import { beforeEach, describe, expect, test } from 'vitest'
import { BASE_URL, newGtin, textile } from '../support/gateway.ts'
import { battery } from '../support/passport-client.ts'
import { newSerial } from '../support/sample-calls.ts'
import { unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

// Items of a product that is not a battery, without the battery rules of Regulation (EU) 2023/1542.

const { gateway, workspace, passports } = await useGateway()
const units = unitClient(gateway, workspace.as)

const read = (path: string, headers: Record<string, string> = {}) => gateway.request('GET', path, { headers })

let passport: { id: string }
let unit: { id: string }

beforeEach(async () => {
  passport = await passports.given({ productId: newGtin(), metadata: textile() })
  unit = await units.given(passport.id)
})

describe('an item other than a battery', () => {
  test('is called what it is, and says by another law why nothing more is shown', async () => {
    const { body, text } = await read(`/unit/${unit.id}`)
    expect(body).toMatchObject({
      '@type': 'ProductItem',
      granularity: 'item',
      restrictedData: { reference: 'Regulation (EU) 2024/1781, Article 9(2)(f)' },
    })
    expect(body['@context'][1].ProductItem).toBe(`${BASE_URL}/ns/dpp#ProductItem`)
    expect(text).not.toMatch(/[Bb]attery|2023\/1542/)
    expect((await read('/ns/dpp')).text).toContain('<dt id="ProductItem"')
  })

  test('shows its records, without a legal status, a condition or absent measures', async () => {
    await units.record(unit.id, {
      eventType: 'SOH_MEASUREMENT',
      temperatureC: 21,
      recordedAt: '2026-05-01',
      payload: { powerW: 1 },
    })
    const { body } = await units.get(unit.id)
    expect(body.currentState).toEqual({ temperatureC: 21, recordedAt: '2026-05-01T00:00:00.000Z' })
    expect(body.dynamicData).toEqual([
      {
        '@type': 'ProductItemEvent',
        eventType: 'SOH_MEASUREMENT',
        temperatureC: 21,
        payload: { powerW: 1 },
        recordedAt: '2026-05-01T00:00:00.000Z',
      },
    ])
    for (const name of ['batteryStatus', 'condition', 'valuesAtStatusChanges']) expect(body).not.toHaveProperty(name)
    const environment = await read(`/unit/${unit.id}`, { ...workspace.as, Accept: 'application/aas+json' })
    expect(environment.text).toContain('ProductItemInformation')
    expect(environment.text).toContain('OperationalData')
    expect(environment.text).not.toMatch(/BatteryUnit|batteryStatus|stateOfHealth/)
  })

  test('has a page without battery terms, for the public and for its owner', async () => {
    await units.record(unit.id, { eventType: 'STATUS_CHANGE', status: 'REPURPOSED' })
    for (const headers of [{}, workspace.as]) {
      const { status, text } = await read(`/unit/${unit.id}?lang=en`, { ...headers, Accept: 'text/html' })
      expect(status).toBe(200)
      expect(text).toContain('Record of this item')
      expect(text).not.toMatch(/battery|State of health|Charge cycles|household waste\. It/i)
    }
  })

  test('leaves its own notice when it was recycled', async () => {
    await units.setStatus(unit.id, 'RECYCLED')
    const { status, body } = await read(`/unit/${unit.id}`)
    expect(status).toBe(410)
    expect(body).toMatchObject({
      '@type': 'ProductItem',
      notice: 'This item has been recycled. Its record has ended.',
    })
  })
})

test('an item without a batch omits it, and an invalid batch number is rejected', async () => {
  expect(unit).not.toHaveProperty('batchNumber')
  expect((await read(`/unit/${unit.id}`)).body).not.toHaveProperty('batchNumber')
  const { status, body } = await units.serialise(passport.id, { serialNumber: newSerial(), batchNumber: 'ü' })
  expect([status, body.errors]).toEqual([400, [expect.stringContaining('GS1 AI 10')]])
})

test('a battery stays what the specification calls it', async () => {
  const product = await passports.given({ productId: newGtin(), metadata: battery() })
  const { id } = await units.given(product.id)
  expect((await read(`/unit/${id}`)).body).toMatchObject({ '@type': 'BatteryUnit' })
  expect((await units.get(id)).body).toMatchObject({ batteryStatus: 'original', condition: {} })
  await units.setStatus(id, 'REPURPOSED')
  await units.setStatus(id, 'IN_SERVICE')
  // A repurposed battery belongs to another operator (Regulation (EU) 2023/1542, Article 77(7)) and is never original
  // again.
  expect((await units.get(id)).body).toMatchObject({ status: 'IN_SERVICE', batteryStatus: 'repurposed' })
  await units.setStatus(id, 'RECYCLED')
  expect((await read(`/unit/${id}`)).body).toMatchObject({
    '@type': 'BatteryUnit',
    notice: 'This battery has been recycled. Its record has ended.',
  })
})
