import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Cradle } from '../cradle.ts'
import { within } from '../telemetry/current.ts'

export function observe({ counters, tracing }: Cradle): RequestHandler {
  return (req: Request, res: Response, next: NextFunction) => {
    const { gateway } = req
    const began = performance.now()
    const span = tracing?.begin('request', 'server', req.headers.traceparent, { 'http.request.method': req.method })
    res.once('close', () => {
      const { operation } = gateway
      gateway.isOver = true
      const status = res.headersSent ? res.statusCode : 0
      counters.requestsOf(operation?.operationId).observe(status, performance.now() - began)
      if (span === undefined) return
      span.name(operation?.operationId ?? 'request', {
        ...(operation !== undefined && { 'http.route': operation.path }),
        ...(status !== 0 && { 'http.response.status_code': status }),
      })
      span.end(status >= 500 ? status : undefined)
    })
    within(gateway, span, next)
  }
}
