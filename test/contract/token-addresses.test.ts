import { beforeAll, describe, expect, test } from 'vitest'
import { absentSubjects, givenSubjects, inDays, type Subjects, sampleCalls } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace } = await useGateway()
const { contract, grants } = gateway.container.cradle
const isPublicGet = ({ isPublic, method }: { isPublic: boolean; method: string }) => isPublic && method === 'GET'
const operations = [...contract.operations.values()].filter(isPublicGet).map(({ operationId }) => operationId)

let subjects: Subjects
/** A valid, a revoked and an unknown token. */
let tokens: readonly string[]

beforeAll(async () => {
  subjects = await givenSubjects(gateway, workspace)
  const issue = () => grants.issueAuthority({ scope: 'TENANT', target: workspace.id, expires: inDays(1) })
  const [valid, revoked] = [await issue(), await issue()]
  await gateway.request('DELETE', `/api/v1/grants/${revoked.id}`, { headers: workspace.as })
  tokens = [valid.token, revoked.token, `dpp_li_${'0'.repeat(32)}`]
})

describe('review-3-security S7', () => {
  test.each(operations)('no cache and no Referer header keeps the address of %s with a token', async (operationId) => {
    const statuses = new Set<number>()
    for (const on of [subjects, absentSubjects()]) {
      const { path } = sampleCalls(on)[operationId] as { path: string }
      const mark = path.includes('?') ? '&' : '?'
      const [valid, ...others] = tokens.map((token) => `grant=${token}`)
      const queries = [valid, ...others, `GRANT=x`, `%67rant=x`, 'grant[]=x', 'grant=x&grant=y', `${valid}&q=%00`]
      const more = ['version=1', 'linkType=all', 'linkType=linkset', 'format=pdf', 'lang=de', 'x=1']
      const plain = [...queries, ...more.map((one) => `${one}&${valid}`)].map((query) => [query, {}] as const)
      const conditions = [{ accept: 'text/html' }, { 'if-none-match': '*' }]
      for (const [query, headers] of [...plain, ...conditions.map((sent) => [valid, sent] as const)]) {
        const address = `${path}${mark}${query}`
        const answer = await gateway.client.send('GET', address, { headers })
        statuses.add(answer.status)
        const { 'cache-control': cacheControl, 'referrer-policy': referrerPolicy } = answer.headers
        expect([address, answer.status, cacheControl, referrerPolicy]).toEqual([
          address,
          answer.status,
          'private, no-store',
          'no-referrer',
        ])
      }
    }
    expect(statuses.size).toBeGreaterThan(0)
  })
})
