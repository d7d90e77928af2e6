import type { IncomingHttpHeaders } from 'node:http'
import { expect } from 'vitest'
import type { Answer } from './contract-client.ts'

let addresses = 0
export const newAddress = () => {
  addresses += 1
  return { 'x-forwarded-for': `198.18.${addresses >> 8}.${addresses & 255}` }
}

export const repeat = async (times: number, call: () => Promise<Answer>): Promise<Answer[]> => {
  const answers: Answer[] = []
  for (let count = 0; count < times; count += 1) answers.push(await call())
  return answers
}

export const limitsOf = (headers: IncomingHttpHeaders) => ({
  limit: headers['x-ratelimit-limit'],
  remaining: headers['x-ratelimit-remaining'],
})

export const NONE = { limit: undefined, remaining: undefined }

export function expectRefusal({ status, headers, body }: Answer, limit: number, more: object = {}): void {
  expect([status, limitsOf(headers)]).toEqual([429, { limit: String(limit), remaining: '0' }])
  const seconds = Number(headers['retry-after'])
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
  expect(headers['x-ratelimit-reset']).toBe(headers['retry-after'])
  expect(body).toEqual({
    statusCode: 429,
    ...more,
    error: 'Too Many Requests',
    message: `Rate limit exceeded, retry in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`,
  })
}
