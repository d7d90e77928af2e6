import type { Cradle } from '../cradle.ts'
import type { PublicHandler } from '../http/handler.ts'

export default function resolveGs1GtinSerial({ digitalLinks }: Cradle): PublicHandler<'resolveGs1GtinSerial'> {
  return ({ path, ...caller }) => digitalLinks.resolveGtinSerial(path.gtin14, path.serial, caller)
}
