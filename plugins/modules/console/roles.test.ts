import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { signIn } from '../../../test/support/console-client.ts'
import { createWorkspace, newGln, newGtin } from '../../../test/support/gateway.ts'
import { battery } from '../../../test/support/passport-client.ts'
import { inDays } from '../../../test/support/sample-calls.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'
import type { PageFile } from './site.ts'

const { gateway, workspace, passports } = await useGateway({ CONSOLE: 'on' })
const other = await createWorkspace(gateway)
const { id: passportId } = await passports.given({ productId: newGtin(), metadata: battery() })
const post = async (path: string, json: unknown, as = workspace.as) =>
  (await gateway.request('POST', path, { headers: as, json })).body
/** With 23 kB of style and script, 60 kB. */
const MAX_PAGE_CHARACTERS = 37_000
const ROLES = ['owner', 'publisher', 'editor', 'reader'] as const

const askFor = async () => {
  const name = `Ada ${crypto.randomUUID()}`
  await gateway.request('POST', `/request-access?passport=${passportId}`, {
    form: { granteeName: name, granteeEmail: 'ada@repair.example', purpose: 'Repair' },
  })
  const [row] = await gateway.sqlAs<{ id: string }>(
    workspace.id,
    'select id from access_grant where grantee_name = $1',
    [name],
  )
  return row?.id ?? ''
}
const given = {
  access: await askFor(),
  people: '',
  passports: passportId,
  operators: workspace.operatorId,
  facilities: (await post('/api/v1/facilities', { gln: newGln(), name: 'Plant', country: 'DE' })).facility.id,
  keys: (await gateway.container.cradle.workspaces.createKey({ workspaceId: workspace.id, role: 'AUDITOR' })).id,
  webhooks: crypto.randomUUID(),
  deliveries: crypto.randomUUID(),
} as Record<string, string>

/** Pages of all files, with the roles that may open them. */
const { pages } = await loadPages()
async function loadPages(): Promise<PageFile> {
  const folder = join(import.meta.dirname, 'pages')
  const files = readdirSync(folder).filter((name) => /(?<!\.test)\.ts$/.test(name))
  const made = await Promise.all(
    files.map(async (name) => (await import(join(folder, name))).default(gateway.container.cradle) as PageFile),
  )
  return { pages: made.flatMap((file) => file.pages) }
}

/** Rights that each role has, stated apart from the code. */
const OWNER_ONLY = ['key:write', 'people:write', 'company:write']
const MAY: Record<(typeof ROLES)[number], (right: string) => boolean> = {
  owner: () => true,
  publisher: (right) => ![...OWNER_ONLY, 'people:read'].includes(right),
  editor: (right) =>
    ['passport:read', 'passport:create', 'passport:update', 'operator:read', 'battery:read', 'facility:read'].includes(
      right,
    ),
  reader: (right) => right.endsWith(':read'),
}
const addressOf = (path: string) =>
  `/console/${path.replace('{id}', given[path.split('/')[0] ?? ''] || crypto.randomUUID())}`.replace(/\/$/, '')

describe.each(ROLES)('role × page: %s', (role) => {
  test('opens the pages of its rights, and no other', async () => {
    const browser = await signIn(gateway, workspace.id, role)
    for (const { path, needs, show } of pages) {
      if (show === undefined || path.includes('export')) continue
      const { status, text } = await browser.send('GET', addressOf(path))
      const isAllowed = needs === null || MAY[role](needs)
      if (status === 200 && text.includes('<body class="inside"')) {
        expect(text, `${path} shows the call of the API`).toContain('class="api"')
        expect(text.length, path).toBeLessThan(MAX_PAGE_CHARACTERS)
      }
      if (isAllowed) expect([200, 303, 404], path).toContain(status)
      else expect([path, status]).toEqual([path, 403])
    }
  })

  test('sends the forms of its rights, and no other', async () => {
    const browser = await signIn(gateway, workspace.id, role)
    const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.open('/console')).text)?.[1] ?? ''
    for (const { path, needs, actNeeds, act } of pages) {
      if (act === undefined || path === 'sign-out') continue
      const isAllowed = [needs, actNeeds ?? null].every((right) => right === null || MAY[role](right))
      if (isAllowed) continue
      const { status } = await browser.post(addressOf(path), { csrf })
      expect([path, status]).toEqual([path, 403])
    }
  })

  test('sees nothing of another workspace by any id', async () => {
    const browser = await signIn(gateway, other.id, role)
    const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.open('/console')).text)?.[1] ?? ''
    for (const { path, show, act } of pages.filter((page) => page.path.includes('{id}'))) {
      const address = addressOf(path)
      if (show !== undefined) expect([200], path).not.toContain((await browser.send('GET', address)).status)
      if (act === undefined) continue
      const { status, headers } = await browser.post(address, {
        csrf,
        role: 'owner',
        expiresAt: inDays(3),
        name: 'X',
        country: 'DE',
        'passport:read': 'on',
      })
      expect([400, 403, 404], `${path} ${status} ${headers.location}`).toContain(status)
    }
  })
})

test('a member that is narrowed to an operator sees no other operator', async () => {
  const second = (await post('/api/v1/operators', { name: 'Second', regId: `R-${crypto.randomUUID()}` })).operator.id
  const browser = await signIn(gateway, workspace.id, 'publisher', { operatorId: second })
  expect((await browser.send('GET', `/console/operators/${second}`)).status).toBe(200)
  expect((await browser.send('GET', `/console/operators/${workspace.operatorId}`)).status).toBe(403)
  expect((await browser.open('/console/access')).text).not.toContain(given.access)
})

test('a narrowed member has only the permissions that are left', async () => {
  const browser = await signIn(gateway, workspace.id, 'owner', { permissions: ['passport:read', 'operator:read'] })
  expect((await browser.send('GET', '/console/company')).status).toBe(200)
  for (const path of ['/console/keys', '/console/people', '/console/access', '/console/audit']) {
    expect([path, (await browser.send('GET', path)).status]).toEqual([path, 403])
  }
})

test('the role EDITOR of the API neither publishes nor changes published passports', async () => {
  const { key } = await gateway.container.cradle.workspaces.createKey({ workspaceId: workspace.id, role: 'EDITOR' })
  const headers = { authorization: `Bearer ${key}` }
  const send = (method: string, path: string, json: unknown) => gateway.request(method, path, { headers, json })
  const draft = await send('POST', '/api/v1/passports', {
    productId: newGtin(),
    draft: true,
    metadata: { category: 'textiles' },
  })
  expect(draft.status).toBe(201)
  const id = draft.body.passport.id
  const metadata = { category: 'textiles', originCountry: 'PT' }
  expect((await send('PUT', `/api/v1/passports/${id}`, { draft: true, metadata })).status).toBe(200)
  const refused = [
    await send('PUT', `/api/v1/passports/${id}`, { metadata }),
    await send('POST', '/api/v1/passports', { productId: newGtin(), metadata }),
    await send('PUT', `/api/v1/passports/${passportId}`, { metadata: battery() }),
    await send('PUT', `/api/v1/passports/${passportId}`, { draft: true, metadata: battery() }),
    await send('PUT', `/api/v1/passports/${passportId}/status`, { status: 'RECALLED' }),
    await send('POST', `/api/v1/passports/${id}/seal`, undefined),
  ]
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
})
