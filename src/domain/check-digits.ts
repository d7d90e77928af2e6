export const weighted = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0)

/** Doubles every second digit from `first`; two-digit results count as their digit sum. */
export function sumDoubling(digits: string, first: number): number {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[index])
    const isDoubled = (index - first) % 2 === 0
    sum += isDoubled ? Math.floor(digit / 5) + ((digit * 2) % 10) : digit
  }
  return sum
}

/** Luhn (ISO/IEC 7812-1, Annex B). */
export const luhnValid = (digits: string): boolean => sumDoubling(digits, digits.length % 2) % 10 === 0

/** ISO/IEC 7064 MOD 97-10, check digits included. */
export function mod97Valid(text: string): boolean {
  let rest = 0
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

/** ISO/IEC 7064 MOD 11,10. */
export function mod11And10Valid(digits: string): boolean {
  let product = 10
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10 === Number(digits.at(-1))
}
