import type { PassportRow } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import { otherService } from '../other-modules.ts'
import type { Outcome, PageFile, PageRequest, SignedIn } from '../site.ts'

/** Registration of passports with the registry; empty without its module. */
export default function registrationPages(services: Cradle): PageFile {
  const { consoleEditor: editor } = services
  const found = otherService(services, 'registrations')
  if (found === undefined) return { pages: [] }
  const registrations = found
  return {
    pages: [
      { path: 'passports/{id}/registry', needs: 'passport:read', actNeeds: 'passport:publish', show, act: register },
      // For a registry that the gateway does not reach. 409 while checks fail.
      { path: 'passports/{id}/registry-entry', needs: 'passport:read', show: entry },
      { path: 'registrations', needs: 'passport:read', show: failed },
    ],
    async attention({ principal, t, can }) {
      if (!can('passport:publish')) return []
      const { length: count } = await registrations.failed(principal)
      return [{ order: 35, count, text: t('registry.failed', { count }), href: '/console/registrations' }]
    },
  }

  async function show(me: SignedIn, { id }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    const state = await registrations.read(me.principal, 'passport', row.id)
    return {
      title: me.t('registry.title'),
      template: 'registry',
      trail: [
        { href: '/console/passports', text: me.t('nav.passports') },
        { href: `/console/passports/${row.id}`, text: editor.titleOf(row, me.lang) },
      ],
      api: `GET /api/v1/passports/${row.id}/registration\nPOST /api/v1/passports/${row.id}/registration`,
      data: {
        ...{ row, state, isOn: registrations.isOn, mayRegister: me.can('passport:publish') },
        checks: state.checks.map((check) => ({
          ...check,
          href: check.passed ? undefined : placeOf(me, row, check.code),
        })),
      },
    }
  }

  /** Page of the console where a check is met, if the member may do it there. */
  function placeOf({ can }: SignedIn, row: PassportRow, code: string): string | undefined {
    const own = `/console/passports/${row.id}`
    if (code === 'SEALED') return can('passport:seal') ? `${own}/seal` : undefined
    if (code === 'MEANING') return own
    const key = FIELDS.get(code)
    const field = editor.formFor(row.metadata).fields.find((one) => one.key === key)
    if (field === undefined || !can('passport:seal')) return undefined
    return `${own}/${row.seal === null ? 'edit' : 'correct'}?section=${encodeURIComponent(field.section)}#f-${field.key}`
  }

  async function entry({ principal }: SignedIn, { id }: PageRequest): Promise<Outcome> {
    const { contentType, text } = await registrations.exportFile(principal, [id], 'json')
    return { file: 'registry-entries.json', type: contentType, body: text }
  }

  async function register(me: SignedIn, { id }: PageRequest): Promise<Outcome> {
    await registrations.request(me.principal, 'passport', id)
    return { to: `/console/passports/${id}/registry`, done: 'registered' }
  }

  async function failed({ principal, t, lang }: SignedIn): Promise<Outcome> {
    const failed = await registrations.failed(principal)
    return {
      title: capital(t('registry.failed', { count: failed.length }), lang),
      template: 'registrations',
      trail: [{ href: '/console/passports', text: t('nav.passports') }],
      api: 'POST /api/v1/passports/{id}/registration',
      data: { failed },
    }
  }
}

/** Field that meets a check. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ['COMMODITY_CODE', 'commodityCode'],
  ['BACKUP', 'backup'],
])

const capital = (text: string, lang: string) => text.charAt(0).toLocaleUpperCase(lang) + text.slice(1)
