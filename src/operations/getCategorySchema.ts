import type { Cradle } from '../cradle.ts'
import { notFound } from '../domain/problem.ts'
import type { PublicHandler } from '../http/handler.ts'

export default function getCategorySchema({ categoryValidator }: Cradle): PublicHandler<'getCategorySchema'> {
  return ({ path }) => {
    const schema = categoryValidator.publishedSchema(path.category.toLowerCase())
    if (schema === undefined) throw notFound('There is no published schema for this category.')
    return { status: 200, contentType: 'application/schema+json', body: JSON.stringify(schema) }
  }
}
