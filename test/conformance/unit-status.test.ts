import { describe, expect, test } from 'vitest'
import { holds, isRevoked, useCredentialStatus } from '../support/credential-status.ts'
import { METADATA, partOf } from '../support/credentials.ts'
import { BASE_URL } from '../support/gateway.ts'
import { unitClient } from '../support/unit-client.ts'

const { issuing, statusByAllVerifiers, issued, issuedAt } = await useCredentialStatus()

describe('the status of a credential', () => {
  test('of a unit is its own, in every form and at the address that is its id', async () => {
    const units = unitClient(issuing.gateway, issuing.workspace.as)
    const passportId = await issuing.given(METADATA.batteries ?? {})
    const [unit, sibling] = [await units.given(passportId), await units.given(passportId)]
    const path = `/unit/${unit.id}`
    const texts = await issuedAt(path)
    const [passport, aside] = [await issued(passportId), await issuedAt(`/unit/${sibling.id}`)]
    expect(partOf(texts.jwt, 1).id).toBe(`${BASE_URL}/credentials/unit/${unit.id}`)
    expect(await issuing.read(partOf(texts.jwt, 1).id)).toBe(texts.jwt)
    for (const status of ['RECALLED', 'DECOMMISSIONED', 'WASTE'] as const) {
      expect(await statusByAllVerifiers(unit.id, texts)).toEqual(holds(unit.id))
      await units.setStatus(unit.id, status)
      const verdicts = await Promise.all([
        statusByAllVerifiers(unit.id, texts),
        statusByAllVerifiers(unit.id, await issuedAt(path)),
        statusByAllVerifiers(passportId, passport),
        statusByAllVerifiers(sibling.id, aside),
      ])
      expect(verdicts).toEqual([isRevoked(unit.id), isRevoked(unit.id), holds(passportId), holds(sibling.id)])
      await units.setStatus(unit.id, 'IN_SERVICE')
    }
    await issuing.passports.setStatus(passportId, 'RECALLED')
    expect(await statusByAllVerifiers(unit.id, texts)).toEqual(holds(unit.id))
    await units.setStatus(unit.id, 'RECYCLED')
    expect(await statusByAllVerifiers(unit.id, texts)).toEqual(isRevoked(unit.id))
    await units.remove(sibling.id)
    expect(await statusByAllVerifiers(sibling.id, aside)).toEqual(isRevoked(sibling.id))
  })
})
