import { setImmediate } from 'node:timers/promises'
import { beginningOf, isRecord, type JsonRecord, runYielding } from '../../../../src/plugin/index.ts'
import { BODY_LIMITS, parseGuardedJsonYielding } from '../../../../src/plugin/module.ts'
import { readAasXml } from './aas-xml-reader.ts'
import { openPackage, type Parts, relationshipsOf } from './package.ts'
import { assertRowCount, type Remark, type Shell, TableError } from './table.ts'
import { WORKBOOK } from './xlsx-reader.ts'

const MAX_PARTS = 25_000
const MAX_ENVIRONMENT_BYTES = 16 * 1024 * 1024
const LIMITS = { ...BODY_LIMITS, keys: 1_000_000 }
const MAX_SHELL_CHARACTERS = 1024 * 1024
/** Limit for all environments (bytes) and all shells (characters, shared submodels counted repeatedly). */
const MAX_CHARACTERS = 512 * 1024 * 1024
const MAX_NAME_CHARACTERS = 200
const GO_SHELLS = 16

const ADVICE = 'Send it in parts.'
/** Version 2 tools use `www` (IDTA-01005 and predecessors). */
const RELATIONSHIPS = /^http:\/\/(?:www\.)?admin-shell\.io\/aasx\/relationships\/(.*)$/

interface AasxPackage {
  readonly remarks: readonly Remark[]
  shells(): AsyncGenerator<Shell>
}

/**
 * Opens an AASX package (IDTA-01005). Reads only environments, as JSON or XML, and never follows relationships out of the package.
 * @throws TableError for invalid or too large packages
 */
export async function openAasx(bytes: Buffer): Promise<AasxPackage> {
  const parts = await openPackage(bytes, { name: 'AASX package', maxParts: MAX_PARTS, advice: ADVICE })
  const origins = await follow(parts, '', 'aasx-origin')
  if (origins.length === 0) {
    throw new TableError(
      parts.has(WORKBOOK)
        ? 'The file is a workbook, not an AASX package. Send it as .xlsx.'
        : 'Invalid AASX package: no relationship of type aasx-origin. Export the file as AASX again.',
    )
  }
  const environments: string[] = []
  for (const origin of origins) environments.push(...(await follow(parts, origin, 'aas-spec')))
  if (environments.length === 0) {
    throw new TableError(
      `${shown(origins[0])} has no relationship of type aas-spec. Add an environment and export the package again.`,
    )
  }
  const known = new Set([...origins, ...environments].map((name) => name.toLowerCase()))
  const files = parts.names.filter(
    (name) => !known.has(name.toLowerCase()) && !/(?:\/|\.rels|^\[Content_Types\]\.xml)$/i.test(name),
  )
  return {
    remarks: files.map((name) => ({ code: 'FILES_IGNORED', place: shown(name) })),
    // A part may be referenced repeatedly, in different case.
    shells: () => shellsIn(parts, [...new Map(environments.map((name) => [name.toLowerCase(), name])).values()]),
  }
}

/** @throws TableError for targets that are external or missing */
async function follow(parts: Parts, source: string, type: string): Promise<string[]> {
  const relationships = await relationshipsOf(parts, source)
  return relationships
    .filter((relationship) => RELATIONSHIPS.exec(relationship.type)?.[1] === type)
    .map(({ target, part }) => {
      const from = source === '' ? 'The package' : shown(source)
      if (part === undefined)
        throw new TableError(`${from} refers to ${shown(target)} outside the package. Add the target to the package.`)
      if (!parts.has(part)) throw new TableError(`${from} refers to ${shown(target)}, which is missing in the package.`)
      return part
    })
}

async function* shellsIn(parts: Parts, environments: readonly string[]): AsyncGenerator<Shell> {
  let number = 0
  let characters = 0
  const taken = (more: number) => {
    characters += more
    if (characters > MAX_CHARACTERS) {
      throw new TableError(`The environments have more than ${MAX_CHARACTERS} characters in total. ${ADVICE}`)
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
  fault: `has ${characters} characters with its submodels. The maximum is ${MAX_SHELL_CHARACTERS} per passport.`,
})

interface Parsed {
  readonly document: unknown
  readonly characters: number
}

async function environmentIn(parts: Parts, part: string): Promise<Parsed | { readonly fault: string }> {
  const chunks: Buffer[] = []
  for await (const chunk of parts.bytes(part)) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  try {
    if (/^\ufeff?\s*</.test(bytes.toString('utf8', 0, 64))) {
      const { document, characters } = await runYielding(readAasXml(bytes))
      // XML omits empty lists.
      return { document: { assetAdministrationShells: [], submodels: [], ...document }, characters }
    }
    return { document: await parseGuardedJsonYielding(bytes, LIMITS), characters: bytes.length }
  } catch (error) {
    return { fault: (error as Error).message.replace(/^The (?:body|document|file)/, 'The environment') }
  }
}

interface Found {
  readonly name: string | undefined
  readonly characters: number
  readonly environment: unknown
}

/** Yields each shell with its referenced submodels; a single shell has all of them, as in single ingestion. */
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

function referencesOf(shell: unknown): string[] {
  const references = isRecord(shell) && Array.isArray(shell.submodels) ? shell.submodels : []
  return references
    .map((reference) => (Array.isArray(reference?.keys) ? reference.keys.at(-1)?.value : undefined))
    .filter((id) => typeof id === 'string')
}

const shown = (name: string | undefined) => beginningOf(name ?? '', MAX_NAME_CHARACTERS)
