import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Runs a baseline: its options come in one message, its port goes back in another, and it ends with its parent. */
export function serve<Options>(makeListener: (options: Options) => RequestListener | Promise<RequestListener>): void {
  process.once('message', async (options: Options) => {
    const server = createServer(await makeListener(options))
    server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
  })
  process.on('disconnect', () => process.exit(0))
  process.on('SIGTERM', () => process.exit(0))
}
