import type { Cradle } from '../container.ts'
import { notFound } from '../domain/problem.ts'
import type { PublicHandler } from '../http/handler.ts'

export default function getCategorySchema({ validator }: Cradle): PublicHandler<'getCategorySchema'> {
  return ({ path }) => {
    const schema = validator.publishedSchema(path.category.toLowerCase())
    if (schema === undefined) throw notFound('There is no published schema for this category.')
    return { status: 200, contentType: 'application/schema+json', body: JSON.stringify(schema) }
  }
}
