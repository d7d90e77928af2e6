import { afterAll, expect, test } from 'vitest'
import { ConsoleBrowser, signIn } from '../../../test/support/console-client.ts'
import { type Letter, startMailServer } from '../../../test/support/mail-server.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

const mail = await startMailServer()
afterAll(() => mail.close())
const { gateway, workspace } = await useGateway({
  CONSOLE: 'on',
  SMTP_URL: mail.url,
  MAIL_FROM: 'Passports <passports@maker.example>',
})
const to = (address: string) => (letter: Letter) => letter.recipients.includes(address)
const linkIn = ({ text = '' }: Letter) => new URL(/^https:\S+$/m.exec(text)?.[0] ?? '').pathname

test('an invitation and a sign-in link arrive by e-mail', async () => {
  const owner = await signIn(gateway, workspace.id, 'owner')
  await owner.open('/console/people/new')
  const sent = await owner.submit('/people/new', { name: 'Emil', email: 'Emil@maker.example', role: 'editor' })
  expect(sent.text).toContain('An invitation was sent to Emil@maker.example')
  const emil = new ConsoleBrowser(gateway)
  const invitation = linkIn(await mail.next(to('emil@maker.example')))
  await emil.open(invitation)
  await emil.submit(invitation)
  expect((await emil.open('/console/me')).text).toContain('Editor')

  const later = new ConsoleBrowser(gateway)
  await later.open('/console/sign-in')
  const asked = await later.submit('/sign-in', { email: 'EMIL@maker.example' })
  const link = linkIn(await mail.next(to('emil@maker.example')))
  await later.open(link)
  expect((await later.submit(link)).text).toContain('To do')

  const stranger = new ConsoleBrowser(gateway)
  await stranger.open('/console/sign-in')
  const unknown = await stranger.submit('/sign-in', { email: 'nobody@maker.example' })
  const plain = ({ text }: typeof asked) => text.replaceAll(/nonce="[^"]+"/g, '')
  expect([unknown.status, plain(unknown)]).toEqual([asked.status, plain(asked)])
})

test('requests for links are limited by address', async () => {
  const { gateway: limited } = await useGateway({ CONSOLE: 'on', RATE_LIMITS: 'on' })
  const answers = []
  for (let count = 0; count < 12; count += 1) {
    answers.push(await new ConsoleBrowser(limited).post('/console/sign-in', { email: 'x@maker.example' }))
  }
  expect(answers.map(({ status }) => status).slice(-2)).toEqual([429, 429])
  const guesses = []
  for (let count = 0; count < 3; count += 1) {
    guesses.push(await new ConsoleBrowser(limited).post(`/console/sign-in/${'A'.repeat(43)}`, {}))
  }
  expect(guesses.map(({ status }) => status)).toEqual([429, 429, 429])
})
