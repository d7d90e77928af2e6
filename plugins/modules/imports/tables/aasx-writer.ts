import { ZipDeflate } from 'fflate'
import { AASX_HEAD, aasxOrigin, runYielding } from '../../../../src/plugin/index.ts'
import { type AasXmlVersion, aasXmlAround, aasXmlOf, ZipPieces } from '../../../../src/plugin/module.ts'

/** Limit per environment (readers parse it as a whole); a larger single shell is allowed. */
const MAX_CHARACTERS = 4 * 1024 * 1024

interface Environment {
  readonly assetAdministrationShells: readonly object[]
  readonly submodels: readonly object[]
}

export type AasxFormat = 'json' | 'xml-3.0' | 'xml-3.1'

interface Serializer {
  readonly extension: string
  textOf(name: 'assetAdministrationShell' | 'submodel', object: object): string | Promise<string>
  around(shells: readonly string[], submodels: readonly string[]): string
}

const xml = (version: AasXmlVersion): Serializer => ({
  extension: 'xml',
  textOf: (name, object) => runYielding(aasXmlOf(name, object)),
  around: (assetAdministrationShells, submodels) => aasXmlAround({ assetAdministrationShells, submodels }, version),
})

const SERIALIZERS: Readonly<Record<AasxFormat, Serializer>> = {
  json: {
    extension: 'json',
    textOf: (_, object) => JSON.stringify(object),
    around: (shells, submodels) =>
      `{"assetAdministrationShells":[${shells.join(',')}],"submodels":[${submodels.join(',')}]}`,
  },
  'xml-3.0': xml('3/0'),
  'xml-3.1': xml('3/1'),
}

/**
 * Streams an AASX package (IDTA-01005), pulling one shell at a time, with as few environments as possible: many tools read only the first.
 */
export async function* writeAasx(
  environments: AsyncIterable<Environment>,
  format: AasxFormat = 'json',
): AsyncGenerator<Uint8Array> {
  const { extension, textOf, around } = SERIALIZERS[format]
  const zip = new ZipPieces()
  const put = (name: string, text: string) =>
    zip.begin(new ZipDeflate(name, { level: 6 })).push(Buffer.from(text), true)
  const names: string[] = []
  let shells: string[] = []
  let submodels: string[] = []
  let characters = 0
  const putEnvironment = () => {
    if (shells.length === 0) return
    names.push(`aasx/catalogue/${names.length + 1}.aas.${extension}`)
    put(names.at(-1) as string, around(shells, submodels))
    shells = []
    submodels = []
    characters = 0
  }
  for (const [name, text] of Object.entries(AASX_HEAD)) put(name, text)
  for await (const environment of environments) {
    const own = await Promise.all(
      environment.assetAdministrationShells.map((shell) => textOf('assetAdministrationShell', shell)),
    )
    const theirs = await Promise.all(environment.submodels.map((submodel) => textOf('submodel', submodel)))
    const length = [...own, ...theirs].reduce((sum, text) => sum + text.length, 0)
    if (characters + length > MAX_CHARACTERS) putEnvironment()
    shells.push(...own)
    submodels.push(...theirs)
    characters += length
    yield* zip.taken()
  }
  putEnvironment()
  for (const [name, text] of Object.entries(aasxOrigin(names))) put(name, text)
  yield* zip.end()
}
