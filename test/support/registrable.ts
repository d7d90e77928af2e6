import { newGln, type TestGateway, type TestWorkspace, textile } from './gateway.ts'
import { expectStatus, passportClient } from './passport-client.ts'

/** A registry URL with no listener. */
export const NO_REGISTRY = { REGISTRY_URL: 'http://127.0.0.1:9' }

/** Completes a textile passport of the workspace for a registry, and seals it. */
export async function makeRegistrable(
  gateway: TestGateway,
  { id: tenantId, as, operatorId }: TestWorkspace,
  passportId: string,
): Promise<void> {
  await gateway.sqlAs(tenantId, `update operator set reg_id_scheme = 'EORI' where id = $1`, [operatorId])
  const json = { gln: newGln(), name: 'Works', country: 'PT', operatorId }
  const { body } = expectStatus(201, await gateway.request('POST', '/api/v1/facilities', { headers: as, json }))
  const metadata = textile({ commodityCode: '61091000', backup: { url: 'https://copies.example/1' } })
  const passports = passportClient(gateway, as)
  expectStatus(200, await passports.update(passportId, { metadata, facilityId: body.facility.id }))
  expectStatus(200, await passports.seal(passportId))
}

/** Stores a registry's proof of registration of a passport or of its unit. */
export async function givenProof(
  gateway: TestGateway,
  { id: tenantId }: TestWorkspace,
  passportId: string,
  type: string,
  unitId: string | null = null,
): Promise<void> {
  await gateway.sqlAs(
    tenantId,
    `insert into registration (subject_id, passport_id, unit_id, tenant_id, requested_at, state, registry, identifier, registered_at, version, hash,
       proof_type, proof)
     values (coalesce($5::uuid, $1::uuid), $1, $5, $2, now(), 'REGISTERED', 'https://registry.example', 'EU-1', now(), 1, 'h',
       $3, $4)
     on conflict (subject_id) do update set proof_type = excluded.proof_type, proof = excluded.proof`,
    [passportId, tenantId, type, Buffer.from(type === 'application/json' ? '{}' : '<proof/>'), unitId],
  )
}
