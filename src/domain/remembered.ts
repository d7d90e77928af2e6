/** Longer texts are not kept: who writes them would choose how much memory is used. */
const MOST_CHARACTERS = 512

/**
 * A function that remembers what it has answered to the latest texts, and starts anew when it remembers `most`. Undefined
 * is not remembered, and nothing that it throws.
 * @param answer pure, so that nothing remembered can be out of date
 */
export function remembered<T>(most: number, answer: (text: string) => T): (text: string) => T {
  const answers = new Map<string, T>()
  return (text) => {
    const known = answers.get(text)
    if (known !== undefined) return known
    const fresh = answer(text)
    if (fresh === undefined || text.length > MOST_CHARACTERS) return fresh
    if (answers.size >= most) answers.clear()
    answers.set(text, fresh)
    return fresh
  }
}
