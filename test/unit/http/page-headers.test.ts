import { expect, test } from 'vitest'
import { pageHeaders } from '../../../src/http/rendition-response.ts'

const policyOf = (body: string | Uint8Array) => pageHeaders(body)['Content-Security-Policy']
const stating = (policy: string) => `<meta http-equiv="Content-Security-Policy" content="${policy}">`

test('a page is sent with the policy that it states first, and cannot be framed', () => {
  const page = `<!doctype html>${stating('default-src &#39;none&#39;; img-src data:')}<p>ä</p>${stating('default-src *')}`
  const sent = "default-src 'none'; img-src data:; frame-ancestors 'none'"
  expect([policyOf(page), policyOf(Buffer.from(page))]).toEqual([sent, sent])
})

test('a page that states none, late, or without an end may load nothing', () => {
  for (const page of ['', '<p>', `${' '.repeat(3000)}${stating('default-src *')}`, stating('x'.repeat(3000))]) {
    expect(policyOf(page)).toBe("default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
  }
})
