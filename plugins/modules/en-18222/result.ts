import type { Problem } from '../../../src/plugin/index.ts'

/** Status codes (EN 18222, Table 15). */
const STATUS_CODES = new Map([
  [400, 'ClientErrorBadRequest'],
  [401, 'ClientNotAuthorized'],
  [403, 'ClientForbidden'],
  [404, 'ClientErrorResourceNotFound'],
  [405, 'ClientMethodNotAllowed'],
  [409, 'ClientResourceConflict'],
  [500, 'ServerInternalError'],
  [501, 'ServerNotImplemented'],
  [502, 'ServerErrorBadGateway'],
])

interface Message {
  readonly messageType: 'Error' | 'Exception'
  readonly text: string
  readonly code?: string
  readonly correlationId: string
  readonly timestamp: string
}

/** Returns the result of a failure (EN 18222, 7.2, Tables 12 to 14). Statuses beyond Table 15 have the nearest code. */
export function resultOf(problem: Problem, requestId: string) {
  const { status, message, fields } = problem
  const about = {
    messageType: status >= 500 ? 'Exception' : 'Error',
    correlationId: requestId,
    timestamp: new Date().toISOString(),
  } as const
  const code = fields.code ?? (typeof fields.framework === 'string' ? fields.framework : undefined)
  const issues = (fields.issues ?? []).map(
    ({ path, message: text, friendlyMessage }): Message => ({
      ...about,
      text: friendlyMessage ?? `${path} ${text}`,
      code: path,
    }),
  )
  const first: Message = { ...about, text: message, ...(code === undefined ? {} : { code }) }
  return {
    statusCode: STATUS_CODES.get(status) ?? (status >= 500 ? 'ServerInternalError' : 'ClientErrorBadRequest'),
    message: [first, ...issues],
  }
}
