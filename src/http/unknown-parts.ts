import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { Problem } from '../domain/problem.ts'
import { type KnownMembers, nearestOf, type UnknownKey, unknownKeys } from '../domain/unknown-keys.ts'
import type { Operation } from './contract.ts'

const MAX_NAMED = 20

/** Rejects unknown query parameters. Unknown body members cause warnings, or 400 if the response is a file. */
export function rejectUnknown(): RequestHandler {
  return (req: Request, _res: Response, next: NextFunction) => {
    const { operation } = req.gateway
    if (operation === undefined) throw new Error(`No operation for ${req.path}.`)
    // Third parties add parameters to public addresses.
    if (operation.path.startsWith('/api/')) assertParameters(req.query, operation)
    const unknown = unknownMembers(operation, req.body)
    if (unknown.length > 0 && !operation.hasWarnings) throw refused('member', unknown[0] as UnknownKey)
    req.gateway.unknownMembers = unknown
    next()
  }
}

function assertParameters(query: Request['query'], { parameters }: Operation): void {
  const given = Object.keys(query)
  if (given.length === 0) return
  const known = ['lang', ...parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)]
  const path = given.find((name) => !known.includes(name))
  if (path !== undefined) throw refused('query parameter', { path, suggestion: nearestOf(path, known) })
}

function refused(kind: string, { path, suggestion }: UnknownKey): Problem {
  const meant = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
  return new Problem(400, `This operation has no ${kind} ${JSON.stringify(path)}.${meant}`, {
    framework: 'FW_ERR_VALIDATION',
  })
}

function unknownMembers({ members }: Operation, body: unknown): readonly UnknownKey[] {
  if (members.size === 0 || typeof body !== 'object' || body === null) return []
  const found = unknownKeys(body, { known: members, isElsewhere: () => false, maxFindings: MAX_NAMED })
  return found.map(({ path, suggestion }) => ({ path, suggestion: suggestion ?? deeper(members, path) }))
}

function deeper(members: KnownMembers, name: string): string | undefined {
  const group = [...members.keys()].find((one) => one !== '' && !one.includes('[]') && members.get(one)?.has(name))
  return group === undefined ? undefined : `${group}.${name}`
}
