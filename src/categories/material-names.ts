import { LABELS } from './material-labels.ts'
import { MATERIALS } from './materials.ts'

interface Named {
  readonly name: string
  readonly languages: string[]
}

export const labelOf = (name: string, language: string): string | undefined =>
  language === 'en' ? name : LABELS.get(language)?.[name]

/** Translates a stated material; undefined if the reader's language uses the same spelling. */
export function materialLabel(stated: string, language: string): string | undefined {
  if (stated.length > MAX_CHARACTERS) return undefined
  names ??= index()
  const found = names.get(normal(stated))
  return found === undefined || found.languages.includes(language) ? undefined : labelOf(found.name, language)
}

const MAX_CHARACTERS = 120

const normal = (name: string): string => name.normalize('NFC').trim().toLowerCase().replace(/\s+/g, ' ')

let names: ReadonlyMap<string, Named> | undefined

function index(): ReadonlyMap<string, Named> {
  const found = new Map<string, Named>()
  const ambiguous = new Set<string>()
  const add = (spelling: string, name: string, language: string) => {
    const key = normal(spelling)
    const known = found.get(key)
    if (known === undefined) found.set(key, { name, languages: [language] })
    else if (known.name === name) known.languages.push(language)
    else if (!known.languages.includes('en')) ambiguous.add(key)
  }
  const curated = MATERIALS.filter(({ kind }) => kind !== 'hazard')
  for (const { name, synonyms } of curated) {
    for (const spelling of [...spellings(name), ...inverted(name), ...synonyms]) add(spelling, name, 'en')
  }
  for (const [language, labels] of LABELS) {
    for (const { name } of curated)
      for (const spelling of spellings(labels[name] ?? name)) add(spelling, name, language)
  }
  for (const key of ambiguous) found.delete(key)
  return found
}

/** Returns `Polycarbonate (PC)`, `Polycarbonate` and `PC`. */
function spellings(name: string): string[] {
  const [, long, short] = /^([^()]+) \(([^()]+)\)$/.exec(name) ?? []
  return long === undefined || short === undefined ? [name] : [name, long, short]
}

/** Converts `Cotton, organic` to `organic cotton`. */
function inverted(name: string): string[] {
  const [, thing, kind] = /^([^,()]+), ([^,()]+)$/.exec(name) ?? []
  return thing === undefined ? [] : [`${kind} ${thing}`]
}
