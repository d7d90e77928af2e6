/**
 * A function that remembers what it has answered to the latest texts, and starts anew when it remembers `most`.
 * @param answer pure, so that nothing remembered can be out of date; what it throws is not remembered
 */
export function remembered<T>(most: number, answer: (text: string) => T): (text: string) => T {
  const answers = new Map<string, T>()
  return (text) => {
    const known = answers.get(text)
    if (known !== undefined) return known
    const fresh = answer(text)
    if (answers.size >= most) answers.clear()
    answers.set(text, fresh)
    return fresh
  }
}
