import { describe, expect, test } from 'vitest'
import { battery } from '../support/passport-client.ts'
import { givenSubjects, inDays } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

// A browser cannot set `Accept`: `?format=` offers every representation as a file.

const { gateway, workspace, passports } = await useGateway()

const EXTENSIONS = {
  aas: 'aas.json',
  aasx: 'aasx',
  'aasx-xml': 'aasx',
  'untp-vc-jwt': 'vc.jwt',
  'data-integrity': 'vc.json',
  'sd-jwt-vc': 'sd-jwt',
  html: 'html',
  jsonld: 'jsonld',
}

const mediaTypeOf = (name: string) =>
  gateway.container.cradle.plugins.representations.find((plugin) => plugin.name === name)?.mediaTypes[0] as string

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('a form that the address names', () => {
  test('is the one that Accept would give, as a file named after the address', async () => {
    const { passportId: id, gtin } = await givenSubjects(gateway, workspace)
    const names = gateway.container.cradle.plugins.representations.map(({ name }) => name)
    expect(names.filter((name) => name in EXTENSIONS).sort()).toEqual(Object.keys(EXTENSIONS).sort())
    for (const name of names) {
      const negotiated = await gateway.request('GET', `/passport/${id}`, { headers: { accept: mediaTypeOf(name) } })
      const taken = await gateway.request('GET', `/passport/${id}?format=${name}`, { headers: browser })
      expect([name, taken.status]).toEqual([name, 200])
      expect(taken.headers['content-type']).toBe(negotiated.headers['content-type'])
      expect(taken.headers.etag).toBe(negotiated.headers.etag)
      expect(taken.text).toBe(negotiated.text)
      expect(negotiated.headers['content-disposition']).toBeUndefined()
    }
    for (const [name, extension] of Object.entries(EXTENSIONS)) {
      const { headers } = await gateway.request('GET', `/01/${gtin}?lang=de&format=${name}`, { headers: browser })
      expect(headers['content-disposition']).toBe(`attachment; filename="passport-${gtin}.${extension}"`)
    }
  })

  test('is behind every link of the page of a passport and of a unit', async () => {
    const { passportId, unitId } = await givenSubjects(gateway, workspace)
    for (const address of [`/passport/${passportId}`, `/unit/${unitId}`]) {
      const { text } = await gateway.request('GET', address, { headers: browser })
      const links = [...text.matchAll(/href="(\?format=[^"]+)" download/g)].map(([, link = '']) => link)
      expect(links.length).toBeGreaterThan(4)
      for (const link of links) {
        const { status } = await gateway.request('GET', address + link.replaceAll('&amp;', '&'), { headers: browser })
        expect([address, link, status]).toEqual([address, link, 200])
      }
    }
  })

  test('review-3-users S8: is behind every button of a page that a token has opened, as its holder may see it, and so is its language', async () => {
    const { passportId, unitId } = await givenSubjects(gateway, workspace)
    for (const [address, scope] of [
      [`/passport/${passportId}`, { scopeType: 'PASSPORT', passportId }],
      [`/unit/${unitId}`, { scopeType: 'UNIT', batteryUnitId: unitId }],
    ] as const) {
      const { body } = await gateway.request('POST', '/api/v1/grants', {
        headers: workspace.as,
        json: { granteeName: 'A repairer', expiresAt: inDays(3), ...scope },
      })
      const open = (query: object) => {
        const parameters = new URLSearchParams({ grant: body.token, ...query })
        return gateway.request('GET', `${address}?${parameters}`, { headers: browser })
      }
      const { text } = await open({})
      const formats = [...text.matchAll(/<button form="granted-file" name="format" value="([\w-]+)"/g)]
      expect(formats.map(([, format]) => format)).toContain('jsonld')
      for (const [, format] of formats) {
        const { status, headers } = await open({ lang: 'en', format })
        expect([address, format, status, headers['x-access-tier']]).toEqual([address, format, 200, 'restricted'])
      }
      expect((await open({ lang: 'pl' })).text).toContain('<html lang="pl">')
    }
  })

  test('shows each caller its own tier', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const { body } = await gateway.request('GET', `/passport/${id}?format=jsonld`, { headers: workspace.as })
    const { body: seen } = await gateway.request('GET', `/passport/${id}?format=jsonld`)
    expect([JSON.stringify(body).includes('[REDACTED'), JSON.stringify(seen).includes('[REDACTED')]).toEqual([
      false,
      true,
    ])
  })

  test('of a unit is named after the unit', async () => {
    const { unitId } = await givenSubjects(gateway, workspace)
    const address = `/unit/${unitId}`
    const taken = await gateway.request('GET', `${address}?format=untp-vc-jwt`, { headers: browser })
    expect(taken.headers['content-disposition']).toBe(`attachment; filename="passport-${unitId}.vc.jwt"`)
    const unknown = await gateway.request('GET', `${address}?format=docx`)
    expect([unknown.status, unknown.body.message]).toEqual([400, expect.stringMatching(/^Unknown format\. /)])
  })

  test('an unknown format is rejected with the names of the others', async () => {
    const { id } = await passports.given({ metadata: battery() })
    for (const name of ['docx', '', 'JSONLD', '__proto__', 'constructor', encodeURIComponent('"\r\nX: y')]) {
      const { status, body, headers } = await gateway.request('GET', `/passport/${id}?format=${name}`)
      expect([name, status]).toEqual([name, 400])
      expect(body).toEqual({ error: 'Bad Request', message: expect.any(String) })
      expect(headers['content-disposition']).toBeUndefined()
    }
  })
})
