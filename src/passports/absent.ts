import { isUuid } from '../domain/identifiers.ts'
import { notFound, type Problem } from '../domain/problem.ts'

/** @param id identifier in the request, if only a UUID is accepted */
export function noPassport(id?: string): Problem {
  const hint = id === undefined || isUuid(id) ? '' : ' This operation takes the UUID of a passport, not its product id.'
  return notFound(`Passport not found in your workspace.${hint}`)
}
