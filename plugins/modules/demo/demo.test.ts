import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { startDemoGateway } from '../../../test/support/demo-gateway.ts'

const { gateway, as, close } = await startDemoGateway()
afterAll(close)

const pageAt = async (path: string, headers: Record<string, string> = {}) => {
  const { status, text } = await gateway.request('GET', path, { headers: { accept: 'text/html', ...headers } })
  expect(status).toBe(200)
  return text
}

describe('review-3-users S1: the demo shows the page that the README promises', () => {
  test.each([
    [
      '/01/09506000134352',
      'Nordlicht Drive 64',
      'tel:+4948215550178',
      'service@nordlicht.example',
      'nordlicht.example',
    ],
    ['/01/09501101530003', 'Rivage overshirt', 'tel:+33199001234', 'bonjour@rivage.example', 'rivage.example'],
  ])('%s', async (path, name, phone, email, website) => {
    const page = await pageAt(path)
    expect(page).toContain(name)
    const maker = /<li class="answer"><h2>[^/]*#maker.*?<\/li><\/ul><\/li>/s.exec(page)?.[0] ?? ''
    for (const part of [`href="${phone}"`, `href="mailto:${email}"`, website]) expect(maker).toContain(part)
    expect(page).toMatch(/<h3 class="seal-title">Sealed on /)
    const [, src = ''] = /<figure class="portrait"><img [^>]*src="([^"]+)"/.exec(page) ?? []
    const picture = await fetch(gateway.origin + src)
    expect(await sharp(Buffer.from(await picture.arrayBuffer())).metadata()).toMatchObject({
      format: 'webp',
      width: 960,
    })
    const alternative = /<img [^>]*alt="(Drawing of the [^"]+)"/.exec(page)?.[1]
    expect(alternative).toBeDefined()
  })

  test('the draft has a picture too, for its owner', async () => {
    const { body } = await gateway.request('GET', '/api/v1/passports?category=electronics', { headers: as })
    const { text } = await gateway.request('GET', `/passport/${body.passports[0].id}`, {
      headers: { accept: 'text/html', ...as },
    })
    expect(text).toContain('Drawing of the energy manager')
  })
})

test('review-3-users O1: the number on the page of the demo is that of its history, and is answered', async () => {
  for (const path of ['/01/09506000134352', '/01/09501101530003']) {
    const page = await pageAt(path)
    const [, number] = /<dt>Version<\/dt><dd>\s*(\d+)\s*<\/dd>/.exec(page) ?? []
    const [, id] = /\/passport\/([0-9a-f-]{36})/.exec(page) ?? []
    const history = await gateway.request('GET', `/api/v1/passports/${id}/history`, { headers: as })
    expect(number).toBe(String(history.body.versions[0].version))
    expect((await gateway.request('GET', `/passport/${id}?version=${number}`)).status).toBe(200)
  }
})
