import type { Cradle } from '../cradle.ts'
import type { PublicHandler } from '../http/handler.ts'

export default function resolveGs1GraiSerial({ digitalLinks }: Cradle): PublicHandler<'resolveGs1GraiSerial'> {
  return ({ path, ...caller }) => digitalLinks.resolveGraiSerial(path.grai, path.serial, caller)
}
