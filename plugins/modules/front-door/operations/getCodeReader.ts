import { notFound } from '../../../../src/plugin/index.ts'
import type { PublicHandler } from '../../../../src/plugin/module.ts'
import { CODE_READER, SCRIPT_TYPE } from '../browser-scripts.ts'
import type { operations } from '../generated.ts'

export default function getCodeReader(): PublicHandler<'getCodeReader', operations> {
  return ({ path }) => {
    const body = CODE_READER.get(path.file)
    if (body === undefined) throw notFound('Module not found.')
    return { status: 200, contentType: SCRIPT_TYPE, body }
  }
}
