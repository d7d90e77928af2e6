import { describe, expect, test } from 'vitest'
import { FROM, linkOf, to, useMail } from '../../../test/support/mail-client.ts'
import { dpp } from '../../../test/support/process.ts'
import { inDays } from '../../../test/support/sample-calls.ts'
import type { Cradle } from './cradle.ts'

const { server, gateway, workspace, requestAccess } = await useMail()

const commandEnv = (more: Record<string, string> = {}) => ({
  DATABASE_URL: gateway.databaseUrl,
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  BASE_URL: 'https://dpp.example.test',
  SMTP_URL: server.url,
  ...FROM,
  ...more,
})

describe('a decision', () => {
  test('at the command line prints the link and mails it', async () => {
    const { id, address, grantId } = await requestAccess()
    const env = { DPP_URL: gateway.origin, DPP_KEY: workspace.key }
    const listed = await dpp(['grant', 'list', '--status', 'PENDING', '--all', '--json'], env)
    expect(JSON.parse(listed.stdout).grants.map((grant: { id: string }) => grant.id)).toContain(grantId)
    const approved = await dpp(['grant', 'approve', grantId, '--expires', inDays(3), '--json'], env)
    const { url, token } = JSON.parse(approved.stdout)
    expect(url).toBe(`https://dpp.example.test/passport/${id}?grant=${token}`)
    expect(linkOf(await server.next(to(address)))).toBe(`${url}&lang=en`)
    const again = await dpp(['grant', 'deny', grantId], env)
    expect([again.code, again.stderr]).toEqual([
      1,
      'Only a pending request can be approved or denied; this one is ACTIVE.\n',
    ])
  })
})

describe('at the command line', () => {
  test('mail test sends one message, and says why it could not', async () => {
    const sent = await dpp(['mail', 'test', 'anna@example.com'], commandEnv())
    expect([sent.code, sent.stdout]).toEqual([0, 'The server accepted a message to anna@example.com.\n'])
    expect((await server.next(to('anna@example.com'))).text).toContain('https://dpp.example.test')
    server.mode = 'refuses'
    const refused = await dpp(['mail', 'test', 'anna@example.com'], commandEnv())
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('There is no such mailbox')])
    const mails = gateway.container.resolve<Cradle['mails']>('mails')
    await expect(mails.test('anna@example.com, evil@evil.example')).rejects.toThrow('Invalid e-mail address')
    const off = await dpp(['mail', 'test', 'anna@example.com'], commandEnv({ SMTP_URL: '' }))
    expect([off.code, off.stderr]).toEqual([1, 'SMTP_URL is not set.\n'])
  })

  test('an invalid address is reported in one line', async () => {
    const { workspaces } = gateway.container.cradle
    for (const [work, message] of [
      [
        () => workspaces.create({ name: 'N', email: 'a@b.eu, c@d.eu' }),
        'email must be one plain address, such as passports@example.com.',
      ],
      [
        () => workspaces.set(workspace.id, { email: 'x' }),
        'email must be one plain address, such as passports@example.com.',
      ],
    ] as const) {
      await expect(work()).rejects.toMatchObject({ message })
    }
  })
})
