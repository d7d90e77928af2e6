import { strToU8, type Zippable, zipSync } from 'fflate'
import { AASX_HEAD, aasxOrigin } from '../../../src/plugin/index.ts'
import type { Environment } from './environment.ts'

/** The earliest date that a ZIP can hold, in the local time that ZIP is written in: the same input gives the same bytes. */
const MTIME = new Date(1980, 0, 1)

/**
 * An environment as an AASX package (IDTA-01005).
 * @param id of the passport or of the unit, by which the file is named
 */
export function aasxPackage(id: string, environment: Environment): Uint8Array {
  const specification = `aasx/${id}/${id}.aas.json`
  const parts = { ...AASX_HEAD, ...aasxOrigin([specification]), [specification]: JSON.stringify(environment) }
  const files: Zippable = {}
  for (const [name, text] of Object.entries(parts)) files[name] = strToU8(text)
  return zipSync(files, { mtime: MTIME })
}
