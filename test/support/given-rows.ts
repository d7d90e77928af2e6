import { newGln, type TestGateway, type TestWorkspace, textile } from './gateway.ts'
import { nextNumber } from './numbers.ts'
import { battery, passportClient } from './passport-client.ts'
import { givenProof } from './registrable.ts'
import {
  givenDelivery,
  givenHandover,
  givenImport,
  givenLabelJob,
  givenMedia,
  givenTraceDocument,
  givenTraceEvent,
} from './sample-calls.ts'

/** Inserts a member of the console, whose id is that of the workspace. */
async function givenMember(gateway: TestGateway, { id, operatorId }: TestWorkspace, passportId: string): Promise<void> {
  const run = (text: string, values: unknown[]) => gateway.sqlAs(id, text, values)
  await run(`insert into console_person (id, email, name) values ($1, $2, 'Ada')`, [id, `ada@${id}.example`])
  await run(`insert into console_membership (tenant_id, person_id, role) values ($1, $1, 'owner')`, [id])
  await run(
    `insert into console_invitation (id, tenant_id, email, name, role, secret_hash, invited_by, expires_at)
     values (gen_random_uuid(), $1, 'grace@repair.example', 'Grace', 'reader', sha256($2), 'ada', now())`,
    [id, id],
  )
  await run(
    `insert into console_link (secret_hash, tenant_id, person_id, expires_at) values (sha256($2), $1, $1, now())`,
    [id, id],
  )
  await run(
    `insert into console_session (id, secret_hash, tenant_id, person_id, method, mfa, agent)
     values (gen_random_uuid(), sha256($2), $1, $1, 'link', false, '')`,
    [id, id],
  )
  await run(
    `insert into console_passkey (id, person_id, public_key, counter, transports, name) values ($2, $1, '', 0, '{}', '')`,
    [id, id],
  )
  await run(`insert into console_identity (issuer, subject, person_id) values ('i', $2, $1)`, [id, id])
  await run(`insert into console_challenge (id_hash, data, expires_at) values (sha256($1), '{}', now())`, [id])
  await run(
    `insert into console_passport (passport_id, tenant_id, operator_id, version, product_id, title, search, status, is_sealed,
       is_archived, created_at, updated_at)
     values ($1, $2, $3, 1, '', '', '', 'DRAFT', false, false, now(), now()) on conflict do nothing`,
    [passportId, id, operatorId],
  )
  await run(
    `insert into console_entry (person_id, passport_id, section, tenant_id, version, entered)
     values ($1, $2, '', $1, 1, '{}')`,
    [id, passportId],
  )
}

/** Inserts rows of a workspace into every tenant table and stops the jobs that would process them. */
export async function givenRows(gateway: TestGateway, owner: TestWorkspace): Promise<void> {
  const passports = passportClient(gateway, owner.as)
  await gateway.container.cradle.companyPrefixes.claim(owner.id, String(4012345 + nextNumber()))
  const facility = await gateway.request('POST', '/api/v1/facilities', {
    headers: owner.as,
    json: { gln: newGln(), name: 'Works', country: 'PT' },
  })
  const { id } = await passports.given({ metadata: battery(), facilityId: facility.body.facility.id })
  const published = await passports.given()
  await passports.update(published.id, { metadata: textile({ size: 'M' }), draft: true })
  await passports.remove(published.id)
  await gateway.request('POST', '/api/v1/events', { headers: owner.as, json: givenTraceEvent() })
  // A validated capture keeps no pieces.
  await gateway.container.cradle.boss.offWork('captures')
  await gateway.request('POST', '/api/v1/capture', { headers: owner.as, json: givenTraceDocument() })
  await gateway.sqlAs(
    owner.id,
    `with unit as (
       insert into battery_unit (id, tenant_id, passport_id, operator_id, serial_number, status, created_at, updated_at)
       select gen_random_uuid(), tenant_id, id, operator_id, 'A1', 'IN_SERVICE', now(), now() from passport where id = $1
       returning id, tenant_id, operator_id
     )
     insert into battery_unit_event (id, unit_id, tenant_id, operator_id, event_type, recorded_at, created_at)
     select gen_random_uuid(), id, tenant_id, operator_id, 'OTHER', now(), now() from unit`,
    [id],
  )
  await gateway.sqlAs(
    owner.id,
    `insert into unit_rendition (unit_id, unit_version, passport_version, representation, variant, tier, key_number,
       generation, etag, content_type, body)
     select id, 1, 1, 'jsonld', '', 'public', 0, 'g', 'e', 'application/ld+json', '{}' from battery_unit
     where tenant_id = app_tenant()`,
  )
  const recorded = await gateway.request('POST', `/api/v1/passports/${id}/batches`, {
    headers: owner.as,
    json: { batchNumber: 'L1' },
  })
  // Read once, so that its rendering is stored.
  await gateway.request('GET', `/batch/${recorded.body.batches[0].id}`)
  await givenLabelJob(gateway, owner.id, id)
  await givenImport(gateway, owner.id)
  await givenMedia(gateway, owner, id)
  await gateway.sqlAs(owner.id, `insert into brand (tenant_id, accent) values (app_tenant(), '#0b5f5a')`)
  await givenProof(gateway, owner, id, 'application/xml')
  await gateway.request('POST', `/api/v1/passports/${id}/links`, {
    headers: owner.as,
    json: { rel: 'replaces', target: 'https://elsewhere.example/1', identifier: 'E-1' },
  })
  await givenHandover(gateway, owner, id)
  await gateway.request('POST', '/api/v1/passports', {
    headers: { ...owner.as, 'idempotency-key': 'k' },
    json: { productId: ' ', metadata: {} },
  })
  const at = `/api/v1/facilities/${facility.body.facility.id}`
  await gateway.request('PUT', at, { headers: owner.as, json: { name: 'Other works' } })
  await gateway.request('PATCH', `/api/v1/operators/${owner.operatorId}`, {
    headers: owner.as,
    json: { name: 'Other' },
  })
  await passports.update(id, { metadata: battery(), facilityId: null })
  await passports.update(id, { metadata: battery(), facilityId: facility.body.facility.id })
  await passports.seal(id)
  await passports.seal(id)
  await gateway.request('GET', `/passport/${id}`)
  await gateway.request('POST', `/request-access?passport=${id}`, {
    form: { granteeName: 'Ada', granteeEmail: 'ada@repair.example' },
  })
  await gateway.request('GET', `/passport/${id}`, { headers: { accept: 'application/vc+jwt' } })
  await gateway.request('GET', `/tenants/${owner.id}/status/revocation`)
  await gateway.sqlAs(owner.id, 'insert into status_change (tenant_id, list) values (app_tenant(), 0)')
  await givenMember(gateway, owner, id)
  await givenDelivery(gateway, owner.id)
  await gateway.sqlAs(
    owner.id,
    `insert into webhook_listener (id, tenant_id, expires_at) values (gen_random_uuid(), $1, now())`,
    [owner.id],
  )
  await gateway.container.cradle.database.addRevocations('seal-ca', {
    ...{ fingerprint: 'of no key', serials: [`${nextNumber()}`], revokedAt: new Date(), reason: 'superseded' },
  })
  const { accessAudit, boss } = gateway.container.cradle
  await accessAudit.flush()
  // Some accesses are counted, some not yet.
  await boss.getDb().executeSql(`select public.access_audit_roll_up('infinity', 0, 1000)`)
  await gateway.request('GET', `/passport/${id}`)
  await accessAudit.flush()
  // Part of the record is in the chain, part is pending.
  await gateway.container.cradle.auditChaining.stop()
  await gateway.container.cradle.workspaces.createKey({ workspaceId: owner.id, role: 'AUDITOR' })
}
