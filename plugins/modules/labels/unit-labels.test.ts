import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { rasterised, readByZxing, textOf } from '../../../test/support/code-readers.ts'
import { BASE_URL } from '../../../test/support/gateway.ts'
import { givenUnits } from '../../../test/support/given-units.ts'
import { useLabels } from '../../../test/support/label-client.ts'
import { referenceTool } from '../../../test/support/reference-tools.ts'
import { filesInZip } from '../../../test/support/zip-reader.ts'

const { gateway, workspace, passports, printUnits, gtin, id, sku, serials, unitIds } = await useLabels()

const poppler = referenceTool('pdftoppm')

describe('labels of units', () => {
  const filesOf = async (json: object) => {
    const answer = await printUnits(json)
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/zip'])
    return [...(await filesInZip(answer.bytes)).keys()].slice(0, -1)
  }
  const named = (from: number, to: number) => serials.slice(from, to).map((serial) => `qr-${serial}.png`)

  test('by their ids, in the order in which they are named', async () => {
    expect(await filesOf({ ids: [unitIds[2], unitIds[0]] })).toEqual([...named(2, 3), ...named(0, 1)])
  })

  test('all of a passport, or a range of them, in the order of their serial numbers', async () => {
    expect(await filesOf({ passportId: id })).toEqual(named(0, 30))
    expect(await filesOf({ passportId: id.toUpperCase(), from: 'SN-10', to: 'SN-12' })).toEqual(named(10, 13))
    expect(await filesOf({ passportId: id, from: 'SN-28' })).toEqual(named(28, 30))
    expect(await filesOf({ passportId: id, to: 'SN-00' })).toEqual(named(0, 1))
  })

  test.runIf(poppler !== undefined)('on sheets, with what their codes say', async () => {
    const { bytes } = await printUnits({ passportId: id, format: 'pdf', layout: '5160' })
    const [page, ...others] = rasterised(bytes, 200)
    expect(others).toEqual([])
    expect((await readByZxing(page as Uint8Array)).map(({ text }) => text).sort()).toEqual(
      serials.map((serial) => `${BASE_URL}/01/${gtin}/21/${serial}`),
    )
    expect(textOf(bytes)).toContain('(21) SN-29')
  })

  test('need one way to name them', async () => {
    for (const [json, message] of [
      [{}, 'Set either ids or passportId.'],
      [{ ids: unitIds, passportId: id }, 'Set either ids or passportId.'],
      [{ ids: unitIds, from: 'A' }, 'from and to are allowed only with passportId.'],
      [{ passportId: 'x' }, 'passportId must be a UUID.'],
      [{ passportId: 5 }, 'passportId must be a UUID.'],
      [{ passportId: id, from: 5 }, 'from must be a serial number.'],
    ] as const) {
      const { status, body } = await printUnits(json)
      expect([status, body.message]).toEqual([400, message])
    }
    for (const json of [{ passportId: sku.id }, { passportId: id, from: 'T' }, { passportId: randomUUID() }]) {
      const { status, body } = await printUnits(json)
      expect([status, body.message]).toEqual([404, 'Units not found in your workspace.'])
    }
  })

  test('more than 10,000 have to be asked for in parts', async () => {
    const large = await passports.given({})
    await givenUnits(
      gateway,
      workspace,
      large.id,
      Array.from({ length: 10_001 }, (_, index) => `N${index}`),
    )
    const { status, body } = await printUnits({ passportId: large.id })
    expect([status, body.message]).toEqual([400, 'The selection has more than 10000 units. Limit it with from and to.'])
  })
})
