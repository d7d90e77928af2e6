import { expect, test } from 'vitest'
import { MASTER_KEY } from '../support/gateway.ts'
import { startProcess } from '../support/process.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const { databaseUrl } = gateway

/** Reports loaded packages, by either of Node's loaders. */
const WATCH = `
  import { registerHooks } from 'node:module'
  registerHooks({ load(url, context, next) {
    const [, name] = /node_modules[/](bwip-js|pdfkit|qrcode|@simplewebauthn)[/]/.exec(url) ?? []
    if (name !== undefined) console.error('loaded ' + name)
    return next(url, context)
  } })`

test('code libraries are loaded when the first is drawn, and the PDF library in its thread only', {
  timeout: 90_000,
}, async () => {
  const { id } = await passports.given({})
  const process = await startProcess({
    DATABASE_URL: databaseUrl,
    MASTER_KEY,
    DEMO: 'off',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(WATCH)}`,
  })
  try {
    await process.printed('is ready')
    const loaded = () => [...new Set([...process.output().matchAll(/loaded (\S+)/g)].map(([, name]) => name))]
    const ask = async (path: string, body?: object) => {
      const headers = { ...workspace.as, 'content-type': 'application/json' }
      const method = body === undefined ? 'GET' : 'POST'
      const answer = await fetch(`${process.url}/api/v1/passports${path}`, {
        method,
        headers,
        body: JSON.stringify(body),
      })
      expect([answer.status, (await answer.bytes()).length > 0]).toEqual([200, true])
    }
    await ask(`/${id}`)
    expect(loaded()).toEqual([])
    await ask(`/${id}/qr`)
    await process.printed('loaded qrcode')
    await ask(`/${id}/qr?symbology=datamatrix`)
    await process.printed('loaded bwip-js')
    await ask('/labels', { ids: [id], format: 'pdf' })
    expect(loaded()).toEqual(['qrcode', 'bwip-js'])
  } finally {
    await process.end('SIGTERM')
  }
})
