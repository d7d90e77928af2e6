import { extname } from 'node:path'
import {
  AASX_HEAD,
  aasXml,
  aasxOrigin,
  type RenderContext,
  runYielding,
  WorkThread,
  yieldTurn,
} from '../../../src/plugin/index.ts'
import { type Environment, environmentText } from './environment.ts'
import { type PackageParts, zipped } from './zip.ts'

/** Max characters compressed on the request thread. */
const MAX_AT_ONCE = 131_072

const thread = new WorkThread<PackageParts, Uint8Array>(
  new URL(`./zip-thread${extname(import.meta.filename)}`, import.meta.url),
  { maxWaiting: 20, maxWait: 20_000, maxDuration: 10_000, maxHeap: 128 },
)

const FORMATS = {
  json: (environment: Environment) => runYielding(environmentText(environment)),
  // The oldest version in which the environment is valid.
  xml: (environment: Environment) => runYielding(aasXml({ ...environment }, '3/0')),
}

export type AasxFormat = keyof typeof FORMATS

/**
 * Compresses large environments in a worker thread (IDTA-01005).
 * @param id passport or unit ID, used as file name
 */
export async function aasxPackage(
  id: string,
  environment: Environment,
  format: AasxFormat,
  { countSlowWork }: Pick<RenderContext, 'countSlowWork'>,
): Promise<{ body: Uint8Array }> {
  const specification = `aasx/${id}/${id}.aas.${format}`
  const text = await FORMATS[format](environment)
  const parts = { ...AASX_HEAD, ...aasxOrigin([specification]), [specification]: text }
  if (text.length <= MAX_AT_ONCE) return { body: zipped(parts) }
  await countSlowWork?.()
  await yieldTurn()
  return { body: await thread.run(parts) }
}
