import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { loadContexts } from '../../../src/plugin/loader.ts'
import { countsOf, linesOf, skippedLines } from './report.ts'
import { type RunOptions, runChecks } from './run.ts'
import { GRANT } from './testing/clean-documents.ts'
import { startService } from './testing/clean-service.ts'
import { PLANTED } from './testing/planted-faults.ts'

const service = await startService()
afterEach(() => service.plant(undefined))
afterAll(() => service.close())
const contexts = loadContexts([])

const run = (more: Partial<RunOptions> = {}) =>
  runChecks({
    url: service.documents.link,
    api: `${service.base}/v1`,
    grant: GRANT,
    allowLocalhost: true,
    isWriting: true,
    contexts,
    tell: () => {},
    ...more,
  })

describe('a correct service that is not the gateway', () => {
  test('has no fault and no warning', async () => {
    const { results, requests } = await run()
    const faults = results.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    console.log(countsOf(results), requests, skippedLines(results))
    expect(faults.flatMap(linesOf)).toEqual([])
  })
})

describe('a planted fault is found', () => {
  test.skipIf(true).each(PLANTED.map((fault) => [fault.finds, fault.title, fault] as const))(
    'by %s: %s',
    async (finds, _, fault) => {
      service.plant(fault.change)
      const { results } = await run({ only: [finds.split('.', 1)[0] as string] })
      const found = results
        .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
        .map(({ check }) => check.id)
      expect(found).toContain(finds)
    },
  )
})
