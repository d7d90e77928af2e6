/** Representatives of character classes. */
const CANDIDATES = [...'aAbzZ019 \n\t-_.,:;/\\@+=<>{}()[]"\'%&#!?*$^|~kexE', '\u00e9', '\u200e', '\u0001', '😀']
/** UTF-16 code units per text. */
const LENGTH = 40_000

/**
 * Texts on which a pattern may be slow, derived from it: its characters and class samples repeated singly and in pairs;
 * prefixes of matches with one place repeated; each with an end that does not match.
 */
export function* hostileTexts({ source, flags }: RegExp): Iterable<string> {
  const samples = atomsOf(source).map((atom) => samplesOf(atom, flags))
  const known = samples.filter((sample) => sample.length > 0)
  const characters = [...new Set(known.flat())].slice(0, 12)
  for (const first of characters) {
    yield filled('', first)
    for (const second of characters.slice(0, 6)) yield filled('', first + second)
  }
  let prefix = ''
  for (const [character = '', other = ''] of known.slice(0, 60)) {
    yield filled(prefix, character)
    if (other !== '') yield filled(prefix, other)
    prefix += character
    yield filled('', prefix)
  }
}

const filled = (prefix: string, part: string) =>
  `${`${prefix}${part.repeat(Math.ceil(LENGTH / part.length))}`.slice(0, LENGTH)}\u0001`

/** Single characters and classes of a pattern in order, without groups, anchors and repetition. */
function atomsOf(source: string): string[] {
  const atom =
    /\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[^bBk0-9]|\[(?:\\.|[^\]\\])*\]|\(\?<?[:=!]|\{\d+(?:,\d*)?\}|./gs
  return [...source.matchAll(atom)]
    .map(([found]) => found)
    .filter((found) => !/^(?:\(\?<?[:=!]|\{\d+(?:,\d*)?\}|[()|?*+^$])$/.test(found))
}

/** Up to two matching characters, as different as the candidates allow. */
function samplesOf(atom: string, flags: string): string[] {
  let matches: RegExp
  try {
    matches = new RegExp(`^(?:${atom})$`, flags.replace(/[gy]/g, ''))
  } catch {
    return []
  }
  const own = atom.startsWith('[') ? [...atom.slice(1, -1)] : [atom.replace(/^\\(?=\W)/, '')]
  const fitting = [...new Set([...CANDIDATES, ...own])].filter((character) => matches.test(character))
  return fitting.length > 1 ? [fitting[0] as string, fitting.at(-1) as string] : fitting
}
