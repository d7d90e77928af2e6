import { isGtin14 } from '../domain/identifiers.ts'

/** What is wrong with GS1 data, in our words: the engine's own codes change with its versions. */
export type Gs1ProblemCode =
  | 'CHECK_DIGIT'
  | 'LENGTH'
  | 'CHARSET'
  | 'LEADING_ZERO'
  | 'ORDER'
  | 'MISSING_AI'
  | 'EXCLUSIVE_AI'
  | 'REPEATED_AI'
  | 'UNKNOWN_AI'
  | 'ENCODING'
  | 'NO_KEY'
  | 'VALUE'

export interface Gs1Problem {
  readonly code: Gs1ProblemCode
  /** The application identifier concerned, when the engine names one. */
  readonly ai?: string
  /** Technical English. */
  readonly message: string
}

type Raw = (options: { bcid: string; text: string; parse?: boolean }) => unknown

// Engine code → ours; every other complaint of the engine is about a value (dates, countries, percentages).
const CODES: Readonly<Record<string, Gs1ProblemCode>> = {
  GS1badChecksum: 'CHECK_DIGIT',
  GS1badAlphaCheckCharacters: 'CHECK_DIGIT',
  GS1valueTooShort: 'LENGTH',
  GS1valueTooLong: 'LENGTH',
  GS1tooShort: 'LENGTH',
  GS1alphaTooShort: 'LENGTH',
  GS1alphaTooLong: 'LENGTH',
  GS1gcpTooShort: 'LENGTH',
  datamatrixInputTooLong: 'LENGTH',
  gs1datamatrixinputTooLong: 'LENGTH',
  GS1notNumeric: 'CHARSET',
  GS1badCSET82character: 'CHARSET',
  GS1badCSET39character: 'CHARSET',
  GS1badCSET64character: 'CHARSET',
  GS1zeroRequired: 'LEADING_ZERO',
  GS1dlBadPathInfo: 'ORDER',
  GS1dlInvalidDataAttribute: 'ORDER',
  GS1dlAttributeMustBeQualifier: 'ORDER',
  GS1missingAIs: 'MISSING_AI',
  GS1exclusiveAIs: 'EXCLUSIVE_AI',
  GS1repeatedDifferingAIs: 'REPEATED_AI',
  GS1unknownAI: 'UNKNOWN_AI',
  GS1dlBadHexCharacter: 'ENCODING',
  GS1dlNoAIinfo: 'NO_KEY',
  GS1dlMissingDomainOrPathInfo: 'NO_KEY',
}

// GS1 General Specifications figure 7.11-1: the widest character set that any application identifier allows.
const CHARACTER_SET_82 = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]*$/
// The largest Data Matrix symbol, which is what the engine checks with, holds 1,555 bytes.
const MAX_TEXT_LENGTH = 1_400

/**
 * GS1 conformance of element strings and Digital Link paths, judged by the GS1 syntax rules inside bwip-js. The library
 * does not export its checker alone, so a symbol is encoded and thrown away (0.8 to 1.8 ms): cheap checks come first. The
 * Data Matrix forms are used because the linear symbologies skip the rules about required identifiers.
 */
export class Gs1Engine {
  readonly #raw: Raw

  private constructor(raw: Raw) {
    this.#raw = raw
  }

  /** Loads the engine on first need: the import costs 41 ms and 12 MB. */
  static async load(): Promise<Gs1Engine> {
    const { default: bwip } = await import('bwip-js')
    return new Gs1Engine(bwip.raw)
  }

  /** Problems of an element string given as pairs of application identifier and value; empty when it conforms. */
  checkElementString(pairs: readonly (readonly [ai: string, value: string])[]): Gs1Problem[] {
    if (pairs.length === 0) return [{ code: 'NO_KEY', message: 'There is no application identifier.' }]
    const problems = pairs.flatMap(([ai, value]) => ownFindings(ai, value))
    if (problems.length > 0) return problems
    // `(` would open the next identifier. In parse mode ^NNN stands for a character, and no value can hold a `^` itself.
    const text = pairs.map(([ai, value]) => `(${ai})${value.replaceAll('(', '^040')}`).join('')
    return this.#judge({ bcid: 'gs1datamatrix', text, parse: true })
  }

  /**
   * Problems of the raw path of a Digital Link URI, percent-encoded as received and with its query if there is one; empty
   * when it conforms. Parameters that are no application identifier are nobody's business here, and a trailing slash is
   * a path without a key: whoever tolerates it removes it first.
   */
  checkDigitalLinkPath(path: string): Gs1Problem[] {
    const [beforeQuery, query] = cutAt(path.split('#', 1)[0] as string, '?')
    const attributes = query.split('&').filter((parameter) => /^[0-9]+=/.test(parameter))
    const text = `https://gs1.example${beforeQuery}${attributes.length > 0 ? `?${attributes.join('&')}` : ''}`
    if (text.length > MAX_TEXT_LENGTH) return [{ code: 'LENGTH', message: 'The link is too long.' }]
    // The engine takes half an escape literally; RFC 3986 §2.1 knows no such thing.
    if (/%(?![0-9A-Fa-f]{2})/.test(text)) return [{ code: 'ENCODING', message: 'A percent-encoding is malformed.' }]

    const segments = beforeQuery.split('/')
    const problems = segments.flatMap((segment, at) => {
      // Pairs count from the end, behind any stem: `01` may also be the value of a qualifier.
      if (segment !== '01' || (segments.length - at) % 2 !== 0) return []
      const value = decodeBytes(segments[at + 1] as string)
      return /^[0-9]+$/.test(value) ? ownFindings('01', value) : []
    })
    return problems.length > 0 ? problems : this.#judge({ bcid: 'gs1dldatamatrix', text })
  }

  #judge(options: Parameters<Raw>[0]): Gs1Problem[] {
    try {
      this.#raw(options)
      return []
    } catch (error) {
      const problem = problemFrom(error)
      if (!problem) throw error
      return [problem]
    }
  }
}

/** What we judge ourselves, because the engine is more lenient or would misread the text. */
function ownFindings(ai: string, value: string): Gs1Problem[] {
  if (!/^[0-9]{2,4}$/.test(ai)) return [{ code: 'UNKNOWN_AI', ai, message: `AI ${ai}: unrecognised` }]
  if (value.length > MAX_TEXT_LENGTH) return [{ code: 'LENGTH', ai, message: `AI ${ai}: too long` }]
  if (!CHARACTER_SET_82.test(value)) {
    return [{ code: 'CHARSET', ai, message: `AI ${ai}: invalid character for character set 82` }]
  }
  // The engine pads GTINs of 8, 12 and 13 digits in a link, where the GS1 Digital Link URI syntax demands 14; and it takes
  // all zeros, which is nobody's number.
  if (ai === '01' && /^[0-9]+$/.test(value)) {
    if (value.length !== 14) return [{ code: 'LENGTH', ai, message: 'AI 01: must have 14 digits' }]
    if (!isGtin14(value)) return [{ code: 'CHECK_DIGIT', ai, message: 'AI 01: bad check digit' }]
  }
  return []
}

/** Engine messages read `bwipp.GS1badChecksum#3251: AI 01: Bad checksum`; anything else is a fault and no verdict. */
function problemFrom(error: unknown): Gs1Problem | undefined {
  const text = error instanceof Error ? error.message : String(error)
  const match = /^bwipp\.(\w+)#\d+: (.*)$/s.exec(text)
  if (!match) return undefined
  const [, engineCode = '', message = ''] = match
  const ai = /\bAIs? \(?(\d{2,4})\b/.exec(message)?.[1]
  const code = Object.hasOwn(CODES, engineCode) ? (CODES[engineCode] as Gs1ProblemCode) : 'VALUE'
  return { code, ...(ai === undefined ? {} : { ai }), message }
}

// Bytes and not UTF-8: what is no ASCII is refused by character set 82 in any case.
function decodeBytes(segment: string): string {
  return segment.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function cutAt(text: string, separator: string): [before: string, after: string] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
