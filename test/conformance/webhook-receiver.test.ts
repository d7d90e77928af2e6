import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../../src/root.ts'
import { freePort } from '../support/process.ts'
import { useGateway } from '../support/use-gateway.ts'
import { webhookClient } from '../support/webhook-client.ts'

const { gateway, workspace, passports } = await useGateway()

/** Runs the receiver from the tour. */
async function startReceiver(secret: string): Promise<{ readonly url: string; readonly output: () => string }> {
  const tour = readFileSync(join(ROOT, 'docs/guides/tour.md'), 'utf8')
  const code = [...tour.matchAll(/```js\n(.*?)```/gs)].find(([, text]) => text?.includes('standardwebhooks'))?.[1]
  const port = await freePort()
  const child = spawn(process.execPath, ['--input-type=module', '--eval', String(code)], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    child.kill()
    await once(child, 'exit')
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  const url = `http://127.0.0.1:${port}`
  await expect
    .poll(() =>
      fetch(url, { method: 'POST' }).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(400)
  return { url, output: () => output }
}

test('the receiver of the tour takes what is signed for it, and nothing else', { timeout: 60_000 }, async () => {
  const webhooks = webhookClient(gateway, workspace.as)
  const subscription = await webhooks.given('http://127.0.0.1:9/later', ['passport.ingested'])
  const { url, output } = await startReceiver(subscription.secret)
  await webhooks.update(subscription.id, { url })
  const { id } = await passports.given()
  const passport = (await gateway.request('GET', `/passport/${id}`)).body
  await expect.poll(async () => (await webhooks.deliveries())[0]?.status, { timeout: 20_000 }).toBe('DELIVERED')
  const [{ webhookId }] = await webhooks.deliveries()
  expect(output()).toBe(`${webhookId} passport.ingested ${passport['@id']}\n`)

  const { url: stranger, output: heard } = await startReceiver(`whsec_${Buffer.alloc(32, 7).toString('base64')}`)
  await webhooks.update(subscription.id, { url: stranger })
  expect((await webhooks.test(subscription.id)).body).toMatchObject({ delivered: false, statusCode: 400 })
  expect(heard()).toBe('')
})
