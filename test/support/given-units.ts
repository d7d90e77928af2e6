import type { TestGateway, TestWorkspace } from './gateway.ts'
import { expectStatus } from './passport-client.ts'

const AT_ONCE = 200

/**
 * Creates units of a passport with these serial numbers.
 * @returns their ids in the same order
 */
export async function givenUnits(
  gateway: TestGateway,
  { as }: TestWorkspace,
  passportId: string,
  serialNumbers: readonly string[],
): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < serialNumbers.length; at += AT_ONCE) {
    const units = serialNumbers.slice(at, at + AT_ONCE).map((serialNumber) => ({ serialNumber }))
    const path = `/api/v1/passports/${passportId}/units`
    const { body } = expectStatus(201, await gateway.request('POST', path, { headers: as, json: { units } }))
    ids.push(...body.units.map(({ id }: { id: string }) => id))
  }
  return ids
}
