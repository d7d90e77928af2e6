import type { Cradle } from '../../cradle.ts'
import { notFound } from '../../domain/problem.ts'
import type { PublicHandler } from '../../http/handler.ts'

export default function getCategorySchema({ categoryValidator }: Cradle): PublicHandler<'getCategorySchema'> {
  return ({ path, query: { version } }) => {
    const category = path.category.toLowerCase()
    const schema = categoryValidator.publishedSchema(category)
    if (schema === undefined) throw notFound('No published schema for this category.')
    const current = categoryValidator.schemaVersion(category)
    if (version !== undefined && version !== current)
      throw notFound(`Version not found. The current version of the schema is ${current}.`)
    return { status: 200, contentType: 'application/schema+json', body: JSON.stringify(schema) }
  }
}
