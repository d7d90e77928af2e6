import { afterAll, expect, test } from 'vitest'
import { battery } from '../support/passport-client.ts'
import { startProcess } from '../support/process.ts'
import { inDays } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const talkative = await startProcess({
  DATABASE_URL: gateway.databaseUrl,
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  LOG_LEVEL: 'trace',
  RATE_LIMITS: 'off',
  DEMO: 'off',
})
await talkative.printed('is ready')
afterAll(async () => {
  await talkative.end('SIGTERM')
})

const OWN_FIELD = /<input type="hidden" name="grant" value="dpp_(?:li|auth)_[0-9a-f]{32}">/g

test('no token, key, session or cookie comes out again, in a log, an answer, a header or an address', async () => {
  const { workspaces, grants } = gateway.container.cradle
  const { id, productId } = await passports.given({
    metadata: battery({ serialNumber: 'S-1' }),
  })
  const issued = await gateway.request('POST', '/api/v1/grants', {
    headers: workspace.as,
    json: { granteeName: 'Repair Ltd', scopeType: 'PASSPORT', passportId: id, expiresAt: inDays(1) },
  })
  const authority = await grants.issueAuthority({ scope: 'PASSPORT', target: id, expires: inDays(1) })
  const session = await workspaces.createSession({
    workspaceId: workspace.id,
    user: 'u@x.example',
    role: 'TENANT_ADMIN',
    mfa: false,
  })
  const secrets = [
    issued.body.token,
    authority.token,
    workspace.key,
    session.token,
    session.csrf,
    // Invalid ones may be typing errors and are secret too.
    `dpp_li_${'e'.repeat(32)}`,
    `dpp_key_AAAAAAAA_${'f'.repeat(43)}`,
  ]
  const paths = [
    `/passport/${id}`,
    `/01/${productId}`,
    `/01/${productId}/21/S-1`,
    `/01/${productId}/21/none`,
    '/passport/none',
    '/nothing',
    '/api/v1/passports?page=abc',
    '/api/v1/whoami',
    `/request-access?passport=${id}`,
  ]
  const answers: string[] = []
  const ask = async (path: string, headers: Record<string, string>) => {
    const answer = await fetch(talkative.url + path, { headers, redirect: 'manual' })
    // The page of a valid token has it in its forms, to keep it out of links; such a page is never stored.
    const isOpened = answer.headers.get('x-access-tier') === 'restricted' && headers.accept === 'text/html'
    const text = await answer.text()
    answers.push(JSON.stringify([...answer.headers]), isOpened ? text.replace(OWN_FIELD, '') : text)
    if (isOpened) expect(answer.headers.get('cache-control')).toBe('private, no-store')
  }
  for (const path of paths) {
    for (const secret of secrets) {
      const glue = path.includes('?') ? '&' : '?'
      for (const accept of ['text/html', 'application/ld+json']) {
        await ask(`${path}${glue}grant=${secret}`, { accept })
        await ask(path, { accept, authorization: `Bearer ${secret}` })
        await ask(path, { accept, cookie: `dpp_session=${secret}; dpp_csrf=${secret}`, 'x-csrf-token': secret })
      }
    }
  }
  // Failures are logged with their cause.
  await gateway.sql('alter table passport rename to passport_away')
  for (const secret of secrets) await ask(`/passport/${id}?grant=${secret}`, { authorization: `Bearer ${secret}` })
  await gateway.sql('alter table passport_away rename to passport')
  const output = talkative.output()
  expect(output).toContain('An unexpected error occurred')
  for (const secret of secrets) {
    expect(output).not.toContain(secret)
    expect(answers.join('\n')).not.toContain(secret)
  }
})
