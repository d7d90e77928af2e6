/** So that the one that has waited longest has waited for the reading of as many requests, and no more. */
const MOST_BUNCHED = 8

/**
 * Does what comes in one turn of the event loop together: the first at once, and the others one right after the other, as the
 * turn ends or `MOST_BUNCHED` of them are there. Answers that are written between the reading of requests wake
 * their receiver one by one, which is a sixth of what they cost (docs/measurements.md); and whoever asks alone is not kept waiting.
 */
export function bunched<Item>(act: (item: Item) => void): (item: Item) => void {
  let waiting: Item[] = []
  let isTurn = false

  function actOnAll(): void {
    const all = waiting
    waiting = []
    for (const item of all) act(item)
  }

  function endTurn(): void {
    isTurn = false
    actOnAll()
  }

  return (item) => {
    if (!isTurn) {
      isTurn = true
      setImmediate(endTurn)
      act(item)
      return
    }
    waiting.push(item)
    if (waiting.length === MOST_BUNCHED) actOnAll()
  }
}
