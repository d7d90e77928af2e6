import type { Answer } from './contract-client.ts'
import { newGln, newGtin, type TestGateway, type TestWorkspace, textile } from './gateway.ts'
import { expectStatus, passportClient } from './passport-client.ts'
import { newGrai, newSerial } from './sample-calls.ts'
import { unitClient } from './unit-client.ts'

export interface PublicSubjects {
  readonly passportId: string
  readonly gtin: string
  /** GRAI of another passport, with a unit of the same serial number. */
  readonly grai: string
  readonly facilityId: string
  readonly unitId: string
  readonly unitSerial: string
}

/** Creates passports with a GTIN and with a GRAI, of one facility, and a unit of each. */
export async function givenPublicSubjects(
  gateway: TestGateway,
  { as, operatorId }: TestWorkspace,
): Promise<PublicSubjects> {
  const [gtin, grai, unitSerial] = [newGtin(), newGrai(), newSerial()]
  const json = { gln: newGln(), name: 'Mill', country: 'PT', city: 'Braga' }
  const registered = await gateway.request('POST', '/api/v1/facilities', { headers: as, json })
  const facilityId: string = expectStatus(201, registered).body.facility.id
  const [units, passports] = [unitClient(gateway, as), passportClient(gateway, as)]
  const given = async (productId: string, metadata: object) => {
    const { id } = await passports.given({ productId, operatorId, facilityId, metadata })
    return { id: id as string, unit: await units.given(id, { serialNumber: unitSerial }) }
  }
  const [passport] = await Promise.all([given(gtin, textile({ serialNumber: 'S-1' })), given(grai, textile())])
  return { passportId: passport.id, gtin, grai, facilityId, unitId: passport.unit.id, unitSerial }
}

/** Response without the parts that differ each time. */
export function wireOf({ status, rawHeaders, text }: Answer): object {
  const headers: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    // An invalid token forces the pipeline, which adds a note.
    if (!/^(date|x-request-id|x-access-note)$/i.test(name)) headers.push(`${name}: ${rawHeaders[at + 1]}`)
  }
  return { status, headers: headers.sort(), text }
}
