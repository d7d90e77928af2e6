import { Problem, UNIT_EVENT_TYPES, UNIT_STATUSES } from '../../../../src/plugin/index.ts'
import { ownScope } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { FieldError, Outcome, PageFile, PageRequest, SignedIn } from '../site.ts'
import { timeChart } from '../time-chart.ts'

const PAGE = 25
const MAX_NEW = 200
const MEASURES = ['stateOfHealth', 'cycleCount', 'remainingCapacityAh', 'temperatureC'] as const

/** Items of a product, with their measurements. */
export default function itemPages({
  consoleEditor: editor,
  database,
  descriptions,
  units,
  unitEvents,
}: Cradle): PageFile {
  return {
    pages: [
      { path: 'passports/{id}/units', needs: 'battery:read', actNeeds: 'battery:write', show: list, act: add },
      { path: 'units/{id}', needs: 'battery:read', actNeeds: 'battery:write', show: one, act: record },
    ],
  }

  async function list(
    me: SignedIn,
    { id, query, form }: PageRequest,
    errors: readonly FieldError[] = [],
  ): Promise<Outcome> {
    const row = await editor.load(me, id)
    const found = await units.list(me.principal, row.id, { page: query.page, limit: String(PAGE) })
    return {
      title: me.t('units.title'),
      template: 'units',
      errors,
      status: errors.length > 0 ? 400 : 200,
      trail: trailOf(me, row.id, editor.titleOf(row, me.lang)),
      api: `GET /api/v1/passports/${row.id}/units\nPOST /api/v1/passports/${row.id}/units\n\n{ "units": [{ "serialNumber": "A-1" }] }`,
      data: { row, typed: form, ...found },
    }
  }

  async function add(me: SignedIn, request: PageRequest): Promise<Outcome> {
    const { id, form } = request
    const serials = (form.serials ?? '').split(/[\s,;]+/).filter((text) => text !== '')
    const wrong = (message: string) => list(me, request, [{ field: 'serials', message }])
    if (serials.length === 0 || serials.length > MAX_NEW) return wrong(me.t('units.serialsHelp'))
    const more = { batchNumber: form.batch || null, manufacturedAt: form.made || null }
    const body = { units: serials.map((serialNumber) => ({ serialNumber, ...more })) }
    try {
      const { errors } = await units.serialise(
        me.principal,
        id,
        body,
        me.lang,
        ownScope(database, me.principal.tenantId),
      )
      return errors === undefined ? { to: `/console/passports/${id}/units`, done: 'saved' } : wrong(errors.join(' · '))
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 400) throw error
      return wrong(textOf(error))
    }
  }

  async function one(me: SignedIn, { id, form }: PageRequest, errors: readonly FieldError[] = []): Promise<Outcome> {
    const unit = await units.read(me.principal, id)
    const { currentState } = unit as { readonly currentState?: Readonly<Record<string, unknown>> | null }
    const { events } = await unitEvents.list(me.principal, id)
    const description = descriptions.of('batteries', me.lang)
    const labelOf = (key: string) => description.label(key) ?? me.t(`units.measure.${key}`, { defaultValue: key })
    const charts = MEASURES.map((key) =>
      timeChart(
        labelOf(key),
        events.flatMap(({ recordedAt, [key]: value }) => (value === null ? [] : [{ at: recordedAt, value }])),
      ),
    )
    return {
      title: unit.serialNumber,
      template: 'unit',
      errors,
      status: errors.length > 0 ? 400 : 200,
      trail: [
        ...trailOf(me, unit.ofModel.id, unit.ofModel.productId),
        { href: `/console/passports/${unit.ofModel.id}/units`, text: me.t('units.title') },
      ],
      api: `GET /api/v1/units/${unit.id}\nPOST /api/v1/units/${unit.id}/events\n\n{ "eventType": "SOH_MEASUREMENT", "stateOfHealth": 97.5 }`,
      data: {
        ...{ unit, typed: form, charts: charts.filter((chart) => chart !== undefined) },
        state: Object.entries(currentState ?? {})
          .filter(([key, value]) => typeof value === 'number' && key !== 'recordedAt')
          .map(([key, value]) => ({ label: labelOf(key), value: value as number })),
        measures: MEASURES.map((name) => ({ name, label: labelOf(name) })),
        events: events.slice(0, 100),
        types: UNIT_EVENT_TYPES.map((value) => ({ value, text: me.t(`units.type.${value}`) })),
        statuses: [
          { value: '', text: me.t('editor.none') },
          ...UNIT_STATUSES.map((value) => ({ value, text: me.t(`units.status.${value}`) })),
        ],
      },
    }
  }

  async function record(me: SignedIn, request: PageRequest): Promise<Outcome> {
    const { id, form } = request
    const measured = MEASURES.flatMap((name) => (form[name] ? [[name, Number(form[name]?.replace(',', '.'))]] : []))
    const event = {
      ...{ eventType: form.eventType, status: form.status || null, recordedAt: form.recordedAt || null },
      ...Object.fromEntries(measured),
    }
    try {
      await unitEvents.record(me.principal, id, event, me.lang)
      return { to: `/console/units/${id}`, done: 'saved' }
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 400) throw error
      const field = MEASURES.find((name) => error.message.startsWith(name)) ?? ''
      return one(me, request, [{ field, message: error.message }])
    }
  }
}

const textOf = (problem: Problem) => problem.fields.rows?.join(' · ') ?? problem.message

const trailOf = ({ t }: SignedIn, id: string, title: string) => [
  { href: '/console/passports', text: t('nav.passports') },
  { href: `/console/passports/${id}`, text: title },
]
