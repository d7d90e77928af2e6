// Also runs without modules (vitest project `core`).
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { dictionary } from '../../src/domain/record.ts'
import { MAX_SUBSCRIPTIONS } from '../../src/webhooks/webhooks.ts'
import type { Answer } from '../support/contract-client.ts'
import { cutOff, withoutTable } from '../support/faults.ts'
import { bearer, createWorkspace, newGtin, startTestGateway, textile } from '../support/gateway.ts'
import { sendAll } from '../support/odd-requests.ts'
import { pdf } from '../support/pictures.ts'
import { FULL_KEY_SCOPE } from '../support/replay-scope.ts'
import {
  absentSubjects,
  givenCapture,
  givenDelivery,
  givenSubjects,
  inDays,
  newGrai,
  promisedRows,
} from '../support/sample-calls.ts'
import { SUFFIX, useSweep } from '../support/sweep.ts'

// Rejections: see `coverage.test.ts`.

const swept = await useSweep()
const { gateway, hasModules, workspace, callOf, sweep, sought, send, given, asOwner, tooManyAtOnce } = swept

/** Calls an operation with an `Idempotency-Key` that another request holds longer than the timeout. */
async function withHeldKey(operationId: string, of = ''): Promise<Answer> {
  const client = new pg.Client({ connectionString: gateway.inspectorUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`select set_config('app.tenant', $1, true)`, [workspace.id])
    await client.query(
      `insert into idempotency_key (tenant_id, endpoint, caller, key, request_hash) values ($1, $2, $3, 'held', '')`,
      [workspace.id, `${operationId}${of}`, FULL_KEY_SCOPE],
    )
    const { method, path, json } = callOf(operationId)
    return await gateway.request(method, path, { headers: { ...workspace.as, 'idempotency-key': 'held' }, json })
  } finally {
    await client.end()
  }
}

test('a recycled unit leaves a notice', async () => {
  const unit = { serialNumber: 'GONE', status: 'RECYCLED' }
  const { units } = (await send('POST', `/api/v1/passports/${swept.subjects.passportId}/units`, unit)).body
  await sweep(410, () => ({}), { on: { ...swept.subjects, unitId: units[0].id } })
})

test('requests that the gateway does not offer', () =>
  sweep(501, (call) => ({
    call: { ...call, path: call.path.replace('passport%2F', 'batch%2F') },
    headers: workspace.as,
  })))

describe('refusal of the caller', () => {
  test('no credential', () => sweep(401, () => ({})))

  test('a lapsed subscription', async () => {
    const { workspaces } = gateway.container.cradle
    await workspaces.set(workspace.id, { subscription: 'lapsed' })
    await sweep(402, asOwner)
    await workspaces.set(workspace.id, { subscription: 'active' })
  })

  test('a missing permission', async () => {
    const { workspaces } = gateway.container.cradle
    const { key } = await workspaces.createKey({ workspaceId: workspace.id, role: 'AUDITOR', permissions: [] })
    const { operations } = gateway.container.cradle.contract
    const ofModule = hasModules ? ['listNotifications', 'readNotification'] : []
    const open = new Set(['validatePassportPublic', 'listMaterials', 'whoami', ...ofModule])
    expect([...operations.keys()].filter((id) => open.has(id))).toHaveLength(open.size)
    await sweep(403, () => ({ headers: bearer(key) }), {
      only: (operationId) => !open.has(operationId) && operations.get(operationId)?.isPublic === false,
    })
  })

  test('the host of another workspace', () =>
    sweep(403, () => ({ headers: { ...workspace.as, host: `other${SUFFIX}` } })))

  test('a used-up request budget', async () => {
    const limited = await startTestGateway({ DATABASE_URL: gateway.databaseUrl, RATE_LIMITS: 'on' })
    limited.client.onAnswer = gateway.client.onAnswer
    const on = await createWorkspace(limited, { plan: 'growth' })
    const { operations } = limited.container.cradle.contract
    const isPublic = (operationId: string) => operations.get(operationId)?.isPublic === true
    const isResolver = (operationId: string) =>
      isPublic(operationId) && operations.get(operationId)?.gates.has('resolver-limit') === true
    const use = async (times: number, operationId: string, headers: Record<string, string>) => {
      const { method, path } = callOf(operationId)
      await sendAll(Array(times).fill(path), () => limited.request(method, path, { headers }))
    }
    await use(120, 'whoami', on.as)
    await sweep(429, () => ({ headers: on.as }), { of: limited, only: (operationId) => !isPublic(operationId) })
    await use(100, 'getVersion', {})
    await use(600, 'getHealth', {})
    await sweep(429, () => ({}), {
      of: limited,
      only: (operationId) => isPublic(operationId) && !isResolver(operationId),
    })
    await use(30, 'resolveGs1Gtin', {})
    await sweep(429, () => ({}), { of: limited, only: isResolver })
    await limited.close()
    for (const row of limited.client.seen) gateway.client.seen.add(row)
  })
})

describe('refusal of the request', () => {
  test('a request that does not meet the contract', () =>
    sweep(400, (call) => {
      const path = `${call.path}${call.path.includes('?') ? '&' : '?'}q=%00`
      return { call: { ...call, path }, headers: workspace.as }
    }))

  test('something that does not exist', () => {
    const absent = absentSubjects()
    return sweep(404, sought(absent, asOwner), { on: absent })
  })

  test('a passport that cannot be a credential', async () => {
    const gtin = newGtin()
    const grai = newGrai()
    const { id } = await given({ productId: gtin, metadata: textile() })
    await given({ productId: grai, metadata: textile() })
    const { units } = (await send('POST', `/api/v1/passports/${id}/units`, { serialNumber: 'PLAIN' })).body
    const accept = 'application/vc+jwt'
    await sweep(406, () => ({ headers: { ...workspace.as, accept } }), {
      on: { ...swept.subjects, passportId: id, gtin, grai, unitId: units[0].id },
    })
  })

  test('a state that does not allow it', async () => {
    const claimed = newGtin('3000001')
    await gateway.container.cradle.companyPrefixes.claim((await createWorkspace(gateway)).id, '3000001')
    const ofCore: Record<string, () => Promise<Answer>> = {
      createPassport: () => send('POST', '/api/v1/passports', { productId: swept.subjects.gtin, metadata: textile() }),
      updatePassport: async () => {
        const { id } = await given({ productId: 'SKU-409', metadata: textile() })
        return send('PUT', `/api/v1/passports/${id}`, { metadata: textile({ gtin: claimed }) })
      },
      ingestPassportFromAas: () => {
        const { path, json } = callOf('ingestPassportFromAas')
        return send('POST', path, JSON.parse(JSON.stringify(json).replace(/0\d{13}/, claimed)))
      },
      deleteDraftPassport: () => send('DELETE', `/api/v1/passports/${swept.subjects.passportId}`),
      updatePassportStatus: async () => {
        const { id } = await given({ productId: newGtin(), metadata: {}, draft: true })
        return send('PUT', `/api/v1/passports/${id}/status`, { status: 'ACTIVE' })
      },
      approveGrant: () => send('POST', `/api/v1/grants/${swept.subjects.grantId}/approve`, { expiresAt: inDays(1) }),
      renewGrant: () => send('POST', `/api/v1/grants/${swept.subjects.grantId}/renew`, { expiresAt: inDays(1) }),
      denyGrant: () => send('POST', `/api/v1/grants/${swept.subjects.grantId}/deny`),
      revisePassport: async () => {
        const { id } = await given({ productId: newGtin(), metadata: textile() })
        return send('POST', `/api/v1/passports/${id}/revisions`, { metadata: textile(), changeReason: 'Why' })
      },
      bulkIngestPassports: () => withHeldKey('bulkIngestPassports'),
      serializeBatteryUnits: () => withHeldKey('serializeBatteryUnits', ` ${swept.subjects.passportId}`),
      recordBatteryUnitEvents: () => withHeldKey('recordBatteryUnitEvents'),
      createWebhookSubscription: async () => {
        const full = await createWorkspace(gateway)
        await gateway.sqlAs(
          full.id,
          `insert into webhook_subscription (id, tenant_id, url, events, secret)
           select gen_random_uuid(), $1, 'https://erp.example/hook', '{*}', '' from generate_series(1, $2)`,
          [full.id, MAX_SUBSCRIPTIONS],
        )
        const { method, path, json } = callOf('createWebhookSubscription')
        return gateway.request(method, path, { headers: full.as, json })
      },
      replayWebhookDelivery: async () => {
        const given = await givenDelivery(gateway, workspace.id)
        await send('PATCH', `/api/v1/webhooks/subscriptions/${given.subscriptionId}`, { isActive: false })
        return send('POST', callOf('replayWebhookDelivery', { ...swept.subjects, ...given }).path)
      },
      rotateTenantKeys: async () => {
        const full = await createWorkspace(gateway)
        // The workspace's one and 99 more.
        await gateway.sqlAs(
          full.id,
          `insert into tenant_key (id, tenant_id, number, signer_key, public_key_pem, fingerprint, created_at, retired_at)
           select gen_random_uuid(), tenant_id, number + n, signer_key || n, public_key_pem, fingerprint || n, now(), now()
           from tenant_key, generate_series(1, 99) n where tenant_id = $1`,
          [full.id],
        )
        return gateway.request('POST', '/api/v1/tenants/rotate-keys', { headers: full.as })
      },
      sealPassport: async () => {
        const { signer } = gateway.container.cradle
        const { sign } = signer
        const { id } = await given({ productId: newGtin(), metadata: textile() })
        // A slow signer: the passport is edited during each signature.
        signer.sign = async (key, data) => {
          await send('PUT', `/api/v1/passports/${id}`, { metadata: textile() })
          return sign(key, data)
        }
        return send('POST', `/api/v1/passports/${id}/seal`).finally(() => {
          signer.sign = sign
        })
      },
      registerFacility: async () => {
        const [{ gln = '' } = {}] = (await send('GET', '/api/v1/facilities')).body.facilities
        return send('POST', '/api/v1/facilities', { gln, name: 'F', country: 'DE' })
      },
      deleteOperator: async () => {
        const { operator } = (await send('POST', '/api/v1/operators', { name: 'O', regId: 'STUCK' })).body
        await gateway.sql(`create function refuse() returns trigger language plpgsql as $$
          begin raise exception 'refused' using errcode = case tg_op when 'DELETE' then '23503' else '55000' end; end $$`)
        await gateway.sql(`create trigger refuse before update or delete on operator for each row
          when (old.reg_id = 'STUCK') execute function refuse()`)
        return send('DELETE', `/api/v1/operators/${operator.id}`)
      },
    }
    const openLabelJobs = (count: number) =>
      gateway.sqlAs<{ id: string }>(
        workspace.id,
        `insert into label_job (id, tenant_id, subject, request, created_at, expires_at)
         select gen_random_uuid(), $1, 'unit', '{}', now(), now() + interval '1 hour' from generate_series(1, $2::int)
         returning id`,
        [workspace.id, count],
      )
    const shared = newGtin()
    for (const { as: headers } of [workspace, await createWorkspace(gateway)]) {
      await gateway.request('POST', '/api/v1/passports', { headers, json: { productId: shared, metadata: textile() } })
    }
    const ofModules: typeof ofCore = {
      createDpp: () => {
        const { path, json } = callOf('createDpp')
        return send('POST', path, { ...(json as object), uniqueProductIdentifier: swept.subjects.gtin })
      },
      updateDppById: () => send('PATCH', callOf('updateDppById').path, { granularity: 'item' }),
      deleteDppById: () => send('DELETE', callOf('deleteDppById').path),
      updateDataElement: async () => {
        const { id } = await given({ productId: newGtin(), metadata: textile() })
        await send('POST', `/api/v1/passports/${id}/seal`)
        return send('PATCH', `/v1/dpps/${id}/elements/%24.size`, 'M')
      },
      readDppByProductId: () => send('GET', `/v1/dppsByProductId/${shared}`),
      readDppVersionByProductIdAndDate: () => send('GET', `/v1/dppsByProductIdAndDate/${shared}?date=2099-01-01`),
      linkPassport: () => {
        const path = `/api/v1/passports/${swept.subjects.passportId}/links`
        return send('POST', path, { rel: 'partOf', target: swept.subjects.passportId })
      },
      acceptPassportLink: async () => {
        await send('POST', `/api/v1/links/${swept.subjects.linkId}/accept`)
        return send('POST', `/api/v1/links/${swept.subjects.linkId}/accept`)
      },
      declinePassportLink: () => send('POST', `/api/v1/links/${swept.subjects.linkId}/decline`),
      offerPassportHandover: async () => {
        const { id } = await given({ productId: newGtin(), metadata: {}, draft: true })
        return send('POST', `/api/v1/passports/${id}/handover`, {})
      },
      offerUnitHandover: async () => {
        const unit = { serialNumber: 'ENDED', status: 'RECYCLED' }
        const { units } = (await send('POST', `/api/v1/passports/${swept.subjects.passportId}/units`, unit)).body
        return send('POST', `/api/v1/units/${units[0].id}/handover`, {})
      },
      acceptHandover: async () => {
        const { method, path, json } = callOf('acceptHandover')
        await send(method, path, json)
        return send(method, path, json)
      },
      withdrawHandover: async () => {
        await send('DELETE', `/api/v1/handovers/${swept.subjects.handoverId}`)
        return send('DELETE', `/api/v1/handovers/${swept.subjects.handoverId}`)
      },
      createBatches: () => withHeldKey('createBatches', ` ${swept.subjects.passportId}`),
      deleteBatch: async () => {
        await send('POST', `/api/v1/passports/${swept.subjects.passportId}/units`, {
          serialNumber: 'OF-BATCH',
          batchNumber: swept.subjects.batchNumber,
        })
        return send('DELETE', `/api/v1/batches/${swept.subjects.batchId}`)
      },
      captureTraceEvents: () => withHeldKey('captureTraceEvents'),
      captureTraceDocument: async () => {
        for (let open = 0; open < 4; open += 1) await givenCapture(gateway, workspace.id)
        const { method, path, json } = callOf('captureTraceDocument')
        return send(method, path, json)
      },
      publishPassportJourney: () => send('PUT', `/api/v1/passports/${swept.subjects.otherPassportId}/journey`, {}),
      registerPassport: () => send('POST', `/api/v1/passports/${swept.subjects.passportId}/registration`),
      registerUnit: () => send('POST', `/api/v1/units/${swept.subjects.unitId}/registration`),
      exportRegistryEntries: () => send('GET', `/api/v1/registry-entries?ids=${swept.subjects.passportId}`),
      importPassports: async () => {
        await gateway.sqlAs(
          workspace.id,
          `insert into import (id, tenant_id, actor, role, format, options, file_hash, bytes, created_at, expires_at)
           select gen_random_uuid(), $1, '', '', 'csv', '{"dryRun":false}', '', 0, now(), now() + interval '1 hour' from generate_series(1, 2)`,
          [workspace.id],
        )
        return gateway.request('POST', '/api/v1/imports', {
          headers: workspace.as,
          file: callOf('importPassports').file,
        })
      },
      printPassportLabels: async () => {
        await openLabelJobs(2)
        return send('POST', '/api/v1/passports/labels', { ids: tooManyAtOnce(swept.subjects.passportId) })
      },
      printUnitLabels: () => send('POST', '/api/v1/units/labels', { ids: tooManyAtOnce(swept.subjects.unitId) }),
      downloadLabels: async () => {
        const [job] = await openLabelJobs(1)
        return send('GET', `/api/v1/label-jobs/${job?.id}/file`)
      },
      uploadPassportMedia: async () => {
        await gateway.sqlAs(
          workspace.id,
          `insert into media (id, passport_id, tenant_id, kind, media_type, file, sizes, bytes, position, created_at)
           select gen_random_uuid(), $1, $2, 'picture', 'image/webp', '', '[]', 0, n, now() from generate_series(1, 24) n`,
          [swept.subjects.passportId, workspace.id],
        )
        const { method, path, file } = callOf('uploadPassportMedia')
        return gateway.request(method, path, { headers: workspace.as, file })
      },
      deletePassportMedia: async () => {
        const { id } = await given({ productId: newGtin(), metadata: textile() })
        const path = `/api/v1/passports/${id}/media?documentType=manual&audience=public`
        const file = { type: 'application/pdf', bytes: pdf() }
        const { medium } = (await gateway.request('POST', path, { headers: workspace.as, file })).body
        await send('PUT', `/api/v1/passports/${id}`, { metadata: textile({ documents: [medium.entry] }) })
        return send('DELETE', `/api/v1/passports/${id}/media/${medium.id}`)
      },
    }
    const cases = hasModules ? { ...ofCore, ...ofModules } : ofCore
    await send('DELETE', `/api/v1/grants/${swept.subjects.grantId}`)
    const promised = promisedRows(gateway.client, ({ status }) => status === 409).map(({ operationId }) => operationId)
    expect(promised.sort()).toEqual(Object.keys(cases).sort())
    for (const [operationId, call] of Object.entries(cases)) {
      const { status, text } = await call()
      expect([operationId, status, text]).toEqual([operationId, 409, text])
    }
  })

  test('a version that If-Match does not name', async () => {
    const on = await givenSubjects(gateway, workspace)
    const sealed = await given({ productId: newGtin(), metadata: textile() })
    expect((await send('POST', `/api/v1/passports/${sealed.id}/seal`)).status).toBe(200)
    const draft = await given({ productId: newGtin(), metadata: {}, draft: true })
    const others = dictionary<string>({ revisePassport: sealed.id, deleteDraftPassport: draft.id })
    await sweep(
      412,
      (call, operationId) => ({
        call: { ...call, path: call.path.replace(on.passportId, others[operationId] ?? on.passportId) },
        headers: { ...workspace.as, 'if-match': '"0"' },
      }),
      { on },
    )
  })

  test('a body over the limit', async () => {
    const { operations } = gateway.container.cradle.contract
    await sweep(413, (_, operationId) => ({
      headers: workspace.as,
      raw: ' '.repeat((operations.get(operationId)?.bodyLimit ?? 0) + 1),
    }))
  })

  test('a body for which there is no memory now', async () => {
    const { bodyBudget, config, contract } = gateway.container.cradle
    const { bodyBytes } = config.bounds
    const { operations } = contract
    const shares = Array.from({ length: 8 }, (_, index) => bodyBudget.open(`192.0.2.${index}`, false))
    for (const share of shares) expect(share.take(bodyBytes / 8)).toBe(true)
    await sweep(503, asOwner, { only: (operationId) => operations.get(operationId)?.bodyType !== undefined })
    for (const share of shares) share.close()
  })

  test('a body that is not declared as JSON', () =>
    sweep(415, () => ({ headers: { ...workspace.as, 'content-type': 'text/plain' }, raw: '{}' })))
})

describe('failure', () => {
  test('the database fails under a request', async () => {
    const { operations } = gateway.container.cradle.contract
    const isPublic = (operationId: string) => operations.get(operationId)?.isPublic === true
    await withoutTable(gateway, 'api_key', () => sweep(500, asOwner, { only: (operationId) => !isPublic(operationId) }))
    // Operations by key cannot fail without its table; operations by passport query nothing before.
    const byKey = new Set(['getDidDocument', 'getJwtVcIssuer', 'getStatusList', 'getTokenStatusList', 'verifySeal'])
    await withoutTable(gateway, 'tenant_key', () => sweep(500, () => ({}), { only: (id) => byKey.has(id) }))
    const byProof = new Set(hasModules ? ['getRegistrationProof', 'getUnitRegistrationProof'] : [])
    if (hasModules)
      await withoutTable(gateway, 'registration', () => sweep(500, () => ({}), { only: (id) => byProof.has(id) }))
    const isOther = (operationId: string) => byKey.has(operationId) || byProof.has(operationId)
    const readsPassports = (operationId: string) => isPublic(operationId) && !isOther(operationId)
    await withoutTable(gateway, 'passport', () => sweep(500, sought(swept.subjects), { only: readsPassports }))
  })

  test('the database does not answer, and then it does again', async () => {
    await cutOff(gateway, async () => {
      await expect.poll(async () => (await gateway.request('GET', '/health')).status).toBe(503)
      await sweep(503, sought(swept.subjects, asOwner))
    })
    await expect.poll(async () => (await gateway.request('GET', '/health')).status).toBe(200)
  })
})

swept.testRecording((status) => status >= 400)
