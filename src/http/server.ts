import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Express } from 'express'
import { type PublicLaneDependencies, publicLane } from './public-lane.ts'

/** The HTTP server: the public lane, and the pipeline behind it. */
export function createGatewayServer(app: Express, dependencies: PublicLaneDependencies): Server {
  const handler = publicLane(dependencies, addressOf(app), app)
  // Bounds on what a slow or greedy client can hold open.
  return createServer(
    { maxHeaderSize: 16_384, headersTimeout: 20_000, requestTimeout: 60_000, keepAliveTimeout: 65_000 },
    handler,
  )
}

/** The caller's address by Express's own `trust proxy` rule, so that both lanes agree. */
function addressOf(app: Express): (req: IncomingMessage) => string {
  const isTrusted: (address: string, hop: number) => boolean = app.get('trust proxy fn')
  return (req) => {
    const forwarded = req.headers['x-forwarded-for']
    const direct = req.socket.remoteAddress ?? ''
    if (forwarded === undefined) return direct
    const chain = [
      direct,
      ...String(forwarded)
        .split(',')
        .map((address) => address.trim())
        .reverse(),
    ]
    return chain.find((address, hop) => !isTrusted(address, hop)) ?? chain[chain.length - 1] ?? direct
  }
}
