import { ZipDeflate } from 'fflate'
import { AASX_HEAD, aasxOrigin } from '../domain/aasx-parts.ts'
import { ZipPieces } from '../domain/zip-pieces.ts'

/** Characters of shells and submodels that one environment has at most, unless the first shell alone has more; a reader parses it as a whole. */
const MOST_CHARACTERS = 4 * 1024 * 1024

/** The environment of one shell. */
interface Environment {
  readonly assetAdministrationShells: readonly object[]
  readonly submodels: readonly object[]
}

/**
 * An AASX package (IDTA-01005) in pieces, with as few environments as hold all shells: many tools open the first alone. No
 * shell is asked for before somebody takes the pieces of the one before it.
 */
export async function* writeAasx(environments: AsyncIterable<Environment>): AsyncGenerator<Uint8Array> {
  const zip = new ZipPieces()
  const put = (name: string, text: string) =>
    zip.begin(new ZipDeflate(name, { level: 6 })).push(Buffer.from(text), true)
  const names: string[] = []
  let shells: string[] = []
  let submodels: string[] = []
  let characters = 0
  const putEnvironment = () => {
    if (shells.length === 0) return
    names.push(`aasx/catalogue/${names.length + 1}.aas.json`)
    put(
      names.at(-1) as string,
      `{"assetAdministrationShells":[${shells.join(',')}],"submodels":[${submodels.join(',')}]}`,
    )
    shells = []
    submodels = []
    characters = 0
  }
  for (const [name, text] of Object.entries(AASX_HEAD)) put(name, text)
  for await (const environment of environments) {
    const own = environment.assetAdministrationShells.map((shell) => JSON.stringify(shell))
    const theirs = environment.submodels.map((submodel) => JSON.stringify(submodel))
    const length = [...own, ...theirs].reduce((sum, text) => sum + text.length, 0)
    if (characters + length > MOST_CHARACTERS) putEnvironment()
    shells.push(...own)
    submodels.push(...theirs)
    characters += length
    yield* zip.taken()
  }
  putEnvironment()
  for (const [name, text] of Object.entries(aasxOrigin(names))) put(name, text)
  yield* zip.end()
}
