import { strToU8, type Zippable, zipSync } from 'fflate'
import type { Environment } from './environment.ts'

const RELATIONSHIPS = 'http://admin-shell.io/aasx/relationships'
const ORIGIN = '/aasx/aasx-origin'

/** The earliest date that a ZIP can hold, in the local time that ZIP is written in: the same input gives the same bytes. */
const MTIME = new Date(1980, 0, 1)

/**
 * An environment as an AASX package (IDTA-01005): a ZIP by the Open Packaging Conventions (ISO/IEC 29500-2),
 * in which the root leads to the origin, and the origin to the environment in JSON.
 * @param id of the passport or of the unit, by which the file is named
 */
export function aasxPackage(id: string, environment: Environment): Uint8Array {
  const specification = `/aasx/${id}/${id}.aas.json`
  const parts: Readonly<Record<string, string>> = {
    '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="json" ContentType="application/json"/><Override PartName="${ORIGIN}" ContentType="text/plain"/></Types>`,
    '_rels/.rels': relationship('aasx-origin', ORIGIN),
    'aasx/aasx-origin': 'Intentionally empty.',
    'aasx/_rels/aasx-origin.rels': relationship('aas-spec', specification),
    [specification.slice(1)]: JSON.stringify(environment),
  }
  const files: Zippable = {}
  for (const [name, text] of Object.entries(parts)) files[name] = strToU8(text)
  return zipSync(files, { mtime: MTIME })
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>'

const relationship = (type: string, target: string) =>
  `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="R1" Type="${RELATIONSHIPS}/${type}" Target="${target}"/></Relationships>`
