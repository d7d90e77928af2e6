import { LABELS } from './material-labels.ts'
import { MATERIALS } from './materials.ts'

/** What a name of a material stands for. */
interface Named {
  /** The curated name, in English. */
  readonly name: string
  /** In which it is a name of the material. */
  readonly languages: string[]
}

/** The curated name in another language; undefined for a language, or a name, that there is none for. */
export const labelOf = (name: string, language: string): string | undefined =>
  language === 'en' ? name : LABELS.get(language)?.[name]

/**
 * The label of what a passport states, in any case and in any language that the vocabulary has, in the language of a
 * reader. Undefined for what is not in the vocabulary, and for what the reader's language calls so already.
 */
export function materialLabel(stated: string, language: string): string | undefined {
  if (stated.length > MAX_CHARACTERS) return undefined
  names ??= index()
  const found = names.get(normal(stated))
  return found === undefined || found.languages.includes(language) ? undefined : labelOf(found.name, language)
}

const MAX_CHARACTERS = 120

const normal = (name: string): string => name.normalize('NFC').trim().toLowerCase().replace(/\s+/g, ' ')

// Made when a page first asks: whoever only writes passports has no use for it.
let names: ReadonlyMap<string, Named> | undefined

function index(): ReadonlyMap<string, Named> {
  const found = new Map<string, Named>()
  const ambiguous = new Set<string>()
  const add = (spelling: string, name: string, language: string) => {
    const key = normal(spelling)
    const known = found.get(key)
    if (known === undefined) found.set(key, { name, languages: [language] })
    else if (known.name === name) known.languages.push(language)
    // English names come first and stay: the vocabulary is written in English.
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

/** `Polycarbonate (PC)` as it is, without what is in brackets, and that alone. */
function spellings(name: string): string[] {
  const [, long, short] = /^([^()]+) \(([^()]+)\)$/.exec(name) ?? []
  return long === undefined || short === undefined ? [name] : [name, long, short]
}

/** `Cotton, organic` as people write it: `organic cotton`. */
function inverted(name: string): string[] {
  const [, thing, kind] = /^([^,()]+), ([^,()]+)$/.exec(name) ?? []
  return thing === undefined ? [] : [`${kind} ${thing}`]
}
