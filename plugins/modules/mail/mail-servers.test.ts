import { afterAll, describe, expect, test, vi } from 'vitest'
import { loadConfig } from '../../../src/start/config.ts'
import { Variables } from '../../../src/start/variables.ts'
import { createWorkspace, startTestGateway, type TestWorkspace } from '../../../test/support/gateway.ts'
import { hurry } from '../../../test/support/jobs.ts'
import { FROM, MESSAGE, to, useMail } from '../../../test/support/mail-client.ts'
import { startMailServer, startSilentServer } from '../../../test/support/mail-server.ts'
import { battery, passportClient } from '../../../test/support/passport-client.ts'
import { freePort } from '../../../test/support/process.ts'
import { MAIL } from './mail-job.ts'
import mailer from './services/mailer.ts'
import { settings } from './settings.ts'

const { server, gateway, newAddress, ask, givenBattery, requestAccess, decide, jobs, notifications } = await useMail()

const parse = (env: Record<string, string>) => settings.parse(new Variables(env))

describe('a server', () => {
  test('that is down gets the message once it is back, and the request does not wait', async () => {
    const port = await freePort()
    const { gateway: there, workspace: mine, passports } = await givenGateway(`smtp://127.0.0.1:${port}`)
    const { id } = await passports.given({ metadata: battery() })
    expect((await request(there, id)).status).toBe(201)
    await vi.waitFor(async () => expect(await mailJobs(there, 'retry')).toHaveLength(2), { timeout: 20_000 })
    const back = await startMailServer(port)
    try {
      await hurry(there, MAIL)
      const letter = await back.next(to('ada@repair.example'))
      expect(letter.subject).toBe('Your request for access has arrived')
      const notified = await notificationsOf(there, mine)
      expect(notified.map(({ type }) => type)).not.toContain('mail.failed')
    } finally {
      await back.close()
    }
  })

  test('that permanently rejects a recipient is not retried, and the workspace is notified', async () => {
    const { address, grantId } = await requestAccess()
    server.mode = 'refuses'
    await decide('approve', grantId)
    await vi.waitFor(async () => {
      const failed = (await notifications()).find(
        (one: { type: string; subjectId: string }) => one.type === 'mail.failed' && one.subjectId === grantId,
      )
      expect(failed?.message).toContain('550')
      expect(failed?.message).not.toContain(address)
    }, 20_000)
    expect(await jobs('retry')).toEqual([])
    expect(server.letters.filter(to(address))).toHaveLength(1)
  })

  test('that takes a message and dies before it says so gets it again under the same Message-ID', async () => {
    server.mode = 'dies after the message'
    const { id } = await givenBattery()
    const address = newAddress()
    await ask(`passport=${id}`, { granteeEmail: address })
    const first = await server.next(to(address))
    await vi.waitFor(async () => expect((await jobs('retry')).length).toBe(2), 20_000)
    server.mode = 'takes'
    await hurry(gateway, MAIL)
    const second = await server.next(to(address))
    expect(second.messageId).toBe(first.messageId)
    expect(second.raw).toBe(first.raw)
  })

  test('that is silent blocks no process for longer than the timeout', async () => {
    const silent = await startSilentServer()
    try {
      const { bounds, ...config } = loadConfig({})
      const mailSettings = parse({ SMTP_URL: silent.url, ...FROM })
      const { send } = mailer({ config: { ...config, bounds: { ...bounds, mailTimeout: 200 } }, mailSettings })
      const message = { ...MESSAGE, subject: 'S', to: { name: '', address: 'a@example.org' } }
      await expect(send(message)).rejects.toMatchObject({ name: 'NotSent', isFinal: false })
      // Stopping the gateway does not wait for it.
      const boundedMailer = mailer({ config: { ...config, bounds }, mailSettings })
      await expect(boundedMailer.send(message, AbortSignal.timeout(50))).rejects.toMatchObject({ name: 'NotSent' })
    } finally {
      await silent.close()
    }
  })

  test('is given no password in the clear, and no message shows one', async () => {
    const silent = await startMailServer()
    try {
      const at = (url: string) => {
        const parsed = parse({ SMTP_URL: url, ...FROM })
        const mailSettings = parsed && { ...parsed, server: { ...parsed.server, isLoopback: false } }
        return mailer({ config: loadConfig({}), mailSettings })
      }
      const message = { ...MESSAGE, subject: 'S', to: { name: '', address: 'a@example.org' } }
      const error = await at(`smtp://anna:t0p%20secret@127.0.0.1:${silent.port}`)
        .send(message)
        .catch((reason) => reason)
      expect(error).toMatchObject({ name: 'NotSent', isFinal: false })
      expect(JSON.stringify([error, error.message, error.stack])).not.toMatch(/t0p|secret/)
      expect(silent.letters).toEqual([])
    } finally {
      await silent.close()
    }
  })
})

test.each([
  ['http://mail.example', FROM],
  ['smtps://u:p4ss@mail.example?tls.rejectUnauthorized=false', FROM],
  ['smtps://u:p4ss%ZZ@mail.example', FROM],
  ['smtps://u:p4ss@mail.example', {}],
  ['smtps://u:p4ss@mail.example', { MAIL_FROM: 'a@b.eu, c@d.eu' }],
])('SMTP_URL=%s with %j is refused, and its password is not shown', (url, more) => {
  const load = () => parse({ SMTP_URL: url, ...more })
  expect(load).toThrow(/SMTP_URL|MAIL_FROM/)
  expect(load).not.toThrow(/p4ss/)
})

test('without SMTP_URL nothing is enqueued', async () => {
  const { gateway: silent, passports } = await givenGateway('')
  const { id } = await passports.given({ metadata: battery() })
  await request(silent, id)
  expect(await silent.sql(`select 1 from pgboss.job where name = 'mail'`)).toEqual([])
})

const opened: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of opened) await close()
})
async function givenGateway(url: string) {
  const gateway = await startTestGateway({ SMTP_URL: url, ...FROM })
  opened.push(() => gateway.close())
  const workspace = await createWorkspace(gateway)
  await gateway.container.cradle.workspaces.set(workspace.id, { email: 'office@acme.example' })
  return { gateway, workspace, passports: passportClient(gateway, workspace.as) }
}
type Gateway = Awaited<ReturnType<typeof givenGateway>>['gateway']
const request = (there: Gateway, id: string) =>
  there.request('POST', `/request-access?passport=${id}&lang=en`, {
    form: { granteeName: 'Ada', granteeEmail: 'ada@repair.example' },
  })
const mailJobs = (there: Gateway, state: string) =>
  there.sql(`select 1 from pgboss.job where name = 'mail' and state = $1`, [state])
const notificationsOf = async (there: Gateway, { as }: TestWorkspace): Promise<{ type: string }[]> =>
  (await there.request('GET', '/api/v1/notifications', { headers: as })).body.notifications
