import type { Cradle } from '../cradle.ts'
import { findMaterials } from '../domain/materials.ts'
import type { Handler } from '../http/handler.ts'

export default function listMaterials(_: Cradle): Handler<'listMaterials'> {
  return ({ query }) => ({ status: 200, body: { materials: findMaterials(query) } })
}
