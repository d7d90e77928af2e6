import { notFound } from '../../../../src/plugin/index.ts'
import type { PublicHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function getConsoleAsset({ consoleView }: Cradle): PublicHandler<'getConsoleAsset', operations> {
  return ({ path }) => {
    const asset = consoleView.assetOf(path.file)
    if (asset === undefined) throw notFound('File not found.')
    return { status: 200, ...asset }
  }
}
