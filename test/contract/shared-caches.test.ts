import { describe, expect, test } from 'vitest'
import { PUBLIC_CACHING } from '../support/answer-rules.ts'
import { cutOff } from '../support/faults.ts'
import { bearer, newGtin, textile } from '../support/gateway.ts'
import { battery, expectStatus } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway({ LOG_LEVEL: 'silent' })

const read = (path: string, headers: Record<string, string> = {}) => gateway.request('GET', path, { headers })
const tagsOf = (headers: Record<string, unknown>) => [headers['surrogate-key'], headers['cache-tag']]

describe('review-3-scale S3', () => {
  test('a shared cache may store public renditions, under the names by which they change', async () => {
    const productId = newGtin()
    const { id } = await passports.given({ productId, metadata: textile() })
    for (let count = 0; count < 3; count += 1) {
      const { headers } = expectStatus(200, await read(`/passport/${id}`))
      expect(headers['cache-control']).toBe(PUBLIC_CACHING)
      expect(tagsOf(headers)).toEqual([`dpp ${id}`, `dpp,${id}`])
      const linked = expectStatus(200, await read(`/01/${productId}`))
      expect(tagsOf(linked.headers)).toEqual([`dpp ${productId} ${id}`, `dpp,${productId},${id}`])
    }
  })

  test('only pages vary by language and encoding', async () => {
    const { id } = await passports.given({ metadata: textile() })
    const varyOf = async (accept: string) => (await read(`/passport/${id}`, { accept })).headers.vary
    expect(await varyOf('application/ld+json')).toBe('Accept, Authorization')
    expect(await varyOf('application/asset-administration-shell+json')).toBe('Accept, Authorization')
    expect(await varyOf('text/html')).toBe('Accept, Accept-Encoding, Accept-Language, Authorization')
  })

  test('nothing that a key or a token opens may be stored, nor an error', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const open = expectStatus(200, await read(`/passport/${id}`, workspace.as))
    const wrong = expectStatus(200, await read(`/passport/${id}?grant=dpp_li_wrong`))
    const absent = expectStatus(404, await read('/passport/00000000-0000-4000-8000-000000000000'))
    for (const { headers } of [open, wrong, absent]) {
      expect(headers['cache-control']).toContain('no-store')
      expect(tagsOf(headers)).toEqual([undefined, undefined])
    }
    const ignored = expectStatus(200, await read(`/passport/${id}`, bearer('dpp_key_wrong')))
    expect(ignored.headers.vary).toContain('Authorization')
  })
})

describe('review-3-scale S4', () => {
  test('popular passports are served while the database is away, marked as stale', async () => {
    const { id } = await passports.given({ metadata: textile() })
    const unread = await passports.given({ metadata: textile() })
    for (let count = 0; count < 3; count += 1) expectStatus(200, await read(`/passport/${id}`))
    const before = expectStatus(200, await read(`/passport/${id}`))
    await cutOff(gateway, async () => {
      await expect.poll(() => gateway.container.cradle.publicCache.isOn()).toBe(false)
      const stale = expectStatus(200, await read(`/passport/${id}`))
      expect(stale.headers['cache-status']).toMatch(/^dpp-gateway; hit; ttl=-\d+$/)
      expect(stale.body).toEqual(before.body)
      expectStatus(503, await read(`/passport/${unread.id}`))
      await expect.poll(async () => (await read('/ready')).status).toBe(503)
      const ready = expectStatus(200, await read('/ready?for=read'))
      expect(ready.body).toMatchObject({ reads: 'READY', writes: 'UNAVAILABLE' })
    })
    await expect.poll(async () => (await read('/ready')).status).toBe(200)
    expectStatus(200, await passports.setStatus(id, 'RECALLED'))
    const { headers, body } = expectStatus(200, await read(`/passport/${id}`))
    expect(headers['cache-status']).toBeUndefined()
    expect(JSON.stringify(body)).toContain('RECALLED')
  })

  test('no read of a popular passport fails while the database goes and comes back, nor does the check of reads', async () => {
    const { id } = await passports.given({ metadata: textile() })
    for (let count = 0; count < 3; count += 1) expectStatus(200, await read(`/passport/${id}`))
    const seen: Record<string, Set<number>> = {}
    let isDone = false
    const poll = async (path: string) => {
      const statuses = new Set<number>()
      seen[path] = statuses
      do statuses.add((await read(path)).status)
      while (!isDone)
    }
    const polls = [`/passport/${id}`, '/ready?for=read', '/ready'].map(poll)
    for (let time = 0; time < 2; time += 1) {
      await cutOff(gateway, () => expect.poll(async () => (await read('/ready')).status).toBe(503))
      await expect.poll(async () => (await read('/ready')).status).toBe(200)
    }
    isDone = true
    await Promise.all(polls)
    const statuses = Object.entries(seen).map(([path, found]) => [path, [...found].sort()])
    expect(Object.fromEntries(statuses)).toEqual({
      [`/passport/${id}`]: [200],
      '/ready?for=read': [200],
      '/ready': [200, 503],
    })
  })
})
