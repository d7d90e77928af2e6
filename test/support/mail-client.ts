import { afterAll, beforeEach, expect } from 'vitest'
import { type Letter, startMailServer } from './mail-server.ts'
import { battery } from './passport-client.ts'
import { inDays } from './sample-calls.ts'
import { useGateway } from './use-gateway.ts'

// E-mail about access requests, as a server receives it and a foreign library parses it.

export const FROM = { MAIL_FROM: 'Nordlicht <passports@nordlicht.example>' }

export const to = (address: string) => (letter: Letter) => letter.recipients.includes(address)

export const linkOf = ({ text = '' }: Letter) => /^https:\S+$/m.exec(text)?.[0] ?? ''

export const path = (link: string) => link.slice(new URL(link).origin.length)

/** A message without recipient. */
export const MESSAGE = { id: 'x', date: new Date(), subject: 'S\r\nBcc: evil@evil.example', text: 'T', lang: 'en' }

/** Starts a mail server and a gateway that sends through it. */
export async function useMail() {
  const server = await startMailServer()
  afterAll(() => server.close())
  const { gateway, workspace, passports } = await useGateway({ SMTP_URL: server.url, ...FROM })
  await gateway.container.cradle.workspaces.set(workspace.id, { email: 'office@acme.example' })

  beforeEach(async () => {
    server.mode = 'takes'
    // All tests use one workspace, which would reach its daily limit.
    await gateway.sql('delete from mail_count')
  })

  let counter = 0
  const newAddress = () => {
    counter += 1
    return `ada${counter}@repair.example`
  }
  const ask = (query: string, form: Record<string, string>) =>
    gateway.request('POST', `/request-access?${query}`, { form: { granteeName: 'Ada', ...form } })
  const givenBattery = () => passports.given({ metadata: battery({ productName: 'Cell block' }) })

  /** Requests access to a new battery, with receipt. */
  async function requestAccess(lang = 'en', form: Record<string, string> = {}) {
    const address = newAddress()
    const { id } = await givenBattery()
    expect((await ask(`passport=${id}&lang=${lang}`, { granteeEmail: address, ...form })).status).toBe(201)
    const receipt = await server.next(to(address))
    const company = await server.next(
      (letter) => to('office@acme.example')(letter) && letter.text?.includes(address) === true,
    )
    return { id, address, receipt, company, grantId: await grantOf(address) }
  }
  const grantOf = async (address: string, of = workspace) => {
    const [grant] = await gateway.sqlAs<{ id: string }>(
      of.id,
      'select id from access_grant where grantee_email = $1 order by created_at desc',
      [address],
    )
    return grant?.id ?? ''
  }
  const decide = (verdict: 'approve' | 'deny', id: string, as = workspace.as) =>
    gateway.request('POST', `/api/v1/grants/${id}/${verdict}`, { headers: as, json: { expiresAt: inDays(10) } })
  const jobs = (state: string) =>
    gateway.sql<{ id: string; retry_count: number; output: object; data: object }>(
      `select id, retry_count, output, data from pgboss.job where name = 'mail' and state = $1`,
      [state],
    )
  const notifications = async (as = workspace.as) =>
    (await gateway.request('GET', '/api/v1/notifications?limit=200', { headers: as })).body.notifications

  return {
    server,
    gateway,
    workspace,
    passports,
    newAddress,
    ask,
    givenBattery,
    requestAccess,
    grantOf,
    decide,
    jobs,
    notifications,
  }
}
