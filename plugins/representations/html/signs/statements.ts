import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dictionary } from '../../../../src/plugin/index.ts'

interface Sentence {
  readonly text: string
  readonly lang: string
}

type Sentences = Readonly<Record<string, string>>

const FOLDER = join(import.meta.dirname, 'statements')
const LANGUAGES = readdirSync(FOLDER).map((file) => file.slice(0, -'.json'.length))
const cache = new Map<string, Sentences>()

// `lang` is input: only files of the folder are read and cached.
function sentencesIn(lang: string): Sentences {
  const cached = cache.get(lang)
  if (cached !== undefined) return cached
  const isListed = LANGUAGES.includes(lang)
  const sentences = dictionary<string>(isListed ? JSON.parse(readFileSync(join(FOLDER, `${lang}.json`), 'utf8')) : {})
  if (isListed) cache.set(lang, sentences)
  return sentences
}

function sentenceOf(code: string, sentences: Sentences): string | undefined {
  const own = sentences[code]
  if (own !== undefined || !code.includes('+')) return own
  const parts = code.split('+').map((part) => sentences[part])
  return parts.includes(undefined) ? undefined : parts.join(' ')
}

/**
 * Returns the official sentence of a hazard or precautionary statement, or a signal word (Regulation (EC) No 1272/2008, Annexes III and IV,
 * Article 2). Falls back to English; undefined for an unknown code.
 * @param code such as `H315`, `P301+P310` or `Danger`
 * @param lang with or without region
 */
export function officialSentence(code: string, lang: string): Sentence | undefined {
  for (const language of [(lang.split('-')[0] as string).toLowerCase(), 'en']) {
    const text = sentenceOf(code, sentencesIn(language))
    if (text !== undefined) return { text, lang: language }
  }
  return undefined
}

/** True if the words are the official sentence in any language, ignoring case and punctuation. */
export function isOfficial(code: string, words: string): boolean {
  const given = normalized(words)
  return LANGUAGES.some((lang) => normalized(sentenceOf(code, sentencesIn(lang)) ?? '') === given)
}

const normalized = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\d]+/gu, ' ')
    .trim()

const CODE = /^((?:EUH|H|P)\d{3}[A-Za-z]{0,2}(?: ?\+ ?(?:EUH|H|P)\d{3}[A-Za-z]{0,2}){0,5})(?![\p{L}\d])[\s:.,–-]*/u

/** Undefined without a leading code. */
export function splitStatement(statement: string): { readonly code: string; readonly words: string } | undefined {
  const [all, code] = CODE.exec(statement) ?? []
  if (all === undefined || code === undefined) return undefined
  return { code: code.replaceAll(' ', ''), words: statement.slice(all.length).trim() }
}
