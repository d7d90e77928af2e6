import { expect, test } from 'vitest'
import { searchExpensiveRequests } from '../support/expensive-requests.ts'
import { longRun, recordRun } from '../support/long-runs.ts'

// `npm run expensive` searches longer or for other shapes.
const REQUESTS = Number(process.env.EXPENSIVE_REQUESTS ?? 10)
const SEED = Number(process.env.EXPENSIVE_SEED ?? 20_261_126)
const MINUTES = Number(process.env.EXPENSIVE_MINUTES ?? Number.POSITIVE_INFINITY)
/** Processor time of one event-loop tick in milliseconds; a short run allows for a slow machine. */
const isShort = process.env.EXPENSIVE_MINUTES === undefined
const MAX_MS = isShort ? 150 : 50

test('review-3-security S2: no anonymous request keeps the event loop busy', { timeout: 0 }, async () => {
  const { count, result } = await longRun('expensive', { requests: REQUESTS, seed: SEED, minutes: MINUTES }, (run) =>
    searchExpensiveRequests(run, SEED, isShort ? MAX_MS : 0),
  )
  const rows = [...result].map(
    ([operation, { milliseconds, request }]) => `${milliseconds.toFixed(0).padStart(4)} ms  ${operation}  ${request}`,
  )
  console.log(rows.join('\n'))
  expect([...result].filter(([, { milliseconds }]) => milliseconds > MAX_MS)).toEqual([])
  recordRun({ what: 'expensive', tried: `${count.toLocaleString('en')} anonymous requests`, seed: SEED })
})
