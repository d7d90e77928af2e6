import { describe, expect, test } from 'vitest'
import { holds, isRevoked, useCredentialStatus } from '../support/credential-status.ts'
import { FORMS, METADATA, partOf } from '../support/credentials.ts'
import { createWorkspace } from '../support/gateway.ts'
import { passportClient } from '../support/passport-client.ts'

const { issuing, statusByAllVerifiers, issued } = await useCredentialStatus()

describe('the status of a credential', () => {
  test.each(['RECALLED', 'DECOMMISSIONED'])(
    '%s revokes what was issued before, and reactivation restores it',
    async (status) => {
      const id = await issuing.given(METADATA.textiles ?? {})
      const other = await issuing.given(METADATA.textiles ?? {})
      const [texts, others] = [await issued(id), await issued(other)]
      expect(await statusByAllVerifiers(id, texts)).toEqual(holds(id))
      await issuing.passports.setStatus(id, status)
      // New credentials contain the revoked status.
      const verdicts = await Promise.all([
        statusByAllVerifiers(id, texts),
        statusByAllVerifiers(other, others),
        statusByAllVerifiers(id, await issued(id)),
      ])
      expect(verdicts).toEqual([isRevoked(id), holds(other), isRevoked(id)])
      await issuing.passports.setStatus(id, 'ACTIVE')
      expect(await statusByAllVerifiers(id, texts)).toEqual(holds(id))
    },
  )

  test('a passport first issued while it is recalled is revoked from the start', async () => {
    const id = await issuing.given(METADATA.textiles ?? {})
    await issuing.passports.setStatus(id, 'RECALLED')
    expect(await statusByAllVerifiers(id, await issued(id))).toEqual(isRevoked(id))
  })

  test('a withdrawn or deleted passport stays revoked, and its index is never reused', async () => {
    const id = await issuing.given(METADATA.textiles ?? {})
    const texts = await issued(id)
    await issuing.passports.update(id, { metadata: {}, draft: true })
    expect(await statusByAllVerifiers(id, texts)).toEqual(isRevoked(id))
    await issuing.passports.remove(id)
    expect(await statusByAllVerifiers(id, texts)).toEqual(isRevoked(id))
  })

  test('moves when a workspace sets it to which the operator is bound', async () => {
    const bound = await createWorkspace(issuing.gateway)
    await issuing.gateway.container.cradle.workspaces.bindOperator(issuing.workspace.operatorId, bound.id)
    const id = await issuing.given(METADATA.textiles ?? {})
    const texts = await issued(id)
    expect((await passportClient(issuing.gateway, bound.as).setStatus(id, 'RECALLED')).status).toBe(200)
    expect(await statusByAllVerifiers(id, texts)).toEqual(isRevoked(id))
  })

  test('keeps its index in every form, profile, version and after a rotation, and never shares it', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => issuing.given(METADATA.textiles ?? {})))
    const indexes = new Set<number>()
    for (const id of ids) {
      const before = await issued(id)
      await issuing.passports.update(id, { metadata: { ...METADATA.textiles, size: 'M' } })
      const after = await issued(id)
      const old = partOf(await issuing.credential(id, `${FORMS.jwt};profile="untp-0.6.1"`), 1)
      const all = [before, after].flatMap(({ jwt, dataIntegrity, sdJwt }) => [
        partOf(jwt, 1).credentialStatus.statusListIndex,
        JSON.parse(dataIntegrity).credentialStatus.statusListIndex,
        partOf(sdJwt, 1).status.status_list.idx,
      ])
      expect(new Set([...all, Number(old.credentialStatus.statusListIndex)]).size).toBe(1)
      expect(typeof old.credentialStatus.statusListIndex).toBe('string')
      indexes.add(all[0])
    }
    expect(indexes.size).toBe(ids.length)
  })

  test('is allotted once when many ask at the same time', async () => {
    const id = await issuing.given(METADATA.textiles ?? {})
    const texts = await Promise.all(Array.from({ length: 12 }, () => issuing.credential(id, FORMS.jwt)))
    expect(new Set(texts).size).toBe(1)
  })
})
