// Also runs without modules (vitest project `core`).
import { expect, test } from 'vitest'
import { auditOf } from '../support/audit.ts'
import { bearer, createWorkspace } from '../support/gateway.ts'
import { battery, passportClient, REDACTED } from '../support/passport-client.ts'
import { inDays } from '../support/sample-calls.ts'
import { unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const { workspaces, grants } = gateway.container.cradle

test('a suspended workspace rejects its keys and sessions, its grants open nothing, and the public still reads', async () => {
  const { id } = await passports.given({ metadata: battery() })
  const unit = (await unitClient(gateway, workspace.as).given(id)).id
  const session = await workspaces.createSession({
    workspaceId: workspace.id,
    user: 'u',
    role: 'BRAND_OPERATOR',
    mfa: true,
  })
  const issued = await gateway.request('POST', '/api/v1/grants', {
    headers: workspace.as,
    json: { granteeName: 'Repair Ltd', scopeType: 'TENANT', expiresAt: inDays(1) },
  })
  const authority = await grants.issueAuthority({ scope: 'TENANT', target: workspace.id, expires: inDays(1) })
  const credentials = [workspace.as, bearer(session.token), { cookie: session.cookie, 'x-csrf-token': session.csrf }]
  const tokens = [issued.body.token, authority.token].map(bearer)
  const other = await createWorkspace(gateway)
  const shown = async (headers: Record<string, string>) => {
    const { status, body } = await gateway.request('GET', `/passport/${id}`, { headers })
    return [status, body.metadata.circularityAndDisassembly === REDACTED ? 'public' : 'more']
  }

  expect(await Promise.all(tokens.map(shown))).toEqual([
    [200, 'more'],
    [200, 'more'],
  ])
  const suspended = await workspaces.suspend(workspace.id, ' Keys were published. ')
  expect(suspended).toEqual({ id: workspace.id, suspendedAt: expect.any(String), reason: 'Keys were published.' })
  for (const headers of credentials) {
    for (const [method, path, json] of [
      ['GET', '/api/v1/whoami'],
      ['GET', `/api/v1/passports/${id}`],
      ['PUT', `/api/v1/passports/${id}/status`, { status: 'RECALLED' }],
      ['POST', '/api/v1/tenants/rotate-keys'],
    ] as const) {
      const { status, body } = await gateway.request(method, path, { headers, json })
      expect([path, status, body.code]).toEqual([path, 403, 'WORKSPACE_SUSPENDED'])
      expect(body.message).toMatch(/^This workspace is suspended: .* Reason: Keys were published\.$/)
    }
  }
  for (const headers of [...credentials, ...tokens, {}]) expect(await shown(headers)).toEqual([200, 'public'])
  const { body } = await gateway.request('GET', `/unit/${unit}`, { headers: tokens[0] ?? {} })
  expect(body).toHaveProperty('restrictedData')
  // A page opened with a link reports that it no longer works.
  const page = await gateway.request('GET', `/passport/${id}?grant=${issued.body.token}`, {
    headers: { accept: 'text/html', 'accept-language': 'en' },
  })
  expect(page.text).toContain('This access link no longer works')
  expect((await gateway.request('GET', '/api/v1/whoami', { headers: other.as })).status).toBe(200)

  await workspaces.resume(workspace.id)
  for (const headers of credentials) {
    expect((await gateway.request('GET', '/api/v1/whoami', { headers })).status).toBe(200)
  }
  expect(await Promise.all([...tokens, workspace.as].map(shown))).toEqual(Array(3).fill([200, 'more']))
  expect(await auditOf(gateway, workspace.id, workspace.id)).toMatchObject([
    { action: 'workspace.created' },
    { action: 'workspace.suspended', actor: 'platform', detail: { reason: 'Keys were published.' } },
    { action: 'workspace.resumed', actor: 'platform' },
  ])
})

test('drafts of a suspended workspace are invisible, and another workspace of its operator continues', async () => {
  const [owner, guest] = [await createWorkspace(gateway), await createWorkspace(gateway)]
  await workspaces.bindOperator(owner.operatorId, guest.id)
  const own = passportClient(gateway, owner.as)
  const [draft, published] = [await own.given({ metadata: {}, draft: true }), await own.given({ metadata: battery() })]
  await workspaces.suspend(owner.id, undefined)
  expect((await gateway.request('GET', `/passport/${draft.id}`, { headers: owner.as })).status).toBe(404)
  expect((await passportClient(gateway, guest.as).get(published.id)).status).toBe(200)
  const { body } = await gateway.request('GET', '/api/v1/whoami', { headers: owner.as })
  expect(body.message).toMatch(/Contact the operator of the gateway\.$/)
  await workspaces.suspend(owner.id, 'Another reason')
  expect((await gateway.request('GET', '/api/v1/whoami', { headers: owner.as })).body.message).toMatch(
    /Another reason$/,
  )
})

test('a workspace that there is not is neither suspended nor resumed', async () => {
  const unknownId = '00000000-0000-4000-8000-000000000000'
  await expect(workspaces.suspend(unknownId, undefined)).rejects.toMatchObject({ status: 404 })
  await expect(workspaces.resume('x')).rejects.toMatchObject({ status: 404 })
})
