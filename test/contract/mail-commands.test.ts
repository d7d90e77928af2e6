import { describe, expect, test } from 'vitest'
import { MAIL } from '../../src/jobs/mail.ts'
import { wake } from '../support/jobs.ts'
import { FROM, linkOf, path, to, useMail } from '../support/mail-client.ts'
import { dpp } from '../support/process.ts'
import { inDays } from '../support/sample-calls.ts'

const { server, gateway, workspace, asked } = await useMail()

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
    const { id, address, grantId } = await asked()
    const env = commandEnv()
    const listed = await dpp(['grant', 'list', '--workspace', workspace.id, '--status', 'PENDING', '--json'], env)
    expect(JSON.parse(listed.stdout).grants.map((grant: { id: string }) => grant.id)).toContain(grantId)
    const approved = await dpp(['grant', 'approve', grantId, '--expires', inDays(3), '--json'], env)
    const { url, token, isMailed } = JSON.parse(approved.stdout)
    expect([url, isMailed]).toEqual([`https://dpp.example.test/passport/${id}?grant=${token}`, true])
    // Another process has added the job.
    wake(gateway, MAIL)
    expect(linkOf(await server.next(to(address)))).toBe(`${url}&lang=en`)
    const again = await dpp(['grant', 'deny', grantId], env)
    expect([again.code, again.stderr]).toEqual([1, 'Only a pending request can be decided; this one is ACTIVE.\n'])
  })
})

describe('at the command line', () => {
  test('mail test sends one message, and says why it could not', async () => {
    const sent = await dpp(['mail', 'test', 'anna@example.com'], commandEnv())
    expect([sent.code, sent.stdout]).toEqual([0, 'The server has taken a message to anna@example.com.\n'])
    expect((await server.next(to('anna@example.com'))).text).toContain('https://dpp.example.test')
    server.mode = 'refuses'
    const refused = await dpp(['mail', 'test', 'anna@example.com'], commandEnv())
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('There is no such mailbox')])
    await expect(gateway.container.cradle.mails.test('anna@example.com, evil@evil.example')).rejects.toThrow(
      'is no address that mail is sent to',
    )
    const off = await dpp(['mail', 'test', 'anna@example.com'], commandEnv({ SMTP_URL: '' }))
    expect([off.code, off.stderr]).toEqual([1, 'SMTP_URL is not set.\n'])
  })

  test('an approval prints the link where no mail is sent', async () => {
    const { id, grantId } = await asked()
    const { code, stdout } = await dpp(
      ['grant', 'approve', grantId, '--expires', inDays(3)],
      commandEnv({ SMTP_URL: '' }),
    )
    expect(code).toBe(0)
    const [, url = ''] = stdout.split('\n')
    expect(url).toMatch(/^https:\/\/dpp\.example\.test\/passport\/\S+\?grant=dpp_li_[0-9a-f]{32}$/)
    expect((await gateway.request('GET', path(url))).body.id).toBe(id)
  })

  test('what is not there, or not an address, is said in one line', async () => {
    const { grants, workspaces } = gateway.container.cradle
    for (const [work, message] of [
      [() => grants.platformFor('x'), 'There is no grant x.'],
      [() => grants.platformFor(NOBODY), `There is no grant ${NOBODY}.`],
      [() => grants.listAll('x', undefined), 'There is no workspace x.'],
      [() => grants.listAll(workspace.id, 'OPEN'), 'status must be one of PENDING, ACTIVE, DENIED, REVOKED.'],
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

const NOBODY = '0b0e7f5a-9f6d-4d4c-9d0a-6c6c8f1c2b11'
