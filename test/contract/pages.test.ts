import { describe, expect, test } from 'vitest'
import { PUBLIC_CACHING } from '../support/answer-rules.ts'
import { newGtin } from '../support/gateway.ts'
import { battery } from '../support/passport-client.ts'
import { inDays } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()

const get = (path: string) => gateway.request('GET', path, { headers: { Accept: 'text/html' } })

test('the form for access names the product, and its mistakes in the title', async () => {
  const { id } = await passports.given({ metadata: battery({ productName: 'Cell <b>block</b>' }) })
  const page = await get(`/request-access?passport=${id}&lang=en`)
  expect(page.text).toContain('Cell &lt;b&gt;block&lt;/b&gt;')
  expect(page.text).toContain('<title>Request access')
  const form = { granteeName: '', granteeEmail: 'x' }
  const sent = await gateway.request('POST', `/request-access?passport=${id}&lang=en`, { form })
  expect(sent.status).toBe(400)
  expect(sent.text).toContain('<title>Error: Request access')
  expect(sent.text).toContain('href="#granteeName"')
})

describe('an access link that holds no longer', () => {
  const open = (path: string, accept = 'text/html') => gateway.request('GET', path, { headers: { Accept: accept } })

  test('is reported on the page, which is for this reader only', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const path = `/passport/${id}?lang=en&grant=dpp_li_${'x'.repeat(43)}`
    const page = await open(path)
    expect(page.status).toBe(200)
    expect(page.text).toContain('This access link no longer works')
    expect(page.text).toContain(`/request-access?passport=${id}&amp;lang=en`)
    expect(page.headers['x-access-tier']).toBe('public')
    expect(page.headers['cache-control']).toContain('no-store')
    for (const other of [`/passport/${id}?lang=en`]) {
      const { text, headers } = await open(other)
      expect(text).not.toContain('This access link no longer works')
      expect(headers['cache-control']).toBe(PUBLIC_CACHING)
    }
    // The data are public, but the address contains a token and must not be cached.
    const json = await open(path, 'application/ld+json')
    expect([json.status, json.headers['cache-control'], json.headers['x-access-tier']]).toEqual([
      200,
      'private, no-store',
      'public',
    ])
  })

  test('is not reported for a valid link', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const json = { granteeName: 'R', scopeType: 'PASSPORT', passportId: id, expiresAt: inDays(10) }
    const { body } = await gateway.request('POST', '/api/v1/grants', { headers: workspace.as, json })
    const { text, headers } = await open(`/passport/${id}?lang=en&grant=${body.token}`)
    expect([headers['x-access-tier'], text.includes('This access link no longer works')]).toEqual(['restricted', false])
  })
})

describe('a page for an address without an answer', () => {
  test('repeats what was asked for, says which digit is wrong, and leads to the front page', async () => {
    const wrong = await get('/01/09506000134353?lang=en')
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('<bdi>09506000134353</bdi>')
    expect(wrong.text).toContain('The last digit (check digit) is wrong')
    expect(wrong.text).toContain('href="/?q=09506000134352&amp;lang=en"')
    expect(wrong.text).toContain('href="/?lang=en"')
    const absent = await get(`/01/${newGtin()}?lang=en`)
    expect([absent.status, absent.text.includes('No passport here')]).toEqual([404, true])
  })

  test('speaks of a page where no passport was asked for', async () => {
    const { status, text } = await get(`/no/${encodeURIComponent('"><script>x</script>')}${'y'.repeat(200)}?lang=en`)
    expect(status).toBe(404)
    expect(text).toContain('No page here')
    expect(text).not.toContain('No passport here')
    expect(text).not.toContain('<script>x')
    expect(text).not.toContain('y'.repeat(120))
  })

  test('stays as it was for software, and empty for HEAD', async () => {
    const json = await gateway.request('GET', '/no/page', { headers: { Accept: 'application/json' } })
    expect(json.body).toEqual({ statusCode: 404, error: 'Not Found', message: 'No operation at GET /no/page.' })
    const head = await gateway.request('HEAD', '/01/09506000134353', { headers: { Accept: 'text/html' } })
    expect([head.status, head.text]).toEqual([400, ''])
  })
})

test('the vocabulary is a page for people, and data for those who ask for data', async () => {
  const page = await get('/ns/dpp')
  expect(page.text).toContain('id="merkleRoot"')
  const data = await gateway.request('GET', '/ns/dpp', { headers: { Accept: 'application/ld+json' } })
  expect(data.body['@graph'].length).toBeGreaterThan(10)
})
