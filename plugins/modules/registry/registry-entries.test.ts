import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { expectStatus } from '../../../test/support/passport-client.ts'
import { useRegistry } from '../../../test/support/registration-client.ts'
import { whole } from '../../../test/support/registry.ts'

const { without, workspace, given } = await useRegistry()

describe('the file to upload', () => {
  const download = (ids: readonly string[], format: string) =>
    without.request('GET', `/api/v1/registry-entries?ids=${ids}&format=${format}`, { headers: workspace.as })

  test('has the entries in the order asked for, as JSON and as XML that says the same', async () => {
    const url = 'https://copies.example/?a=1&b=2#c'
    const first = await given({ metadata: whole({ backup: { url } }) })
    const second = await given()
    const ids = [second.id, first.id]
    const json = expectStatus(200, await download(ids, 'json'))
    expect(json.headers['content-disposition']).toBe('attachment; filename="registry-entries.json"')
    expect(json.body.map(({ upi }: { upi: string }) => upi)).toEqual([second.digitalLinkUri, first.digitalLinkUri])
    const xml = expectStatus(200, await download(ids, 'xml'))
    expect(xml.headers['content-type']).toContain('application/xml')
    const flat = json.body.map((entry: object) => Object.entries(entry).map(([name, value]) => [name, String(value)]))
    expect(readXml(xml.text)).toEqual(flat)
  })

  test('is refused for one passport that would be, which is named with its reason', async () => {
    const good = await given()
    const bad = await given({ metadata: whole({ commodityCode: undefined }) })
    const { status, body } = await download([good.id, bad.id], 'xml')
    expect(status).toBe(409)
    expect(body.errors).toEqual([expect.stringContaining(`${bad.id}: COMMODITY_CODE: Add the commodity code`)])
  })

  test.each(['', 'x', Array(101).fill('3f0c6a52-0000-4000-8000-000000000001').join()])(
    'is of 1 to 100 passports',
    async (ids) => {
      expect((await download([ids], 'json')).status).toBe(400)
    },
  )
})

/** Members of each entry, parsed by Python. */
function readXml(text: string): string[][][] {
  const program = `import json, sys, xml.etree.ElementTree as t
print(json.dumps([[[m.tag, m.text] for m in e] for e in t.fromstring(sys.stdin.buffer.read())]))`
  return JSON.parse(execFileSync('python3', ['-c', program], { input: text }).toString())
}
