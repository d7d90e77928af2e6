import { setImmediate } from 'node:timers/promises'
import { BODY_LIMITS, parseGuardedJsonYielding } from '../domain/json-guard.ts'
import { isRecord, type JsonRecord } from '../domain/record.ts'
import { beginningOf } from '../domain/text.ts'
import { runYielding } from '../domain/yielding.ts'
import { readAasXml } from './aas-xml-reader.ts'
import { openPackage, type Parts, relationshipsOf } from './package.ts'
import { assertRowCount, type Remark, type Shell, TableError } from './table.ts'
import { WORKBOOK } from './xlsx-reader.ts'

/** Parts of the package, of which each environment is one. */
const MAX_PARTS = 25_000
/** Bytes of one environment, which is parsed as a whole. */
const MAX_ENVIRONMENT_BYTES = 16 * 1024 * 1024
const LIMITS = { ...BODY_LIMITS, keys: 1_000_000 }
/** Of one shell with its submodels. */
const MAX_SHELL_CHARACTERS = 1024 * 1024
/** Bytes of all environments, and characters of all shells, each with what it shares with others. */
const MAX_CHARACTERS = 512 * 1024 * 1024
/** What is told of a name that somebody else has chosen. */
const MAX_NAME_CHARACTERS = 200
/** Shells between which others have a turn. */
const GO_SHELLS = 16

const ADVICE = 'Send it in parts.'
/** Tools of the second version say `www` (IDTA-01005, and its predecessors). */
const RELATIONSHIPS = /^http:\/\/(?:www\.)?admin-shell\.io\/aasx\/relationships\/(.*)$/

/** A package, whose shells are read as often as one likes. */
interface AasxPackage {
  readonly remarks: readonly Remark[]
  shells(): AsyncGenerator<Shell>
}

/**
 * Opens an AASX package (IDTA-01005), whose relationships lead from the root to the origin and from there to the environments. These are
 * read as JSON or XML; files beside them are not, nor is anything to which a relationship leads out of the package.
 * @throws TableError for what is no such package, and for one that is larger than it may be
 */
export async function openAasx(bytes: Buffer): Promise<AasxPackage> {
  const parts = await openPackage(bytes, { name: 'AASX package', mostParts: MAX_PARTS, advice: ADVICE })
  const origins = await follow(parts, '', 'aasx-origin')
  if (origins.length === 0) {
    throw new TableError(
      parts.has(WORKBOOK)
        ? 'The file is a workbook, and no AASX package. Send it as .xlsx.'
        : 'The file is no AASX package: no relationship of it leads to an aasx-origin. Write it again as AASX.',
    )
  }
  const environments: string[] = []
  for (const origin of origins) environments.push(...(await follow(parts, origin, 'aas-spec')))
  if (environments.length === 0) {
    throw new TableError(`${shown(origins[0])} leads to no environment. Put one in, and write the package again.`)
  }
  const known = new Set([...origins, ...environments].map((name) => name.toLowerCase()))
  const files = parts.names.filter(
    (name) => !known.has(name.toLowerCase()) && !/(?:\/|\.rels|^\[Content_Types\]\.xml)$/i.test(name),
  )
  return {
    remarks: files.map((name) => ({ code: 'FILES_IGNORED', place: shown(name) })),
    // The same part may be named twice, and in other letters.
    shells: () => shellsIn(parts, [...new Map(environments.map((name) => [name.toLowerCase(), name])).values()]),
  }
}

/** The parts to which relationships of this type lead. @throws TableError where one leads out of the package, or nowhere */
async function follow(parts: Parts, source: string, type: string): Promise<string[]> {
  const relationships = await relationshipsOf(parts, source)
  return relationships
    .filter((relationship) => RELATIONSHIPS.exec(relationship.type)?.[1] === type)
    .map(({ target, part }) => {
      const from = source === '' ? 'The package' : shown(source)
      if (part === undefined) throw new TableError(`${from} leads out of the file, to ${shown(target)}. Put it in.`)
      if (!parts.has(part)) throw new TableError(`${from} leads to ${shown(target)}, which is not in the file.`)
      return part
    })
}

async function* shellsIn(parts: Parts, environments: readonly string[]): AsyncGenerator<Shell> {
  let number = 0
  let characters = 0
  const taken = (more: number) => {
    characters += more
    if (characters > MAX_CHARACTERS) {
      throw new TableError(`The environments have more than ${MAX_CHARACTERS} characters together. ${ADVICE}`)
    }
  }
  for (const part of environments) {
    const size = parts.sizeOf(part)
    if (size > MAX_ENVIRONMENT_BYTES) {
      throw new TableError(`${shown(part)} has more than ${MAX_ENVIRONMENT_BYTES} bytes. ${ADVICE}`)
    }
    taken(size)
    const environment = await environmentIn(parts, part)
    for (const read of 'fault' in environment ? [environment] : shellsOf(environment)) {
      number += 1
      assertRowCount(number)
      if (number % GO_SHELLS === 0) await setImmediate()
      const { name, ...shell } = { name: undefined, characters: 0, ...read }
      taken(shell.characters)
      const place = name === undefined ? shown(part) : `${shown(part)}, ${shown(name)}`
      yield { number, place, ...(shell.characters > MAX_SHELL_CHARACTERS ? tooLong(shell) : shell) }
    }
  }
}

const tooLong = ({ characters }: { readonly characters: number }) => ({
  characters: 0,
  fault: `has ${characters} characters with its submodels, and ${MAX_SHELL_CHARACTERS} are the most that one passport has.`,
})

/** An environment, and how many characters its JSON has. */
interface Parsed {
  readonly document: unknown
  readonly characters: number
}

/** What is wrong with one environment says nothing of the others. */
async function environmentIn(parts: Parts, part: string): Promise<Parsed | { readonly fault: string }> {
  const chunks: Buffer[] = []
  for await (const chunk of parts.bytes(part)) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  try {
    if (/^\ufeff?\s*</.test(bytes.toString('utf8', 0, 64))) {
      const { document, characters } = await runYielding(readAasXml(bytes))
      // XML leaves out a list without elements.
      return { document: { assetAdministrationShells: [], submodels: [], ...document }, characters }
    }
    return { document: await parseGuardedJsonYielding(bytes, LIMITS), characters: bytes.length }
  } catch (error) {
    return { fault: (error as Error).message.replace(/^The (?:body|document|file)/, 'The environment') }
  }
}

/** A shell as it stands in its environment. */
interface Found {
  readonly name: string | undefined
  readonly characters: number
  readonly environment: unknown
}

/**
 * Each shell with the submodels to which it refers. One that is alone has all of them: it need not refer to any, as where it is
 * ingested by itself.
 */
function* shellsOf({ document, characters: size }: Parsed): Generator<Found> {
  const shells = isRecord(document) ? document.assetAdministrationShells : undefined
  const submodels = isRecord(document) ? document.submodels : undefined
  if (!Array.isArray(shells) || shells.length < 2 || !Array.isArray(submodels)) {
    yield { name: Array.isArray(shells) ? nameOf(shells[0]) : undefined, characters: size, environment: document }
    return
  }
  const byId = Map.groupBy(submodels.filter(isRecord), ({ id }) => id)
  const lengths = new Map<JsonRecord, number>()
  const lengthOf = (submodel: JsonRecord) => {
    const length = lengths.get(submodel) ?? JSON.stringify(submodel).length
    lengths.set(submodel, length)
    return length
  }
  for (const shell of shells) {
    const own = [...new Set(referencesOf(shell))].flatMap((id) => byId.get(id) ?? [])
    const characters = own.reduce((sum, submodel) => sum + lengthOf(submodel), JSON.stringify(shell).length)
    yield { name: nameOf(shell), characters, environment: { assetAdministrationShells: [shell], submodels: own } }
  }
}

const nameOf = (shell: unknown): string | undefined =>
  isRecord(shell) ? [shell.idShort, shell.id].find((name) => typeof name === 'string') : undefined

/** The ids of the submodels to which a shell refers: the value of each reference's last key. */
function referencesOf(shell: unknown): string[] {
  const references = isRecord(shell) && Array.isArray(shell.submodels) ? shell.submodels : []
  return references
    .map((reference) => (Array.isArray(reference?.keys) ? reference.keys.at(-1)?.value : undefined))
    .filter((id) => typeof id === 'string')
}

const shown = (name: string | undefined) => beginningOf(name ?? '', MAX_NAME_CHARACTERS)
