import { createSecureServer, type Http2SecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selfSigned } from '../../../test/support/self-signed.ts'
import { runChecks } from './run.ts'

// Transport of EN 18216 against servers with TLS.

const servers: Http2SecureServer[] = []
let certificate: { key: string; cert: string }

beforeAll(async () => {
  certificate = await selfSigned()
})
afterAll(() => {
  for (const server of servers) server.close()
})

const OPTIONS = { allowLocalhost: true, isWriting: false, contexts: new Map(), tell: () => {} }

/** Starts a service with one passport, by HTTP/2. */
async function start(options: object = {}, { isClosing = false } = {}): Promise<string> {
  const server = createSecureServer({ ...certificate, ...options }, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'strict-transport-security': 'max-age=1000' })
    response.end('{"digitalProductPassportId":"urn:passport"}')
    // RFC 9113, 6.8
    if (isClosing) response.stream.session?.close()
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/passport/1`
}

async function faultsOf(url: string, ca: string | undefined = certificate.cert): Promise<string[]> {
  const only = ['https', 'certificate', 'tls-1.2', 'no-old-tls', 'tls-1.3', 'http-2', 'no-http-1.0', 'no-http-1.1']
  const { results } = await runChecks({
    ...OPTIONS,
    url,
    only: only.map((name) => `en18216.${name}`),
    ...(ca !== undefined && { ca }),
  })
  return results.flatMap(({ check, verdict }) => (verdict === 'fail' || verdict === 'warn' ? [check.id] : []))
}

describe('a service', () => {
  test('with HTTP/2 only and TLS 1.2 and 1.3 has no fault', async () => {
    expect(await faultsOf(await start())).toEqual([])
  })

  test('that responds by HTTP/1.1 is reported', async () => {
    expect(await faultsOf(await start({ allowHTTP1: true }))).toEqual(['en18216.no-http-1.0', 'en18216.no-http-1.1'])
  })

  test('that accepts TLS 1.0 is reported', async () => {
    const url = await start({ minVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' })
    expect(await faultsOf(url)).toEqual(['en18216.no-old-tls'])
  })

  test('without TLS 1.3 has a warning', async () => {
    expect(await faultsOf(await start({ maxVersion: 'TLSv1.2' }))).toEqual(['en18216.tls-1.3'])
  })

  test('that closes connections gets new ones', async () => {
    const url = await start({}, { isClosing: true })
    expect(await faultsOf(url)).toEqual([])
    const { results } = await runChecks({ ...OPTIONS, url, ca: certificate.cert, only: ['http'] })
    expect(results.filter(({ reason }) => reason?.startsWith('No response') === true)).toEqual([])
  })

  test('with an unknown certificate does not respond', async () => {
    await expect(faultsOf(await start(), '')).rejects.toThrow('No response')
  })
})
