import { notFound } from '../../../../src/plugin/index.ts'
import { type PublicHandler, takesBrotli } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function getConsoleAsset({ consoleView }: Cradle): PublicHandler<'getConsoleAsset', operations> {
  return ({ path, headers }) => {
    const asset = consoleView.assetOf(path.file)
    if (asset === undefined) throw notFound('File not found.')
    const { body, compressed, contentType } = asset
    const Vary = 'Accept-Encoding'
    return takesBrotli((headers as { 'accept-encoding'?: string })['accept-encoding'])
      ? { status: 200, contentType, body: compressed, headers: { Vary, 'Content-Encoding': 'br' } }
      : { status: 200, contentType, body, headers: { Vary } }
  }
}
