import { answersOf, assertEqual, type Case, pairOf } from '../bench.ts'
import { textile } from '../data.ts'
import { makeRequest, without } from '../http.ts'
import type { ParseAnswerOptions } from '../limits/parse-answer.ts'

const validate: Case = {
  name: 'validate-only',
  ours: 'check a textile passport of 1.4 KB, authorised, store nothing',
  against: 'the body parsed, and the same response over node:http',
  asksDatabase: true,
  async prepare({ data, startGateway, startLimit }) {
    const gateway = await startGateway()
    const headers = { Authorization: data.authorization, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ productId: 'BENCH-1', metadata: textile })
    const requests = [makeRequest('POST', '/api/v1/passports/validate-only', headers, body)]
    const answers = await answersOf(gateway, requests, 200)
    const limit = await startLimit('parse-answer', {
      headers: without(answers[0]?.rawHeaders ?? [], 'content-length'),
      body: answers[0]?.body ?? Buffer.alloc(0),
    } satisfies ParseAnswerOptions)
    assertEqual(answers, await answersOf(limit, requests, 200))
    return pairOf(limit, gateway, requests)
  },
}

export default [validate]
