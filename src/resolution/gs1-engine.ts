import { bwip, elementText } from '../carriers/matrix.ts'
import { isGtin14 } from '../domain/identifiers.ts'

type Raw = (options: { bcid: string; text: string; parse?: boolean }) => unknown

/** Loads the library lazily: a single GTIN never needs it. */
const drawn: Raw = (options) => bwip().raw(options)

declare module '../cradle.ts' {
  interface Cradle {
    gs1Engine: Gs1Engine
  }
}

// GS1 General Specifications figure 7.11-1: the widest character set of any application identifier.
const CHARACTER_SET_82 = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]*$/
// The largest Data Matrix symbol holds 1,555 bytes.
const MAX_TEXT_CHARACTERS = 1_400
// GS1 General Specifications 3.5.2.
const MAX_SERIAL_CHARACTERS = 20
// The engine rejects a serial number without a product.
const ANY_GTIN = '09506000134352'

/**
 * Validates element strings with bwip-js. It exports no separate checker, so a symbol is encoded and discarded (0.8 to 1.8 ms): cheap
 * checks come first. Linear symbologies skip rules about required identifiers.
 */
export class Gs1Engine {
  readonly #raw: Raw

  constructor(raw = drawn) {
    this.#raw = raw
  }

  /** Returns errors in technical English. */
  checkElementString(pairs: readonly (readonly [ai: string, value: string])[]): string[] {
    if (pairs.length === 0) return ['The application identifier is missing.']
    const problems = pairs.flatMap(([ai, value]) => ownFindings(ai, value))
    if (problems.length > 0) return problems
    // The usual case; its rules are digits and check digit.
    if (pairs.length === 1 && pairs[0]?.[0] === '01' && isGtin14(pairs[0][1])) return []
    // With a GTIN, a serial number needs only character set 82, validated above.
    const [gtin, serial, ...others] = pairs
    const isSerial = gtin?.[0] === '01' && serial?.[0] === '21' && others.length === 0
    if (isSerial && isGtin14(gtin[1]) && serial[1].length >= 1 && serial[1].length <= MAX_SERIAL_CHARACTERS) return []
    return this.#check({ bcid: 'gs1datamatrix', text: elementText(pairs), parse: true })
  }

  checkSerial(serialNumber: string): string[] {
    return this.checkElementString([
      ['01', ANY_GTIN],
      ['21', serialNumber],
    ])
  }

  #check(options: Parameters<Raw>[0]): string[] {
    try {
      this.#raw(options)
      return []
    } catch (error) {
      const problem = problemFrom(error)
      if (problem === undefined) throw error
      return [problem]
    }
  }
}

export default function gs1Engine(): Gs1Engine {
  return new Gs1Engine()
}

/** Checks rules that the engine does not enforce or would misread. */
function ownFindings(ai: string, value: string): string[] {
  if (!/^[0-9]{2,4}$/.test(ai)) return [`AI ${ai}: unrecognised`]
  if (value.length > MAX_TEXT_CHARACTERS) return [`AI ${ai}: too long`]
  if (!CHARACTER_SET_82.test(value)) return [`AI ${ai}: invalid character for character set 82`]
  // The engine accepts all zeros.
  if (ai === '01' && /^[0-9]+$/.test(value)) {
    if (value.length !== 14) return ['AI 01: must have 14 digits']
    if (!isGtin14(value)) return ['AI 01: bad check digit']
  }
  return []
}

/** Parses `bwipp.GS1badChecksum#3251: AI 01: Bad checksum`; undefined for unexpected errors. */
function problemFrom(error: unknown): string | undefined {
  const text = error instanceof Error ? error.message : String(error)
  return /^bwipp\.\w+#\d+: (.*)$/s.exec(text)?.[1]
}
