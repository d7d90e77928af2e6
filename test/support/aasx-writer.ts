import { type Zippable, zipSync } from 'fflate'
import { type AasXmlVersion, aasXml } from '../../src/domain/aas-xml.ts'

const TYPES = 'http://admin-shell.io/aasx/relationships'

/** Relationships as another tool writes them: types and targets. */
export const relationships = (...each: readonly (readonly [type: string, target: string, mode?: string])[]): string =>
  `<?xml version="1.0" encoding="utf-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each
    .map(
      ([type, target, mode]) =>
        `<Relationship Type="${type.startsWith('http') ? type : `${TYPES}/${type}`}" Target="${target}"${mode === undefined ? '' : ` TargetMode="${mode}"`} Id="R${Math.random()}" />`,
    )
    .join('')}</Relationships>`

export function xmlOf(environment: object, version: AasXmlVersion = '3/0'): string {
  const steps = aasXml({ ...environment }, version)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** A package of environments by part name, and other parts; undefined leaves a part out. */
export function aasxOf(
  environments: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, string | Uint8Array | undefined>> = {},
): Buffer {
  const parts: Record<string, string | Uint8Array | undefined> = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relationships(['aasx-origin', '/aasx/aasx-origin']),
    'aasx/aasx-origin': '',
    'aasx/_rels/aasx-origin.rels': relationships(
      ...Object.keys(environments).map((name) => ['aas-spec', `/${name}`] as const),
    ),
    ...Object.fromEntries(
      Object.entries(environments).map(([name, content]) => [
        name,
        typeof content === 'string' ? content : JSON.stringify(content),
      ]),
    ),
    ...more,
  }
  const files: Zippable = {}
  for (const [name, content] of Object.entries(parts)) {
    if (content !== undefined) files[name] = typeof content === 'string' ? Buffer.from(content) : content
  }
  return Buffer.from(zipSync(files))
}

export const environmentOf = (...metadata: readonly Readonly<Record<string, string>>[]) => ({
  assetAdministrationShells: metadata.map((_, index) => ({
    modelType: 'AssetAdministrationShell',
    id: `urn:x:shell:${index}`,
    idShort: `Shell_${index}`,
    assetInformation: { assetKind: 'Type' },
    submodels: [{ type: 'ModelReference', keys: [{ type: 'Submodel', value: `urn:x:submodel:${index}` }] }],
  })),
  submodels: metadata.map((members, index) => ({
    modelType: 'Submodel',
    id: `urn:x:submodel:${index}`,
    idShort: 'ComplianceMetadata',
    submodelElements: Object.entries(members).map(([idShort, value]) => ({
      modelType: 'Property',
      idShort,
      valueType: 'xs:string',
      value,
    })),
  })),
})
