import { answersOf, assertEqual, type Case } from '../bench.ts'
import { textile } from '../data.ts'
import { COUNTER, makeRequest, numbered } from '../http.ts'

/** A caller who changes a Content-Type parameter with each request must neither fill a cache nor cost more. */
const hostile: Case = {
  name: 'hostile-content-type',
  ours: 'validate-only with another Content-Type parameter each time',
  against: 'the same with one Content-Type',
  async prepare({ data, startGateway }) {
    const gateway = await startGateway()
    const body = JSON.stringify({ productId: 'BENCH-1', metadata: textile })
    const path = '/api/v1/passports/validate-only'
    const ask = (number: string) =>
      makeRequest(
        'POST',
        path,
        { Authorization: data.authorization, 'Content-Type': `application/json; x=${number}` },
        body,
      )
    const constant = [ask(COUNTER.replaceAll('#', '0'))]
    const varying = [ask(COUNTER)]
    const checked = varying.map((request) => numbered(request, 999_999_999))
    assertEqual(await answersOf(gateway, checked, 200), await answersOf(gateway, constant, 200))
    return {
      baseline: { server: gateway, requests: constant, status: 200 },
      ours: { server: gateway, requests: varying, status: 200 },
    }
  },
}

export default [hostile]
