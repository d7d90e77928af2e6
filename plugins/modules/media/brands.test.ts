import { describe, expect, test } from 'vitest'
import { auditOf } from '../../../test/support/audit.ts'
import { BASE_URL } from '../../../test/support/gateway.ts'
import { pdf, photograph } from '../../../test/support/pictures.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'
import type { Cradle } from './cradle.ts'

const { gateway, workspace, passports } = await useGateway()

describe('the brand of a workspace', () => {
  const { subjectViews, database } = gateway.container.cradle
  const { brands } = gateway.container.cradle as unknown as Cradle
  const viewOf = async (id: string) => {
    const candidate = { id, tenantId: workspace.id, operatorId: workspace.operatorId } as never
    const seen = await subjectViews.load(database.forTenant(workspace.id), candidate, {
      reader: 'public',
      shownTo: 'public',
      isLive: false,
    })
    return (seen as { passport: { brand: { logo: { url: string } | null; accent: string | null } | null } }).passport
      .brand
  }

  test('has a logo and an accent, which show in every passport of it', async () => {
    const { id } = await passports.given()
    expect(await viewOf(id)).toBeNull()
    const before = (
      await gateway.sqlAs<{ version: number }>(workspace.id, 'select version from passport where id = $1', [id])
    )[0]
    await brands.set(workspace.id, { accent: '#0B5F5A', logo: await photograph(1000, 400) })
    const brand = await viewOf(id)
    expect(brand).toEqual({ accent: '#0b5f5a', logo: { url: expect.any(String), width: 320, height: 128 } })
    const logo = brand?.logo?.url ?? ''
    const { status, headers } = await gateway.request('GET', logo.slice(BASE_URL.length))
    expect([status, headers['content-type']]).toEqual([200, 'image/webp'])
    const after = (
      await gateway.sqlAs<{ version: number }>(workspace.id, 'select version from passport where id = $1', [id])
    )[0]
    expect(after?.version).toBeGreaterThan(before?.version ?? 0)
    await brands.set(workspace.id, { logo: await photograph(100, 100) })
    expect((await viewOf(id))?.logo?.url).not.toBe(logo)
    expect((await gateway.request('GET', logo.slice(BASE_URL.length))).status).toBe(404)
    await brands.set(workspace.id, { logo: null, accent: null })
    expect(await viewOf(id)).toBeNull()
    expect((await auditOf(gateway, workspace.id, workspace.id)).at(-1)).toMatchObject({ action: 'workspace.updated' })
  })

  test('is rejected if unreadable or not a picture, with the accepted formats', async () => {
    await expect(brands.set(workspace.id, { accent: '#ffd700' })).rejects.toThrow(
      /the contrast of #ffd700 .* is below 4\.5:1\. Use a colour such as #[0-9a-f]{6}\.$/,
    )
    await expect(brands.set(workspace.id, { accent: 'red;}' })).rejects.toThrow('#rrggbb')
    await expect(brands.set(workspace.id, { logo: pdf() })).rejects.toThrow('JPEG, PNG or WebP')
    await expect(brands.set(workspace.id, { logo: Buffer.alloc(1024 * 1024 + 1) })).rejects.toThrow('1048576')
    await expect(brands.set('00000000-0000-4000-8000-000000000009', { accent: '#0b5f5a' })).rejects.toThrow(
      'Workspace 00000000-0000-4000-8000-000000000009 not found.',
    )
  })
})
