import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { MAIL } from '../../src/jobs/mail.ts'
import mailer from '../../src/outside/mailer.ts'
import { createWorkspace, startTestGateway, type TestWorkspace } from '../support/gateway.ts'
import { hurry } from '../support/jobs.ts'
import { LANGUAGES } from '../support/languages.ts'
import { type Letter, startMailServer, startSilentServer } from '../support/mail-server.ts'
import { battery, passportClient } from '../support/passport-client.ts'
import { dpp, freePort } from '../support/process.ts'
import { inDays } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

// Mail about requests for access, as a server receives it and another library reads it.

const FROM = { MAIL_FROM: 'Nordlicht <passports@nordlicht.example>' }
const server = await startMailServer()
afterAll(() => server.close())
const { gateway, workspace, passports } = await useGateway({ SMTP_URL: server.url, ...FROM })
await gateway.container.cradle.workspaces.set(workspace.id, { email: 'office@acme.example' })

beforeEach(async () => {
  server.mode = 'takes'
  // All of them ask one workspace, which has enough mail for a day after a while.
  await gateway.sql('delete from mail_count')
})

let counter = 0
/** An address that no other test has used up. */
const newAddress = () => {
  counter += 1
  return `ada${counter}@repair.example`
}
const to = (address: string) => (letter: Letter) => letter.recipients.includes(address)
const ask = (query: string, form: Record<string, string>) =>
  gateway.request('POST', `/request-access?${query}`, { form: { granteeName: 'Ada', ...form } })
const givenBattery = () => passports.given({ metadata: battery({ productName: 'Cell block' }) })

/** A request for access to a new battery, with its receipt. */
async function asked(lang = 'en', form: Record<string, string> = {}) {
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
const linkOf = ({ text = '' }: Letter) => /^https:\S+$/m.exec(text)?.[0] ?? ''
const path = (link: string) => link.slice(new URL(link).origin.length)
const jobs = (state: string) =>
  gateway.sql<{ id: string; retry_count: number; output: object; data: object }>(
    `select id, retry_count, output, data from pgboss.job where name = 'mail' and state = $1`,
    [state],
  )
const notifications = async (as = workspace.as) =>
  (await gateway.request('GET', '/api/v1/notifications?limit=200', { headers: as })).body.notifications

describe('a request', () => {
  test('is told to the workspace: who asks, for what and why, and what to do', async () => {
    const { id, address, company, grantId } = await asked('de', {
      granteeName: 'Ada\u202e Lovelace',
      organization: 'Repairers of www.evil.example',
      purpose: 'Repair.\r\nSee https://evil.example/x\u0007 <b>now</b>',
    })
    expect(company.recipients).toEqual(['office@acme.example'])
    expect(company.sender).toBe('passports@nordlicht.example')
    expect(company.from).toEqual({ name: 'Nordlicht', address: 'passports@nordlicht.example' })
    expect(company.subject).toBe('Request for access to Cell block')
    expect(company.html).toBeUndefined()
    expect(company.attachments).toEqual([])
    expect(company.text).toContain('Name:         Ada Lovelace\n')
    expect(company.text).toContain(`E-mail:       ${address}\n`)
    expect(company.text).toContain('Organisation: Repairers of www[.]evil[.]example\n')
    expect(company.text).toContain('> Repair.\n> See https[:]//evil[.]example/x <b>now</b>\n')
    expect(company.text).toContain(`https://dpp.example.test/passport/${id}\n`)
    expect(company.text).toMatch(new RegExp(`dpp grant approve ${grantId} --expires \\d{4}-\\d\\d-\\d\\d\\n`))
    expect(company.text).toContain(`dpp grant deny ${grantId}\n`)
    expect(company.text).toContain(`POST https://dpp.example.test/api/v1/grants/${grantId}/approve`)
    // No link decides anything.
    for (const [link] of company.text?.matchAll(/https:\S+/g) ?? []) {
      expect([404, 405, 200]).toContain((await fetch(gateway.origin + path(link))).status)
    }
    expect(await statusOf(grantId)).toBe('PENDING')
  })

  test('is confirmed to the address that was entered, without a word that was', async () => {
    const { receipt, address } = await asked('en', {
      granteeName: 'Buy now',
      organization: 'Cheap pills',
      purpose: 'Visit evil.example',
    })
    expect(receipt.recipients).toEqual([address])
    expect(receipt.to).toEqual([{ name: '', address }])
    expect(receipt.subject).toBe('Your request for access has arrived')
    expect(receipt.raw).not.toMatch(/Buy now|Cheap pills|evil/)
    expect(receipt.raw).not.toContain('dpp_li_')
    const headers = Object.fromEntries(receipt.headers.map(({ key, value }) => [key, value]))
    expect(headers['auto-submitted']).toBe('auto-generated')
    expect(headers['content-language']).toBe('en')
    expect(headers['content-type']).toMatch(/^text\/plain/)
    expect(receipt.messageId).toMatch(/^<[0-9a-f-]{36}@nordlicht\.example>$/)
    expect(linkOf(receipt)).toMatch(/^https:\/\/dpp\.example\.test\/request-access\/[A-Za-z0-9_-]{22}\?lang=en$/)
  })

  test('is mailed to nobody else where the workspace has no address', async () => {
    const other = await createWorkspace(gateway)
    const { id } = await passportClient(gateway, other.as).given({ metadata: battery() })
    const address = newAddress()
    await ask(`passport=${id}`, { granteeEmail: address })
    await server.next(to(address))
    await vi.waitFor(async () => expect(await jobs('created')).toEqual([]), 20_000)
    expect(server.letters.filter(({ text }) => text?.includes(address))).toEqual([])
  })

  test('that is made again is not confirmed again', async () => {
    const address = newAddress()
    const { id } = await givenBattery()
    const answers = []
    for (let count = 0; count < 3; count += 1) answers.push(await ask(`passport=${id}`, { granteeEmail: address }))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    await server.next(to(address))
    const later = await asked()
    expect(server.letters.filter(to(address))).toHaveLength(1)
    expect(later.receipt.recipients).not.toEqual([address])
  })

  test('fills nobody’s mailbox: five receipts a day, whatever stands behind a plus and whoever is asked', async () => {
    const other = await createWorkspace(gateway)
    const others = passportClient(gateway, other.as)
    const addresses = [1, 2, 3, 4, 5, 6, 7].map((part) => `Victim+${part}@repair.example`)
    for (const [index, address] of addresses.entries()) {
      const { id } = await (index % 2 === 0 ? passports : others).given({ metadata: battery() })
      expect((await ask(`passport=${id}`, { granteeEmail: address })).status).toBe(201)
      if (index < 5) await server.next(to(address))
    }
    await vi.waitFor(async () => expect([...(await jobs('created')), ...(await jobs('active'))]).toEqual([]), 20_000)
    expect(server.letters.filter(({ recipients }) => recipients[0]?.startsWith('Victim'))).toHaveLength(5)
  })

  test.each([
    'a@example.org\r\nBcc: evil@evil.example',
    'a@example.org, evil@evil.example',
    'a@example.org,evil@evil.example',
    '"a@example.org, evil@evil.example" <evil@evil.example>',
    'a@example.org> <evil@evil.example',
    'evil@evil.example(a@example.org)',
  ])('with the address %j is refused, and reaches nobody', async (granteeEmail) => {
    const { id } = await givenBattery()
    expect((await ask(`passport=${id}`, { granteeEmail })).status).toBe(400)
    // Judged again before sending, whoever has stored it.
    const send = gateway.container.cradle.mailer.send({ ...MESSAGE, to: { name: '', address: granteeEmail } })
    await expect(send).rejects.toMatchObject({ name: 'NotSent', isFinal: true })
    await gateway.container.cradle.mailer.send({ ...MESSAGE, to: { name: granteeEmail, address: 'right@example.org' } })
    const letter = await server.next(to('right@example.org'))
    expect(letter.recipients).toEqual(['right@example.org'])
    expect(server.letters.filter(({ recipients }) => recipients.some((one) => one.includes('evil')))).toEqual([])
    expect(letter.headers.filter(({ key }) => key === 'bcc')).toEqual([])
  })
})

const MESSAGE = { id: 'x', date: new Date(), subject: 'S\r\nBcc: evil@evil.example', text: 'T', lang: 'en' }

const statusOf = async (id: string) =>
  (await gateway.sqlAs<{ status: string }>(workspace.id, 'select status from access_grant where id = $1', [id]))[0]
    ?.status

describe('a decision', () => {
  test('sends the link that opens the restricted values, to whoever asked and nobody else', async () => {
    const { id, address, grantId } = await asked('fr')
    const before = server.letters.length
    const { status, body } = await decide('approve', grantId)
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, grant: { status: 'ACTIVE' }, token: expect.any(String) })
    expect(body.url).toBe(`https://dpp.example.test/passport/${id}?grant=${body.token}`)
    const letter = await server.next(to(address))
    expect(letter.subject).toBe('Votre demande d’accès a été acceptée')
    expect(linkOf(letter)).toBe(`${body.url}&lang=fr`)
    expect(letter.text).toContain(
      new Intl.DateTimeFormat('fr', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(body.grant.expiresAt)),
    )
    const seen = await gateway.request('GET', path(linkOf(letter)))
    expect(seen.body.metadata.detailedPerformance).toEqual(battery().detailedPerformance)
    expect(server.letters.slice(before).map(({ recipients }) => recipients)).toEqual([[address]])
  })

  test('to decline is told kindly, with the public address', async () => {
    const { id, address, grantId } = await asked('de')
    expect((await decide('deny', grantId)).status).toBe(200)
    const letter = await server.next(to(address))
    expect(letter.subject).toBe('Ihre Anfrage wurde abgelehnt')
    expect(linkOf(letter)).toBe(`https://dpp.example.test/passport/${id}`)
  })

  test('leaves nothing in the database that opens a door', async () => {
    const { address, receipt, grantId } = await asked()
    const { body } = await decide('approve', grantId)
    await server.next(to(address))
    const rows = await gateway.sql('select to_jsonb(j)::text as text from pgboss.job j')
    const kept = await gateway.sqlAs(workspace.id, 'select to_jsonb(g)::text as text from access_grant g')
    const secrets = [body.token, path(linkOf(receipt)).split('/').at(-1)?.slice(0, 22) as string]
    expect(JSON.stringify(rows)).toContain('sealed')
    for (const secret of secrets) expect(JSON.stringify([rows, kept])).not.toContain(secret.replace('dpp_li_', ''))
  })

  test('at the command line prints the link and mails it', async () => {
    const { id, address, grantId } = await asked()
    const env = commandEnv()
    const listed = await dpp(['grant', 'list', '--workspace', workspace.id, '--status', 'PENDING', '--json'], env)
    expect(JSON.parse(listed.stdout).grants.map((grant: { id: string }) => grant.id)).toContain(grantId)
    const approved = await dpp(['grant', 'approve', grantId, '--expires', inDays(3), '--json'], env)
    const { url, token, isMailed } = JSON.parse(approved.stdout)
    expect([url, isMailed]).toEqual([`https://dpp.example.test/passport/${id}?grant=${token}`, true])
    expect(linkOf(await server.next(to(address)))).toBe(`${url}&lang=en`)
    const again = await dpp(['grant', 'deny', grantId], env)
    expect([again.code, again.stderr]).toEqual([1, 'Only a pending request can be decided; this one is ACTIVE.\n'])
  })
})

const commandEnv = (more: Record<string, string> = {}) => ({
  DATABASE_URL: gateway.databaseUrl,
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  BASE_URL: 'https://dpp.example.test',
  SMTP_URL: server.url,
  ...FROM,
  ...more,
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

describe('the status page', () => {
  const shown = (receipt: Letter, lang = 'en') =>
    gateway.request('GET', path(linkOf(receipt)).replace(/lang=.*/, `lang=${lang}`), {
      headers: { accept: 'text/html' },
    })

  test.each([
    ['waits', async () => {}, 'has not decided yet'],
    ['is approved', (id: string) => decide('approve', id), 'Your request has been approved.'],
    ['is declined', (id: string) => decide('deny', id), 'has declined your request'],
    [
      'is revoked',
      async (id: string) => {
        await decide('approve', id)
        await gateway.request('DELETE', `/api/v1/grants/${id}`, { headers: workspace.as })
      },
      'no longer valid',
    ],
    [
      'has expired',
      (id: string) =>
        gateway.sqlAs(workspace.id, `update access_grant set expires_at = now() - interval '1 s' where id = $1`, [id]),
      'no longer valid',
    ],
  ])('says that a request %s, and neither token nor name', async (_, change, text) => {
    const { receipt, grantId, address } = await asked('en', { granteeName: 'Ada Lovelace', organization: 'Repairers' })
    await change(grantId)
    const { status, text: page, headers } = await shown(receipt)
    expect(status).toBe(200)
    expect(page).toContain(text)
    expect(page).not.toMatch(/dpp_li_|Lovelace|Repairers/)
    expect(page).not.toContain(address)
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['referrer-policy']).toBe('no-referrer')
  })

  test('is not found under another reference, and says no more than that', async () => {
    const { receipt } = await asked()
    const answers = await Promise.all(
      ['A'.repeat(22), 'x', "'", '%00', `${path(linkOf(receipt)).split('/').at(-1)?.slice(0, 21)}~`].map((reference) =>
        gateway.request('GET', `/request-access/${reference}`),
      ),
    )
    expect(answers.slice(0, 3).map(({ status }) => status)).toEqual([404, 404, 404])
    expect(answers[4]?.status).toBe(404)
  })
})

test('receipt, approval and refusal are whole in every language', async () => {
  // It has no address, so that only those who ask get letters.
  const quiet = await createWorkspace(gateway)
  const cell = { metadata: battery({ productName: 'Cell block' }) }
  const { id } = await passportClient(gateway, quiet.as).given(cell)
  await Promise.all(
    LANGUAGES.map(async (lang) => {
      const letters: Letter[] = []
      for (const verdict of ['approve', 'deny'] as const) {
        const address = newAddress()
        await ask(`passport=${id}&lang=${lang}`, { granteeEmail: address })
        letters.push(await server.next(to(address)))
        expect((await decide(verdict, await grantOf(address, quiet), quiet.as)).status).toBe(200)
        letters.push(await server.next(to(address)))
      }
      for (const letter of letters) {
        expect(letter.headers.find(({ key }) => key === 'content-language')?.value).toBe(lang)
        expect(letter.subject).not.toMatch(/\{\{|mail\./)
        expect(letter.text).not.toMatch(/\{\{|mail\.|undefined/)
        expect(letter.text).toContain('Cell block')
        expect(letter.text).toContain('Operator')
      }
    }),
  )
})

describe('a server', () => {
  test('that is down gets the message once it is back, and the request waits for nobody', async () => {
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
      const told = await notificationsOf(there, mine)
      expect(told.map(({ type }) => type)).not.toContain('mail.failed')
    } finally {
      await back.close()
    }
  })

  test('that refuses a recipient for good is not asked again, and the workspace is told', async () => {
    const { address, grantId } = await asked()
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

  test('that says nothing holds nobody up for longer than the bound', async () => {
    const silent = await startSilentServer()
    try {
      const { bounds, ...config } = loadConfig({ SMTP_URL: silent.url, ...FROM })
      const { send } = mailer({ config: { ...config, bounds: { ...bounds, mailTimeout: 200 } } })
      const message = { ...MESSAGE, subject: 'S', to: { name: '', address: 'a@example.org' } }
      await expect(send(message)).rejects.toMatchObject({ name: 'NotSent', isFinal: false })
      // Whoever stops the gateway does not wait even for that.
      const patient = mailer({ config: { ...config, bounds } })
      await expect(patient.send(message, AbortSignal.timeout(50))).rejects.toMatchObject({ name: 'NotSent' })
    } finally {
      await silent.close()
    }
  })

  test('is given no password in the clear, and no message shows one', async () => {
    const silent = await startMailServer()
    try {
      const at = (url: string) => {
        const config = loadConfig({ SMTP_URL: url, ...FROM })
        return mailer({
          config: {
            ...config,
            mail: config.mail && { ...config.mail, server: { ...config.mail.server, isLoopback: false } },
          },
        })
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
  const load = () => loadConfig({ SMTP_URL: url, ...more })
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
