import { describe, expect, test, vi } from 'vitest'
import { createWorkspace } from '../../../test/support/gateway.ts'
import { linkOf, MESSAGE, path, to, useMail } from '../../../test/support/mail-client.ts'
import { battery, passportClient } from '../../../test/support/passport-client.ts'
import type { Cradle } from './cradle.ts'

const { server, gateway, workspace, passports, newAddress, ask, givenBattery, requestAccess, decide, jobs } =
  await useMail()

describe('a request', () => {
  test('notifies the workspace: requester, scope, reason and next step', async () => {
    const { id, address, company, grantId } = await requestAccess('de', {
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
    // Opening a link decides nothing.
    for (const [link] of company.text?.matchAll(/https:\S+/g) ?? []) {
      expect([404, 405, 200]).toContain((await fetch(gateway.origin + path(link))).status)
    }
    expect(await statusOf(grantId)).toBe('PENDING')
  })

  test('is confirmed to the address that was entered, without a word that was', async () => {
    const { receipt, address } = await requestAccess('en', {
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

  test('is mailed only to the requester if the workspace has no address', async () => {
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
    // Each has its own reference, and nothing discloses its existence.
    const pages = answers.map(({ text }) => text.replace(/request-access\/[\w-]{22}/, ''))
    expect(new Set(pages).size).toBe(1)
    await server.next(to(address))
    const later = await requestAccess()
    expect(server.letters.filter(to(address))).toHaveLength(1)
    expect(later.receipt.recipients).not.toEqual([address])
  })

  test('limits receipts to five a day per mailbox, including plus addresses, over all workspaces', async () => {
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
  ])('with the address %j is rejected, and sent nowhere', async (granteeEmail) => {
    const { id } = await givenBattery()
    expect((await ask(`passport=${id}`, { granteeEmail })).status).toBe(400)
    // Validated again before sending.
    const { send } = gateway.container.resolve<Cradle['mailer']>('mailer')
    const sent = send({ ...MESSAGE, to: { name: '', address: granteeEmail } })
    await expect(sent).rejects.toMatchObject({ name: 'NotSent', isFinal: true })
    await send({ ...MESSAGE, to: { name: granteeEmail, address: 'right@example.org' } })
    const letter = await server.next(to('right@example.org'))
    expect(letter.recipients).toEqual(['right@example.org'])
    expect(server.letters.filter(({ recipients }) => recipients.some((one) => one.includes('evil')))).toEqual([])
    expect(letter.headers.filter(({ key }) => key === 'bcc')).toEqual([])
  })
})

const statusOf = async (id: string) =>
  (await gateway.sqlAs<{ status: string }>(workspace.id, 'select status from access_grant where id = $1', [id]))[0]
    ?.status

describe('a decision', () => {
  test('sends the link to the restricted values only to the requester', async () => {
    const { id, address, grantId } = await requestAccess('fr')
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

  test('a rejection is mailed politely, with the public address', async () => {
    const { id, address, grantId } = await requestAccess('de')
    expect((await decide('deny', grantId)).status).toBe(200)
    const letter = await server.next(to(address))
    expect(letter.subject).toBe('Ihre Anfrage wurde abgelehnt')
    expect(linkOf(letter)).toBe(`https://dpp.example.test/passport/${id}`)
  })

  test('leaves nothing in the database that opens a door', async () => {
    const { address, receipt, grantId } = await requestAccess()
    const { body } = await decide('approve', grantId)
    await server.next(to(address))
    const rows = await gateway.sql('select to_jsonb(j)::text as text from pgboss.job j')
    const stored = await gateway.sqlAs(workspace.id, 'select to_jsonb(g)::text as text from access_grant g')
    const secrets = [body.token, path(linkOf(receipt)).split('/').at(-1)?.slice(0, 22) as string]
    expect(JSON.stringify(rows)).toContain('sealed')
    for (const secret of secrets) expect(JSON.stringify([rows, stored])).not.toContain(secret.replace('dpp_li_', ''))
  })
})
