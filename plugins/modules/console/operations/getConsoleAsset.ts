import { notFound } from '../../../../src/plugin/index.ts'
import { type PublicHandler, takesBrotli } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function getConsoleAsset({ consoleView }: Cradle): PublicHandler<'getConsoleAsset', operations> {
  return ({ path, headers }) => {
    const asset = consoleView.assetOf(path.file)
    if (asset === undefined) throw notFound('File not found.')
    const { body, compressed, contentType } = asset
    const isCompressed = takesBrotli((headers as { 'accept-encoding'?: string })['accept-encoding'])
    const encoding: Record<string, string> = isCompressed ? { 'Content-Encoding': 'br' } : {}
    const sent = isCompressed ? compressed : body
    return { status: 200, contentType, body: sent, headers: { Vary: 'Accept-Encoding', ...encoding } }
  }
}
