import { describe, expect, test } from 'vitest'
import { createWorkspace } from '../support/gateway.ts'
import { LANGUAGES } from '../support/languages.ts'
import { linkOf, path, to, useMail } from '../support/mail-client.ts'
import type { Letter } from '../support/mail-server.ts'
import { battery, passportClient } from '../support/passport-client.ts'

const { server, gateway, workspace, newAddress, ask, requestAccess, grantOf, decide } = await useMail()

test('review-3-users S9: the page that confirms a request links to its status, and so does the receipt', async () => {
  const { id } = await passportClient(gateway, workspace.as).given({ metadata: battery() })
  const address = newAddress()
  const confirmed = await ask(`passport=${id}&lang=de`, { granteeEmail: address })
  const receipt = linkOf(await server.next(to(address)))
  expect(confirmed.status).toBe(201)
  expect(confirmed.text).toContain(`href="${receipt}"`)
  expect(confirmed.text).toContain('Nachsehen, was aus der Anfrage geworden ist')
  // The response does not disclose a pending identical request.
  const again = await ask(`passport=${id}&lang=de`, { granteeEmail: address })
  expect(again.text.replace(/request-access\/[\w-]{22}/, '')).toBe(
    confirmed.text.replace(/request-access\/[\w-]{22}/, ''),
  )
})

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
    const { receipt, grantId, address } = await requestAccess('en', {
      granteeName: 'Ada Lovelace',
      organization: 'Repairers',
    })
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
    const { receipt } = await requestAccess()
    const answers = await Promise.all(
      ['A'.repeat(22), 'x', "'", '%00', `${path(linkOf(receipt)).split('/').at(-1)?.slice(0, 21)}~`].map((reference) =>
        gateway.request('GET', `/request-access/${reference}`),
      ),
    )
    expect(answers.slice(0, 3).map(({ status }) => status)).toEqual([404, 404, 404])
    expect(answers[4]?.status).toBe(404)
  })
})

const KEYS = /\{\{|undefined|(?:receipt|approved|denied)\.\w/

test('receipt, approval and refusal are whole in every language', async () => {
  // Without a contact address, so that only requesters get e-mail.
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
        expect(letter.subject).not.toMatch(KEYS)
        expect(letter.text).not.toMatch(KEYS)
        expect(letter.text).toContain('Cell block')
        expect(letter.text).toContain('Operator')
      }
    }),
  )
})
