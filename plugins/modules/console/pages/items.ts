import { notFound } from '../../../../src/plugin/index.ts'
import type { Cradle } from '../cradle.ts'
import { otherService } from '../other-modules.ts'
import type { Outcome, PageFile, PageRequest, SignedIn } from '../site.ts'

const PAGE = 25

/** Items of a product, and the registration of its passport. */
export default function itemPages(services: Cradle): PageFile {
  const { consoleEditor: editor, descriptions, units } = services
  const registrations = otherService(services, 'registrations')
  return {
    pages: [
      { path: 'passports/{id}/units', needs: 'battery:read', show: list },
      { path: 'units/{id}', needs: 'battery:read', show: one },
      ...(registrations === undefined
        ? []
        : [
            {
              path: 'passports/{id}/registry',
              needs: 'passport:read',
              actNeeds: 'passport:publish',
              show: registry,
              act: register,
            } as const,
            { path: 'passports/{id}/registry-entry', needs: 'passport:read', show: registryEntry } as const,
          ]),
    ],
  }

  async function list(me: SignedIn, { id, query }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    const found = await units.list(me.principal, row.id, { page: query.page, limit: String(PAGE) })
    return {
      title: me.t('units.title'),
      template: 'units',
      trail: trailOf(me, row.id, editor.titleOf(row, me.lang)),
      api: `GET /api/v1/passports/${row.id}/units`,
      data: { row, ...found },
    }
  }

  async function one(me: SignedIn, { id }: PageRequest): Promise<Outcome> {
    const unit = await units.read(me.principal, id)
    const { currentState, dynamicData = [] } = unit as Measured
    const description = descriptions.of('batteries', me.lang)
    return {
      title: unit.serialNumber,
      template: 'unit',
      trail: [
        ...trailOf(me, unit.ofModel.id, unit.ofModel.productId),
        { href: `/console/passports/${unit.ofModel.id}/units`, text: me.t('units.title') },
      ],
      api: `GET /api/v1/battery-units/${unit.id}`,
      data: {
        unit,
        state: Object.entries(currentState ?? {})
          .filter(([key, value]) => typeof value === 'number' && key !== 'recordedAt')
          .map(([key, value]) => ({ label: description.label(key) ?? key, value: value as number })),
        events: dynamicData.slice(0, 100),
      },
    }
  }

  async function registry(me: SignedIn, { id }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    const state = await registrations?.read(me.principal, 'passport', row.id)
    return {
      title: me.t('registry.title'),
      template: 'registry',
      trail: trailOf(me, row.id, editor.titleOf(row, me.lang)),
      api: `POST /api/v1/passports/${row.id}/registration`,
      data: { row, state, isOn: registrations?.isOn === true, mayRegister: me.can('passport:publish') },
    }
  }

  /** File for a registry that the gateway does not reach. @throws Problem 409 while checks fail */
  async function registryEntry({ principal }: SignedIn, { id }: PageRequest): Promise<Outcome> {
    const { contentType, text } = (await registrations?.exportFile(principal, [id], 'json')) ?? missing()
    return { file: 'registry-entries.json', type: contentType, body: text }
  }

  async function register(me: SignedIn, { id }: PageRequest): Promise<Outcome> {
    await registrations?.request(me.principal, 'passport', id)
    return { to: `/console/passports/${id}/registry`, done: 'registered' }
  }
}

function missing(): never {
  throw notFound('The module registry is not loaded.')
}

interface Measured {
  readonly currentState?: Readonly<Record<string, unknown>> | null
  readonly dynamicData?: readonly { readonly eventType?: string; readonly recordedAt?: string }[]
}

const trailOf = ({ t }: SignedIn, id: string, title: string) => [
  { href: '/console/passports', text: t('nav.passports') },
  { href: `/console/passports/${id}`, text: title },
]
