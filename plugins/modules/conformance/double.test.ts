import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { linesOf } from './report.ts'
import { startService } from './testing/clean-service.ts'
import { PLANTED } from './testing/planted-faults.ts'
import { runAgainst } from './testing/run-against.ts'

const service = await startService()
afterEach(() => service.plant(undefined))
afterAll(() => service.close())

const isFound = ({ verdict }: { verdict: string }) => verdict === 'fail' || verdict === 'warn'

test('a correct service that is not the gateway has no fault and no warning', async () => {
  const { results } = await runAgainst(service)
  expect(results.filter(isFound).flatMap(linesOf)).toEqual([])
  expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(300)
})

describe('a planted fault', () => {
  test('exists at least 60 times', () => expect(PLANTED.length).toBeGreaterThanOrEqual(60))

  test.each(PLANTED.map((fault) => [fault.title, fault] as const))('%s', async (_, { finds, change }) => {
    service.plant(change)
    const { results } = await runAgainst(service, { only: [finds] })
    expect(results.filter(isFound).map(({ check }) => check.id)).toContain(finds)
  })
})
