import { isUuid } from './identifiers.ts'
import { notFound, type Problem } from './problem.ts'

/**
 * 404 for a passport that the workspace does not have.
 * @param id what the caller named, where only the UUID of a passport is taken; the message then says so for anything else
 */
export function noPassport(id?: string): Problem {
  const hint = id === undefined || isUuid(id) ? '' : ' This operation takes the UUID of a passport, not its product id.'
  return notFound(`Passport not found in your workspace.${hint}`)
}
