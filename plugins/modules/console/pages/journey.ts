import { Problem } from '../../../../src/plugin/index.ts'
import { COUNTRY_CODES } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import { otherService } from '../other-modules.ts'
import type { Outcome, PageFile, PageRequest, SignedIn } from '../site.ts'

const AUDIENCES = ['public', 'legitimateInterest', 'authority'] as const

/** Supply chain of a product and its screening; empty without the module of the events. */
export default function journeyPages(services: Cradle): PageFile {
  const { consoleEditor: editor, translator } = services
  const [journeys, traceability] = [otherService(services, 'journeys'), otherService(services, 'traceability')]
  if (journeys === undefined || traceability === undefined) return { pages: [] }
  const [used, events] = [journeys, traceability]
  return {
    pages: [
      { path: 'passports/{id}/journey', needs: 'passport:read', actNeeds: 'passport:publish', show, act },
      { path: 'passports/{id}/screening', needs: 'passport:read', show: screen },
    ],
  }

  async function show(me: SignedIn, { id, form }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    const state = await used.read(me.principal, row.id)
    const regions = new Intl.DisplayNames([me.lang], { type: 'region' })
    const nameOf = ({ name, country, uri }: NonNullable<typeof state.journey>['steps'][number]['place']) =>
      [name ?? uri, country === null ? undefined : (regions.of(country) ?? country)].filter(Boolean).join(', ')
    return {
      title: me.t('journey.title'),
      template: 'journey',
      trail: trailOf(me, row.id, editor.titleOf(row, me.lang)),
      api: `GET /api/v1/passports/${row.id}/journey\nPUT /api/v1/passports/${row.id}/journey\n\n{ "audience": [] }`,
      data: {
        ...{ row, state, typed: form },
        steps: state.journey?.steps.map((step) => ({
          ...{ time: step.time, place: nameOf(step.place) },
          stage: translator.translate(me.lang, 'html', `journey.stage.${step.stage}`, { defaultValue: step.stage }),
        })),
        audiences: AUDIENCES.map((value) => ({ value, text: me.t(`passport.preview.${value}`) })),
      },
    }
  }

  async function act(me: SignedIn, { id, form }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    if (form.do === 'withdraw') {
      await used.withdraw(me.principal, row.id)
      return { to: `/console/passports/${row.id}/journey`, done: 'removed' }
    }
    const { unnamedPlaces } = await used.read(me.principal, row.id)
    const places = unnamedPlaces.flatMap((uri) => {
      const [name, country] = [form[`name.${uri}`], form[`country.${uri}`]?.toUpperCase()]
      const known = country !== undefined && COUNTRY_CODES.includes(country) ? country : null
      return name ? [{ uri, name, country: known }] : []
    })
    const audience = AUDIENCES.slice(1).filter((one) => one === form.audience)
    await used.publish(me.principal, row.id, { audience, places })
    return { to: `/console/passports/${row.id}/journey`, done: 'saved' }
  }

  async function screen(me: SignedIn, { id }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    const event = await used.newestEvent(me.principal, row.id)
    if (event === undefined) throw new Problem(404, me.t('journey.none'), { title: 'Not Found' })
    const result = await events.screening(me.principal, event)
    const title = editor.titleOf(row, me.lang)
    return {
      title: me.t('journey.screening'),
      template: 'screening',
      trail: [
        ...trailOf(me, row.id, title),
        { href: `/console/passports/${row.id}/journey`, text: me.t('journey.title') },
      ],
      api: `POST /api/v1/events/${event}/audit`,
      data: { result },
    }
  }
}

const trailOf = ({ t }: SignedIn, id: string, title: string) => [
  { href: '/console/passports', text: t('nav.passports') },
  { href: `/console/passports/${id}`, text: title },
]
