import type { Cradle } from '../../cradle.ts'
import { defined } from '../../domain/record.ts'
import type { Handler } from '../../http/handler.ts'
import { labelOf } from '../material-names.ts'
import { findMaterials } from '../materials.ts'

export default function listMaterials(_: Cradle): Handler<'listMaterials'> {
  return ({ query }) => {
    const materials = findMaterials(query).map(({ synonyms: _, ...material }) => {
      const label = query.lang === undefined ? undefined : labelOf(material.name, query.lang.toLowerCase())
      return defined({ ...material, label })
    })
    return { status: 200, body: { materials } }
  }
}
