import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isPublicAddress } from '../../src/domain/public-address.ts'
import { ANYWHERE, type NameResolver, Outgoing } from '../../src/outside/http-client.ts'
import { ROOT } from '../../src/root.ts'
import { createWorkspace, startTestGateway } from '../support/gateway.ts'
import { freePort } from '../support/process.ts'
import { useGateway } from '../support/use-gateway.ts'
import { webhookClient } from '../support/webhook-client.ts'

// Webhooks must not reach the gateway's internal network.

const { gateway, workspace } = await useGateway({ WEBHOOK_ALLOW_PRIVATE: 'off' })
const webhooks = webhookClient(gateway, workspace.as)

/** Addresses that are not public or not on the web, in any notation. */
const HOSTILE = [
  'http://erp.example.com/hook',
  'ftp://erp.example.com/hook',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'data:text/plain,x',
  'javascript:alert(1)',
  'ws://erp.example.com/',
  '//erp.example.com/hook',
  '/hook',
  'erp.example.com/hook',
  'https://',
  'https:///hook',
  '',
  ' ',
  'https://exa mple.com/',
  'https://erp.example.com:99999/',
  `https://erp.example.com/${'a'.repeat(2048)}`,
  'https://user@erp.example.com/',
  'https://user:secret@erp.example.com/',
  'https://:secret@erp.example.com/',
  'https://127.0.0.1@erp.example.com/',
  'https://erp.example.com@127.0.0.1/',
  'https://erp.example.com:22/',
  'https://erp.example.com:80/',
  'https://erp.example.com:5432/',
  'https://erp.example.com:6379/',
  'https://erp.example.com:0/',
  'https://localhost/',
  'https://LOCALHOST/',
  'https://localhost./',
  'https://ip6-localhost/',
  'https://127.0.0.1/',
  'https://127.0.0.1:8443/',
  'https://127.1/',
  'https://127.255.255.254/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://0/',
  'https://0.0.0.0/',
  'https://①②⑦.⓪.⓪.①/',
  'https://127。0。0。1/',
  'https://%31%32%37.0.0.1/',
  'https://127.0.0.1.:443/',
  'https://[::1]/',
  'https://[::]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:0:127.0.0.1]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[64:ff9b:1::a00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[fd00:ec2::254]/latest/meta-data/',
  'https://[::ffff:169.254.169.254]/',
  'https://metadata/computeMetadata/v1/',
  'https://192.0.0.192/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://198.51.100.1/',
  'https://203.0.113.1/',
  'https://192.88.99.1/',
  'https://224.0.0.1/',
  'https://239.255.255.255/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[fc00::1]/',
  'https://[fd12:3456:789a::1]/',
  'https://[fe80::1]/',
  'https://[fe80::1%25eth0]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[100::1]/',
  'https://[2001:db8::1]/',
  'https://[3fff::1]/',
  'https://[4000::1]/',
  'https://[5f00::1]/',
  // Local names, and names that do not resolve.
  'https://intranet/',
  'https://router/',
  'https://erp.example.com./',
  'https://nowhere.invalid/hook',
]

test('there are at least sixty of them', () => {
  expect(new Set(HOSTILE).size).toBe(HOSTILE.length)
  expect(HOSTILE.length).toBeGreaterThanOrEqual(60)
})

describe('at registration', () => {
  test.each(HOSTILE)('%s is refused', async (url) => {
    const { status, body } = await webhooks.create({ url, events: ['*'] })
    expect([status, body.code]).toEqual([400, 'WEBHOOK_URL_REJECTED'])
    // The address behind a name is not disclosed.
    expect(body.message).not.toMatch(/\d+\.\d+\.\d+\.\d+|::/)
  })

  test('and so is a change to it, which changes nothing', async () => {
    const { id, url } = await webhooks.given('https://8.8.8.8/hook')
    for (const hostile of HOSTILE) expect((await webhooks.update(id, { url: hostile })).status, hostile).toBe(400)
    expect((await webhooks.list()).body.subscriptions).toMatchObject([{ id, url }])
    await webhooks.remove(id)
  })

  test.each(['https://8.8.8.8/', 'https://8.8.8.8:8443/', 'https://[2606:4700::1111]/', 'https://8.8.8.8:443/'])(
    '%s is taken',
    async (url) => {
      const { id } = await webhooks.given(url)
      await webhooks.remove(id)
    },
  )
})

describe('at every attempt', () => {
  test.each(HOSTILE)('%s is refused', async (url) => {
    const { webhookSender, secretBox } = gateway.container.cradle
    const subscriptionId = '00000000-0000-4000-8000-000000000000'
    const receiver = { subscriptionId, url, formerSecret: null, formerUntil: null }
    const secret = secretBox.seal('whsec_AAAA', `${workspace.id} ${subscriptionId}`)
    const reaction = await webhookSender.send({ ...receiver, secret }, workspace.id, { id: 'x', body: '{}' })
    expect(reaction).toMatchObject({ statusCode: null, error: expect.any(String) })
  })
})

test('review-3-security, outgoing addresses: WEBHOOK_ALLOW_PRIVATE=on admits private addresses, and no metadata service', async () => {
  const open = await startTestGateway({ WEBHOOK_ALLOW_PRIVATE: 'on' })
  try {
    const { as } = await createWorkspace(open)
    const subscribe = (url: string) => webhookClient(open, as).create({ url, events: ['*'] })
    expect((await subscribe('http://127.0.0.1:9/hook')).status).toBe(201)
    for (const url of ['http://169.254.169.254/latest/meta-data', 'http://[fe80::1]/', 'https://0xa9fea9fe/']) {
      const { status, text } = await subscribe(url)
      expect([url, status]).toEqual([url, 400])
      expect(text).toContain('link-local')
    }
  } finally {
    await open.close()
  }
})

describe('the one way out', () => {
  const paths: string[] = []
  const server = createServer((req, res) => {
    paths.push(req.url ?? '')
    res.writeHead(200).end('inside')
  })
  let port: number
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const resolving =
    (...answers: string[][]): NameResolver =>
    (_, __, answer) => {
      const addresses = answers.length > 1 ? (answers.shift() as string[]) : (answers[0] as string[])
      answer(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    }
  const notify = (outgoing: Outgoing, host: string) =>
    outgoing.notify({ url: `http://${host}:${port}/x`, headers: {}, body: '{}', withinMs: 2000, maxBytes: 100 })

  test.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433', 'localhost'])(
    '%s is not connected to where public addresses alone may be',
    async (host) => {
      const outgoing = new Outgoing({ mayConnect: isPublicAddress })
      await expect(notify(outgoing, host)).rejects.toThrow('that is not allowed')
      expect(paths).toEqual([])
    },
  )

  test.each([
    [['127.0.0.1']],
    [['8.8.8.8', '127.0.0.1']],
    [['::127.0.0.1']],
    [['::ffff:127.0.0.1']],
    [['169.254.169.254']],
  ])('a name that leads to %j is not connected to', async (addresses) => {
    const outgoing = new Outgoing({ mayConnect: isPublicAddress, resolver: resolving(addresses) })
    await expect(notify(outgoing, 'rebound.example.com')).rejects.toThrow('that is not allowed')
    expect(paths).toEqual([])
    // The subscriber may learn the reason, but nothing about the internal network.
    await expect(notify(outgoing, 'rebound.example.com')).rejects.not.toThrow(addresses[0])
  })

  test.each(['169.254.169.254', '[fe80::1]', '[::ffff:169.254.169.254]', '2852039166', '100.100.100.200'])(
    'review-3-security, outgoing addresses: %s is not connected to, whatever else may be',
    async (host) => {
      await expect(notify(new Outgoing(ANYWHERE), host)).rejects.toThrow('that is not allowed')
      await expect(notify(new Outgoing({ mayConnect: () => true }), host)).rejects.toThrow('that is not allowed')
    },
  )

  test('review-3-security, outgoing addresses: nor is a name that leads there', async () => {
    const outgoing = new Outgoing({ ...ANYWHERE, resolver: resolving(['127.0.0.1', '169.254.169.254']) })
    await expect(notify(outgoing, 'rebound.example.com')).rejects.toThrow('that is not allowed')
    expect(paths).toEqual([])
  })

  test('a name that changes between two lookups is resolved once, and the checked address is used', async () => {
    const checked: string[] = []
    const outgoing = new Outgoing({
      mayConnect: (address) => checked.push(address) > 0,
      resolver: resolving(['127.0.0.1'], ['192.0.2.1']),
    })
    expect((await notify(outgoing, 'rebound.example.com')).status).toBe(200)
    expect([paths.splice(0), checked]).toEqual([['/x'], ['127.0.0.1']])
  })

  test('a name that was public when it was registered is checked again at each connection', async () => {
    const outgoing = new Outgoing({ mayConnect: isPublicAddress, resolver: resolving(['8.8.8.8'], ['127.0.0.1']) })
    expect(await outgoing.isConnectable('https://rebound.example.com/')).toBe(true)
    await expect(notify(outgoing, 'rebound.example.com')).rejects.toThrow('that is not allowed')
    expect(paths).toEqual([])
  })

  test('no proxy that the environment names is asked, which would connect for us wherever it likes', async () => {
    const program = `
      import { Outgoing } from './src/outside/http-client.ts'
      const outgoing = new Outgoing({ mayConnect: () => true, keepAlive: true })
      for (const url of process.argv.slice(1)) {
        const asked = { url, headers: {}, body: '{}', withinMs: 2000, maxBytes: 100 }
        console.log(await outgoing.notify(asked).then(({ status }) => status, ({ code }) => code))
      }
      outgoing.close()`
    const proxy = `http://127.0.0.1:${port}`
    const closedPort = await freePort()
    const addresses = [`http://127.0.0.1:${closedPort}/hook`, `https://127.0.0.1:${closedPort}/hook`]
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program, ...addresses], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, HTTPS_PROXY: proxy },
    })
    expect(stdout).toBe('ECONNREFUSED\nECONNREFUSED\n')
    expect(paths).toEqual([])
  })
})
