import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { holds, isRevoked, useCredentialStatus } from '../support/credential-status.ts'
import { type IssuingGateway, issuerIn, METADATA, partOf } from '../support/credentials.ts'

const { issuing, statusByAllVerifiers, issued } = await useCredentialStatus()
const { gateway } = issuing
const { statusLists } = gateway.container.cradle

/** Makes the next credential use the second list. */
const fillFirst = ({ workspace }: IssuingGateway) =>
  gateway.sqlAs(workspace.id, 'update workspace set status_floor = 131072 where id = $1', [workspace.id])
const revokedIn = (list: string) => {
  const bytes = gunzipSync(Buffer.from(partOf(list, 1).credentialSubject.encodedList.slice(1), 'base64url'))
  return [...bytes].reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)
}

describe('a workspace with more credentials than a list has places', () => {
  test('has a second list with the same results for all verifiers', async () => {
    await fillFirst(issuing)
    const id = await issuing.given(METADATA.textiles ?? {})
    const texts = await issued(id)
    const { statusListCredential: url, statusListIndex: index } = partOf(texts.jwt, 1).credentialStatus
    const { uri, idx } = partOf(texts.sdJwt, 1).status.status_list
    expect([url, uri, idx]).toEqual([
      `${issuing.url}/status/revocation?list=1`,
      `${issuing.url}/status/tokens?list=1`,
      index,
    ])
    expect(index).toBeLessThan(131_072)
    expect(await statusByAllVerifiers(id, texts)).toEqual(holds(id))
    const first = await issuing.read(`${issuing.url}/status/revocation`)
    await issuing.passports.setStatus(id, 'RECALLED')
    expect(await statusByAllVerifiers(id, texts)).toEqual(isRevoked(id))
    expect(await issuing.read(`${issuing.url}/status/revocation`)).toBe(first)
    await issuing.passports.setStatus(id, 'ACTIVE')
    expect(await statusByAllVerifiers(id, texts)).toEqual(holds(id))
  })

  test('has no other list, and none that is not a number', async () => {
    const statusOf = async (query: string) =>
      (await gateway.request('GET', `/tenants/${issuing.workspace.id}/status/revocation${query}`)).status
    expect(await Promise.all(['?list=7', '?list=0', '?list=one', '?list=9000'].map(statusOf))).toEqual([
      404, 400, 400, 400,
    ])
  })
})

describe('a list', () => {
  test('misses no change, however many are made while it is signed', async () => {
    const busy = await issuerIn(gateway)
    const ids = await Promise.all(Array.from({ length: 12 }, () => busy.given(METADATA.textiles ?? {})))
    for (const id of ids) await busy.credential(id, 'application/vc+jwt')
    const path = `/tenants/${busy.workspace.id}/status`
    await Promise.all(
      ids.map(async (id, index) => {
        await busy.passports.setStatus(id, 'RECALLED')
        await gateway.request('GET', index % 2 === 0 ? `${path}/revocation` : `${path}/tokens`)
      }),
    )
    expect(revokedIn(await busy.read(`${busy.url}/status/revocation`))).toBe(12)
    await Promise.all(ids.slice(0, 5).map((id) => busy.passports.setStatus(id, 'ACTIVE')))
    expect(revokedIn(await busy.read(`${busy.url}/status/revocation`))).toBe(7)
  })

  test('review-3-scale S2: takes 2 ms of processor time at most with 100,000 revoked places', async () => {
    const full = await issuerIn(gateway)
    const { id: tenantId } = full.workspace
    await gateway.sqlAs(
      tenantId,
      `insert into status_entry (tenant_id, index, subject_id, revoked)
        select $1::uuid, n, gen_random_uuid(), true from generate_series(0, 99999) n`,
      [tenantId],
    )
    const requestedList = { tenantId }
    expect(revokedIn(String((await statusLists.bitstring(requestedList, undefined)).body))).toBe(100_000)
    const CALLS = 50
    const spent = async () => {
      const before = process.threadCpuUsage()
      for (let count = 0; count < CALLS; count += 1) await statusLists.bitstring(requestedList, undefined)
      const { user, system } = process.threadCpuUsage(before)
      return (user + system) / 1000 / CALLS
    }
    expect(Math.min(await spent(), await spent(), await spent())).toBeLessThan(2)
  })
})
