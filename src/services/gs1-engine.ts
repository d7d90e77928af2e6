import { bwip, elementText } from '../carriers/matrix.ts'
import { isGtin14 } from '../domain/identifiers.ts'

type Raw = (options: { bcid: string; text: string; parse?: boolean }) => unknown

/** A GTIN alone never needs the library. */
const drawn: Raw = (options) => bwip().raw(options)

declare module '../cradle.ts' {
  interface Cradle {
    gs1Engine: Gs1Engine
  }
}

// GS1 General Specifications figure 7.11-1: the widest character set that any application identifier allows.
const CHARACTER_SET_82 = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]*$/
// The largest Data Matrix symbol, which is what the engine checks with, holds 1,555 bytes.
const MAX_TEXT_CHARACTERS = 1_400
// GS1 General Specifications 3.5.2.
const MAX_SERIAL_CHARACTERS = 20
// A serial number alone is refused: it needs the product. Which one makes no difference to it.
const ANY_GTIN = '09506000134352'

/**
 * GS1 conformance of element strings, judged by the GS1 syntax rules inside bwip-js. The library does not export its
 * checker alone, so a symbol is encoded and thrown away (0.8 to 1.8 ms): cheap checks come first. The Data Matrix form is
 * used because the linear symbologies skip the rules about required identifiers.
 */
export class Gs1Engine {
  readonly #raw: Raw

  constructor(raw = drawn) {
    this.#raw = raw
  }

  /**
   * What is wrong with an element string, given as pairs of application identifier and value: technical English, empty
   * when it conforms.
   */
  checkElementString(pairs: readonly (readonly [ai: string, value: string])[]): string[] {
    if (pairs.length === 0) return ['There is no application identifier.']
    const problems = pairs.flatMap(([ai, value]) => ownFindings(ai, value))
    if (problems.length > 0) return problems
    // Of a GTIN alone the rules ask for digits and their check digit, which is most of what is asked at all.
    if (pairs.length === 1 && pairs[0]?.[0] === '01' && isGtin14(pairs[0][1])) return []
    // And beside a GTIN for a serial number of character set 82, which is judged already, up to this length.
    const [gtin, serial, ...others] = pairs
    const isSerial = gtin?.[0] === '01' && serial?.[0] === '21' && others.length === 0
    if (isSerial && isGtin14(gtin[1]) && serial[1].length >= 1 && serial[1].length <= MAX_SERIAL_CHARACTERS) return []
    return this.#judge({ bcid: 'gs1datamatrix', text: elementText(pairs), parse: true })
  }

  /** What is wrong with a serial number (AI 21), whatever the product is that it stands beside. */
  checkSerial(serialNumber: string): string[] {
    return this.checkElementString([
      ['01', ANY_GTIN],
      ['21', serialNumber],
    ])
  }

  #judge(options: Parameters<Raw>[0]): string[] {
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

/** The one engine of the process. */
export default function gs1Engine(): Gs1Engine {
  return new Gs1Engine()
}

/** What we judge ourselves, because the engine is more lenient or would misread the text. */
function ownFindings(ai: string, value: string): string[] {
  if (!/^[0-9]{2,4}$/.test(ai)) return [`AI ${ai}: unrecognised`]
  if (value.length > MAX_TEXT_CHARACTERS) return [`AI ${ai}: too long`]
  if (!CHARACTER_SET_82.test(value)) return [`AI ${ai}: invalid character for character set 82`]
  // The engine takes all zeros, which is nobody's number.
  if (ai === '01' && /^[0-9]+$/.test(value)) {
    if (value.length !== 14) return ['AI 01: must have 14 digits']
    if (!isGtin14(value)) return ['AI 01: bad check digit']
  }
  return []
}

/** Engine messages read `bwipp.GS1badChecksum#3251: AI 01: Bad checksum`; anything else is a fault and no verdict. */
function problemFrom(error: unknown): string | undefined {
  const text = error instanceof Error ? error.message : String(error)
  return /^bwipp\.\w+#\d+: (.*)$/s.exec(text)?.[1]
}
