import type { Cradle } from '../../cradle.ts'
import { notFound } from '../../domain/problem.ts'
import { SCRIPT_TYPE } from '../../http/default-headers.ts'
import type { PublicHandler } from '../../http/handler.ts'

export default function getCodeReader({ browserScripts }: Cradle): PublicHandler<'getCodeReader'> {
  return ({ path }) => {
    const body = browserScripts.codeReader.get(path.file)
    if (body === undefined) throw notFound('Module not found.')
    return { status: 200, contentType: SCRIPT_TYPE, body }
  }
}
