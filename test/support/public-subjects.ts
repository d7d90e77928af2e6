import type { Answer } from './contract-client.ts'
import { newGln, newGtin, type TestGateway, type TestWorkspace, textile } from './gateway.ts'
import { expectStatus, passportClient } from './passport-client.ts'
import { newGrai, newSerial } from './sample-calls.ts'
import { unitClient } from './unit-client.ts'

/** What anybody reads at some address. */
export interface PublicSubjects {
  readonly passportId: string
  readonly gtin: string
  /** Of another passport, which has a unit of the same serial. */
  readonly grai: string
  readonly facilityId: string
  readonly unitId: string
  readonly unitSerial: string
}

/** Passports with a GTIN and with a GRAI, of the same facility, and a unit of each. */
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

/** What a client sees, apart from what differs between any two answers. */
export function wireOf({ status, rawHeaders, text }: Answer): object {
  const headers: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    // A token that opens nothing is the way into the pipeline, which tells of it.
    if (!/^(date|x-request-id|x-access-note)$/i.test(name)) headers.push(`${name}: ${rawHeaders[at + 1]}`)
  }
  return { status, headers: headers.sort(), text }
}
