import { dictionary } from '../../../src/plugin/index.ts'
import { digitsOfAi, type Elements } from './element-string.ts'

/** Fixed digits, or at most n digits or characters. */
type Part = readonly ['digits' | 'number' | 'text', number]

const FORMATS = dictionary<readonly Part[]>({
  '01': [['digits', 14]],
  10: [['text', 20]],
  20: [['digits', 2]],
  21: [['text', 20]],
  22: [['text', 20]],
  30: [['number', 8]],
  37: [['number', 8]],
  8003: [
    ['digits', 14],
    ['text', 16],
  ],
  ...Object.fromEntries(['11', '12', '13', '15', '16', '17'].map((ai) => [ai, [['digits', 6]]])),
})

/** AI sequences by code (GS1 Digital Link: compression, table of optimisations). */
const SEQUENCES = dictionary<readonly string[]>({
  '0A': ['01', '22'],
  '0B': ['01', '10'],
  '0C': ['01', '21'],
  '0D': ['01', '17'],
  '0F': ['01', '30'],
  // Order in GS1's own toolkit.
  '1A': ['01', '10', '17', '21'],
  '1B': ['01', '15'],
  '1C': ['01', '11'],
  '1D': ['01', '16'],
  '1F': ['01', '10', '15'],
  // The second AI is unsupported.
  ...Object.fromEntries(
    ['2A', '2B', '2C', '2D', '2E', '2F', '3A', '3B', '3C', '3D', '3E', '3F'].map((code) => [code, ['01', '']]),
  ),
})

const HEX = '0123456789abcdef'
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const MAX_CHARACTERS = 200

const lengthBits = (maxLength: number) => Math.ceil(Math.log2(maxLength) + 0.01)
const valueBits = (digits: number) => Math.ceil(digits * Math.log2(10) + 0.01)

/**
 * Decodes a compressed GS1 Digital Link up to the first unsupported element.
 * @param segment last path segment
 * @returns undefined if no element is found
 */
export function decompress(segment: string): Elements | undefined {
  if (!/^[\w-]{10,}$/.test(segment) || segment.length > MAX_CHARACTERS) return undefined
  const bits = Array.from(segment, (character) => BASE64.indexOf(character).toString(2).padStart(6, '0')).join('')
  const elements = new Map<string, string>()
  let at = 0
  const take = (count: number) => {
    const taken = bits.slice(at, at + count)
    at += count
    return taken.length === count ? BigInt(`0b${taken || '0'}`) : undefined
  }
  while (bits.length - at > 8) {
    const ais = nextAis(take)
    for (const ai of ais ?? []) {
      const value = FORMATS[ai]?.map((part) => valueIn(part, take)).reduce(joined)
      if (value === undefined || elements.has(ai)) return found()
      elements.set(ai, value)
    }
    if (ais === undefined) return found()
  }
  return found()

  function found() {
    return elements.size === 0 ? undefined : elements
  }
}

type Take = (bits: number) => bigint | undefined

const joined = (all: string | undefined, one: string | undefined) =>
  all === undefined || one === undefined ? undefined : all + one

function nextAis(take: Take): readonly string[] | undefined {
  const prefix = take(8)?.toString(16).padStart(2, '0').toUpperCase() ?? ''
  const digits = digitsOfAi(prefix)
  if (digits === undefined) return SEQUENCES[prefix]
  let ai = prefix
  while (ai.length < digits) ai += take(4)?.toString(16)
  return [ai]
}

function valueIn([kind, maxLength]: Part, take: Take): string | undefined {
  if (kind === 'digits') return take(valueBits(maxLength))?.toString().padStart(maxLength, '0')
  const encoding = kind === 'number' ? 0n : take(3)
  const length = Number(take(lengthBits(maxLength)) ?? Number.NaN)
  if (Number.isNaN(length)) return undefined
  if (encoding === 0n) return take(valueBits(length))?.toString()
  const characterOf = CHARACTERS[Number(encoding)]
  const characters = Array.from({ length }, () => characterOf?.(take))
  return characters.reduce(joined, '')
}

const characterIn = (alphabet: string) => (take: Take) => {
  const index = take(Math.log2(alphabet.length))
  return index === undefined ? undefined : alphabet[Number(index)]
}

const CHARACTERS: readonly (((take: Take) => string | undefined) | undefined)[] = [
  undefined,
  characterIn(HEX),
  characterIn(HEX.toUpperCase()),
  characterIn(BASE64),
  (take) => {
    const code = take(7)
    return code === undefined ? undefined : String.fromCharCode(Number(code))
  },
]
