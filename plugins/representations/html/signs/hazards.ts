import { dictionary } from '../../../../src/plugin/index.ts'
import type { Pictogram } from './drawings.ts'

type SignalWord = 'Danger' | 'Warning'

/** Label elements of a hazard statement; signal word `either` if the hazard category decides. */
interface LabelElements {
  readonly pictograms: readonly Pictogram[]
  readonly signalWord?: SignalWord | 'either'
}

/**
 * Regulation (EC) No 1272/2008, Annex I, tables 2.1.2 to 5.1. H221 has no pictogram here: only category 1B has one, and the code does not
 * state the category.
 */
const ROWS: readonly (readonly [codes: string, pictograms: string, signalWord?: LabelElements['signalWord']])[] = [
  ['H200 H201 H202 H203 H240', 'GHS01', 'Danger'],
  ['H204', 'GHS01', 'Warning'],
  ['H241', 'GHS01 GHS02', 'Danger'],
  ['H206 H222 H224 H225 H232 H250 H251 H260 H220', 'GHS02', 'Danger'],
  ['H208 H223 H226 H252', 'GHS02', 'Warning'],
  ['H207 H228 H242 H261', 'GHS02', 'either'],
  ['H270 H271', 'GHS03', 'Danger'],
  ['H272', 'GHS03', 'either'],
  ['H280 H281', 'GHS04', 'Warning'],
  ['H290', 'GHS05', 'Warning'],
  ['H314 H318', 'GHS05', 'Danger'],
  ['H300 H301 H310 H311 H330 H331', 'GHS06', 'Danger'],
  ['H302 H312 H315 H317 H319 H332 H335 H336 H420', 'GHS07', 'Warning'],
  ['H304 H334 H340 H350 H360 H370 H372', 'GHS08', 'Danger'],
  ['H341 H351 H361 H371 H373', 'GHS08', 'Warning'],
  ['H400 H410', 'GHS09', 'Warning'],
  ['H411', 'GHS09'],
  ['H205 EUH380 EUH430 EUH440 EUH441 EUH450 EUH451', '', 'Danger'],
  ['H229 EUH381 EUH431', '', 'Warning'],
  ['H221', '', 'either'],
]

const LABELS = dictionary<LabelElements>(
  Object.fromEntries(
    ROWS.flatMap(([codes, names, signalWord]) => {
      const pictograms = names.split(' ').filter((name) => name !== '') as Pictogram[]
      return codes.split(' ').map((code) => [code, { pictograms, signalWord }])
    }),
  ),
)

const plainCodes = (codes: Iterable<string>): string[] =>
  [...codes].flatMap((code) => code.split('+').map((part) => part.replace(/^([A-Z]+\d+)[A-Za-z]+$/, '$1')))

/** GHS07 hazards that other pictograms supersede. */
const IRRITATION = ['H315', 'H319']
const SENSITISATION_OR_IRRITATION = ['H317', ...IRRITATION]

/** Returns the pictograms by the precedence rules of Article 26. */
export function pictogramsOf(codes: Iterable<string>): Pictogram[] {
  const plain = plainCodes(codes)
  const found = new Set(plain.flatMap((code) => LABELS[code]?.pictograms ?? []))
  const yields = (code: string): boolean =>
    found.has('GHS06') ||
    (found.has('GHS05') && IRRITATION.includes(code)) ||
    (plain.includes('H334') && SENSITISATION_OR_IRRITATION.includes(code))
  const needsMark = plain.some((code) => LABELS[code]?.pictograms.includes('GHS07') && !yields(code))
  if (!needsMark) found.delete('GHS07')
  return [...found].sort()
}

/** Returns the graver signal word (Article 20); undefined if the codes do not determine it. */
export function signalWordOf(codes: Iterable<string>): SignalWord | undefined {
  const words = plainCodes(codes).map((code) => LABELS[code]?.signalWord)
  if (words.includes('Danger')) return 'Danger'
  return !words.includes('either') && words.includes('Warning') ? 'Warning' : undefined
}
