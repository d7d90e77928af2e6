import type { Cradle } from '../../plugins/modules/labels/cradle.ts'
import { newGtin, textile } from './gateway.ts'
import { givenUnits } from './given-units.ts'
import { useGateway } from './use-gateway.ts'

export const AT_ONCE = 30

type Headers = Record<string, string>

export async function useLabels() {
  const { gateway, workspace, passports } = await useGateway({}, { bounds: { labelsAtOnce: AT_ONCE } })
  const labels = gateway.container.resolve<Cradle['labels']>('labels')

  const print = (json: object, headers: Headers = workspace.as) =>
    gateway.request('POST', '/api/v1/passports/labels', { headers, json })
  const printUnits = (json: object, headers: Headers = workspace.as) =>
    gateway.request('POST', '/api/v1/units/labels', { headers, json })
  const jobOf = (id: string, headers: Headers = workspace.as) =>
    gateway.request('GET', `/api/v1/label-jobs/${id}`, { headers })
  const fileOf = (id: string, headers: Headers = workspace.as) =>
    gateway.request('GET', `/api/v1/label-jobs/${id}/file`, { headers })

  const gtin = newGtin()
  const { id } = await passports.given({ productId: gtin, metadata: textile({ productName: 'Ελληνικό πουκάμισο' }) })
  const sku = await passports.given({ productId: 'SKU-1', metadata: textile({ productName: 'Батерия' }) })
  const serials = Array.from({ length: 30 }, (_, index) => `SN-${String(index).padStart(2, '0')}`)
  const unitIds = await givenUnits(gateway, workspace, id, serials)

  return { gateway, workspace, passports, labels, print, printUnits, jobOf, fileOf, gtin, id, sku, serials, unitIds }
}
