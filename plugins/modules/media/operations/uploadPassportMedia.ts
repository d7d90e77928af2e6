import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function uploadPassportMedia({ media }: Cradle): Handler<'uploadPassportMedia', operations> {
  return async ({ path, query, body, bodyType, principal }) => ({
    status: 201,
    body: await media.add(principal, path.id, {
      bytes: body,
      declared: bodyType,
      title: titleOf(query.title?.trim(), query.titleLanguage),
      document: query,
    }),
  })
}

function titleOf(title = '', language?: string) {
  if (title === '') return null
  return language === undefined ? title : { [language]: title }
}
