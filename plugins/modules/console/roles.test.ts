import { describe, expect, test } from 'vitest'
import { ConsoleBrowser, signIn } from '../../../test/support/console-client.ts'
import { filledForm } from '../../../test/support/console-forms.ts'
import { consolePages } from '../../../test/support/console-pages.ts'
import { createWorkspace, newGln, newGtin } from '../../../test/support/gateway.ts'
import { battery } from '../../../test/support/passport-client.ts'
import { inDays, newSerial } from '../../../test/support/sample-calls.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'
import { webhookClient } from '../../../test/support/webhook-client.ts'
import { openPages } from './open-pages.ts'

const { gateway, workspace, passports } = await useGateway({ CONSOLE: 'on' })
const other = await createWorkspace(gateway)
const { id: passportId } = await passports.given({ productId: newGtin(), metadata: battery() })
const post = async (path: string, json: unknown, as = workspace.as) =>
  (await gateway.request('POST', path, { headers: as, json })).body
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
await signIn(gateway, workspace.id, 'reader')
const [{ person_id: personId } = { person_id: '' }] = await gateway.sqlAs<{ person_id: string }>(
  workspace.id,
  'select person_id from console_membership',
)
/** Subjects of the workspace, by the first segment of the address. */
const given = {
  access: await askFor(),
  people: personId,
  passports: passportId,
  files: passportId,
  operators: workspace.operatorId,
  facilities: (await post('/api/v1/facilities', { gln: newGln(), name: 'Plant', country: 'DE' })).facility.id,
  keys: (await gateway.container.cradle.workspaces.createKey({ workspaceId: workspace.id, role: 'AUDITOR' })).id,
  units: (await post(`/api/v1/passports/${passportId}/units`, { units: [{ serialNumber: newSerial() }] })).units[0].id,
  webhooks: (await webhookClient(gateway, workspace.as).given('http://127.0.0.1:9/hook')).id,
  deliveries: crypto.randomUUID(),
} as Record<string, string>

const pages = await consolePages(gateway)

/** Letters of the roles: owner, publisher, editor, reader. */
type Letters = string
interface Entry {
  /** Roles that may open the page; undefined: it has no GET. */
  readonly show?: Letters
  /** Roles that may send its form; undefined: it has none. */
  readonly act?: Letters
  /** True if it needs a recent sign-in. */
  readonly isSensitive?: boolean
}

const sensitive = (entry: Entry): Entry => ({ ...entry, isSensitive: true })

/** Roles of every page and form, stated apart from the code. A new page needs an entry. */
const MATRIX: Readonly<Record<string, Entry>> = {
  '': { show: 'oper' },
  access: { show: 'opr' },
  'access/{id}': { show: 'opr' },
  'access/{id}/approve': { show: 'op', act: 'op' },
  'access/{id}/deny': { show: 'op', act: 'op' },
  'access/{id}/renew': { show: 'op', act: 'op' },
  'access/{id}/revoke': { show: 'op', act: 'op' },
  audit: { show: 'opr' },
  'audit/export': { show: 'opr' },
  'audit/passports': { show: 'opr' },
  billing: { show: 'o' },
  company: { show: 'oper' },
  'company/brand': { show: 'o', act: 'o' },
  'company/prefixes': { show: 'oper' },
  confirm: { show: 'oper', act: 'oper' },
  countries: { show: 'oper' },
  'deliveries/{id}': { show: 'op', act: 'op' },
  'facilities/new': { show: 'op', act: 'op' },
  'facilities/{id}': { show: 'oper', act: 'op' },
  'facilities/{id}/remove': { show: 'op', act: 'op' },
  'files/{id}': { show: 'ope', act: 'ope' },
  'files/{id}/file': { show: 'ope' },
  help: { show: 'oper' },
  imports: { show: 'ope' },
  'imports/new': { show: 'ope', act: 'ope' },
  'imports/{id}': { show: 'ope' },
  'imports/{id}/columns': { show: 'ope', act: 'ope' },
  'imports/{id}/corrected': { show: 'ope' },
  'imports/{id}/template': { show: 'ope' },
  keys: { show: 'o' },
  'keys/new': sensitive({ show: 'o', act: 'o' }),
  'keys/{id}': sensitive({ show: 'o', act: 'o' }),
  'keys/{id}/revoke': sensitive({ show: 'o', act: 'o' }),
  me: { show: 'oper' },
  'operators/new': { show: 'op', act: 'op' },
  'operators/{id}': { show: 'oper', act: 'op' },
  'operators/{id}/remove': { show: 'op', act: 'op' },
  'operators/{id}/restore': { show: 'op', act: 'op' },
  passkeys: sensitive({ show: 'oper', act: 'oper' }),
  'passkeys/remove': sensitive({ show: 'oper', act: 'oper' }),
  passports: { show: 'oper' },
  'passports/export': { show: 'oper' },
  'passports/new': { show: 'ope', act: 'ope' },
  'passports/seal-selected': sensitive({ show: 'op', act: 'op' }),
  'passports/selected': { act: 'oper' },
  'passports/{id}': { show: 'oper' },
  'passports/{id}/code': { show: 'oper' },
  'passports/{id}/correct': sensitive({ show: 'op', act: 'op' }),
  'passports/{id}/delete': { show: 'ope', act: 'ope' },
  'passports/{id}/edit': { show: 'ope', act: 'ope' },
  'passports/{id}/history': { show: 'oper' },
  'passports/{id}/journey': { show: 'oper', act: 'op' },
  'passports/{id}/links': { show: 'oper', act: 'op' },
  'passports/{id}/page': { show: 'oper' },
  'passports/{id}/preview': { show: 'oper' },
  'passports/{id}/publish': { show: 'ope', act: 'op' },
  'passports/{id}/recall': sensitive({ show: 'op', act: 'op' }),
  'passports/{id}/registry': { show: 'oper', act: 'op' },
  'passports/{id}/registry-entry': { show: 'oper' },
  'passports/{id}/screening': { show: 'oper' },
  'passports/{id}/seal': sensitive({ show: 'op', act: 'op' }),
  'passports/{id}/status': { show: 'op', act: 'op' },
  'passports/{id}/units': { show: 'oper', act: 'op' },
  'passports/{id}/use': { show: 'oper' },
  people: { show: 'or' },
  'people/new': sensitive({ show: 'o', act: 'o' }),
  'people/{id}': sensitive({ show: 'o', act: 'o' }),
  'people/{id}/remove': sensitive({ show: 'o', act: 'o' }),
  'people/{id}/rights': sensitive({ show: 'o', act: 'o' }),
  'people/{id}/uninvite': sensitive({ show: 'o', act: 'o' }),
  registrations: { show: 'oper' },
  sessions: { show: 'o', act: 'o' },
  'sign-out': { show: 'oper', act: 'oper' },
  'units/{id}': { show: 'oper', act: 'op' },
  webhooks: { show: 'opr' },
  'webhooks/new': { show: 'op', act: 'op' },
  'webhooks/{id}/remove': { show: 'op', act: 'op' },
  'webhooks/{id}/rotate': { show: 'op', act: 'op' },
  'webhooks/{id}/switch': { show: 'op', act: 'op' },
  'webhooks/{id}/test': { show: 'op', act: 'op' },
  workspace: { act: 'oper' },
}
const entries = Object.entries(MATRIX)

const addressOf = (path: string, id = given[path.split('/')[0] ?? ''] || crypto.randomUUID()) =>
  `/console/${path.replace('{id}', id)}`.replace(/\/$/, '')
const tokenOf = async (browser: ConsoleBrowser) =>
  /name="csrf" value="([^"]+)"/.exec((await browser.open('/console')).text)?.[1] ?? ''

test('every page and form of the module has an entry', () => {
  const stated = entries.map(([path, { show, act, isSensitive = false }]) => [
    path,
    show !== undefined,
    act !== undefined,
    isSensitive,
  ])
  const found = pages.map(({ path, show, act, isSensitive = false }) => [
    path,
    show !== undefined,
    act !== undefined,
    isSensitive,
  ])
  expect(found.sort()).toEqual(stated.sort())
})

test('pages without a session are those of sign-in and of the language', () => {
  const open = openPages(gateway.container.cradle as never).map(({ path }) => path)
  expect(open).toEqual(['sign-in', 'sign-in/{id}', 'passkey', 'oidc', 'language'])
})

test('every other page and form needs a session', async () => {
  const visitor = new ConsoleBrowser(gateway)
  for (const [path, { show, act }] of entries) {
    const address = addressOf(path)
    const answers = [
      show === undefined ? undefined : await visitor.send('GET', address),
      act === undefined ? undefined : await visitor.post(address, {}),
    ]
    for (const answer of answers.filter((one) => one !== undefined)) {
      expect([path, answer.status, answer.headers.location]).toEqual([
        path,
        303,
        expect.stringMatching(/^\/console\/sign-in\?next=/),
      ])
    }
  }
})

test('sensitive pages and forms need a recent sign-in', async () => {
  const late = await signIn(gateway, workspace.id, 'owner')
  const csrf = await tokenOf(late)
  const old = `update console_session set authenticated_at = now() - interval '31 minutes'
    where created_at = (select max(created_at) from console_session)`
  await gateway.sqlAs(workspace.id, old)
  for (const [path] of entries.filter(([, { isSensitive }]) => isSensitive)) {
    for (const answer of [await late.send('GET', addressOf(path)), await late.post(addressOf(path), { csrf })]) {
      expect([path, answer.status, answer.headers.location]).toEqual([
        path,
        303,
        expect.stringMatching(/^\/console\/confirm\?next=/),
      ])
    }
  }
})

/** Texts that a person types into forms. */
const TYPED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'access/{id}/approve': { expiresAt: inDays(7) },
  'company/brand': { accent: '#123456' },
  'facilities/new': { name: 'Typed plant', gln: '4012345' },
  'facilities/{id}': { name: 'Typed plant', city: 'Typed city' },
  'files/{id}': { title: 'Typed title' },
  'keys/new': { name: 'Typed key', expires: inDays(7) },
  'operators/new': { name: 'Typed company', regId: 'Typed number' },
  'operators/{id}': { name: 'Typed company', 'contact.address': 'Typed street' },
  passkeys: { name: 'Typed passkey' },
  'passports/new': { product: 'TYPED-1' },
  'passports/seal-selected': { ids: passportId },
  'passports/{id}/links': { target: 'https://typed.example/1', recipient: 'TYPED-2' },
  'passports/{id}/recall': {
    'reason[]': 'n1,n2',
    'reason.n1.lang': 'English',
    'reason.n1.text': 'Typed text',
    'reason.n2.lang': 'German',
    'reason.n2.text': 'Getippter Text',
    contact: '+49 40 7654321',
    url: 'https://typed.example/2',
  },
  'passports/{id}/status': { reason: 'Typed reason' },
  'passports/{id}/units': { serials: 'TYPED-3 TYPED-4', batch: 'TYPED-5', made: '2026-01-02' },
  'people/new': { name: 'Typed name', email: 'typed@maker.example' },
  'units/{id}': { stateOfHealth: '97,25', recordedAt: '2026-01-03' },
  'webhooks/new': { url: 'https://typed.example/3' },
}

describe('a form of an ended session', () => {
  test('is shown with what was typed, or its page says that nothing was changed', async () => {
    const browser = await signIn(gateway, workspace.id, 'owner')
    for (const [path, { show, act }] of entries) {
      // An import that does not exist.
      if (act === undefined || path === 'imports/{id}/columns') continue
      const typed = TYPED[path] ?? {}
      const { status, headers, text } = await browser.post(addressOf(path), { csrf: 'old', ...typed })
      if (status === 303)
        expect([path, typed, headers.location]).toEqual([path, {}, expect.stringMatching(/done=notSent$/)])
      else expect([path, status]).toEqual([path, 403])
      if (status === 403 && show !== undefined) expect(text, path).toContain('Your session had ended. Check the form')
      for (const value of Object.values(typed)) expect(text, path).toContain(value)
    }
    const webhooks = await browser.open('/console/webhooks?done=notSent')
    expect(webhooks.text).toContain('Your session had ended. Nothing was changed.')
  })

  test.each(['people/{id}/rights', 'keys/{id}'])('is shown with its choices: %s', async (path) => {
    const browser = await signIn(gateway, workspace.id, 'owner')
    const { text } = await browser.post(addressOf(path), { csrf: 'old', 'passport:read': 'on' })
    expect(Object.keys(filledForm(text, addressOf(path)).values).sort()).toEqual(['csrf', 'passport:read'])
  })

  test('is shown with its choices: the role of a member', async () => {
    const browser = await signIn(gateway, workspace.id, 'owner')
    const { text } = await browser.post(addressOf('people/{id}'), { csrf: 'old', role: 'publisher' })
    expect(filledForm(text, addressOf('people/{id}')).values.role).toBe('publisher')
  })
})

describe.each(ROLES)('role × page: %s', (role) => {
  const [letter = ''] = role

  test('opens the pages of its rights, and no other', async () => {
    const browser = await signIn(gateway, workspace.id, role)
    for (const [path, { show }] of entries) {
      if (show === undefined) continue
      const { status, text } = await browser.send('GET', addressOf(path))
      if (status === 200 && text.includes('<body class="inside"')) {
        expect(text, `${path} shows the call of the API`).toContain('class="api"')
      }
      if (show.includes(letter)) expect([200, 303, 404, 409], path).toContain(status)
      else expect([path, status]).toEqual([path, 403])
    }
  })

  test('sends the forms of its rights, and no other', async () => {
    const browser = await signIn(gateway, workspace.id, role)
    const csrf = await tokenOf(browser)
    for (const [path, { act }] of entries) {
      if (act === undefined || path === 'sign-out') continue
      // The id of nothing: a form that is allowed changes nothing.
      const isAllowed = act.includes(letter)
      const { status } = await browser.post(isAllowed ? addressOf(path, crypto.randomUUID()) : addressOf(path), {
        csrf,
      })
      if (isAllowed) expect([200, 303, 400, 404, 409], path).toContain(status)
      else expect([path, status]).toEqual([path, 403])
    }
  })

  test('sees nothing of another workspace by any id', async () => {
    const browser = await signIn(gateway, other.id, role)
    const csrf = await tokenOf(browser)
    for (const [path, { show, act }] of entries.filter(([name]) => name.includes('{id}'))) {
      // Templates are of categories.
      if (path === 'imports/{id}/template') continue
      const address = addressOf(path)
      if (show !== undefined) expect([303, 403, 404], path).toContain((await browser.send('GET', address)).status)
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
