import { Problem } from '../../../../src/plugin/index.ts'
import type { Cradle } from '../cradle.ts'
import { otherService } from '../other-modules.ts'
import type { FieldError, Outcome, PageFile, PageRequest, SignedIn } from '../site.ts'

/** Relations that a form offers; each is a text below `links.rel`. */
const RELATIONS = ['hasPart', 'partOf', 'replaces', 'derivedFrom']

/** Links of a passport to others, and its handover to another workspace. */
export default function linkPages(services: Cradle): PageFile {
  const { consoleEditor: editor } = services
  const [links, handovers] = [otherService(services, 'links'), otherService(services, 'handovers')]
  if (links === undefined || handovers === undefined) return { pages: [] }
  const [used, offers] = [links, handovers]
  return {
    pages: [
      {
        path: 'passports/{id}/links',
        needs: 'passport:read',
        actNeeds: 'passport:publish',
        show: (me, request) => show(me, request),
        act,
      },
    ],
  }

  async function show(
    me: SignedIn,
    { id, form }: PageRequest,
    { typed = form, errors = [], offer }: LinksState = {},
  ): Promise<Outcome> {
    const row = await editor.load(me, id)
    const { links: found } = await used.list(me.principal, row.id)
    const { t } = me
    return {
      title: t('links.title'),
      template: 'links',
      errors,
      status: errors.length > 0 ? 400 : 200,
      trail: [
        { href: '/console/passports', text: t('nav.passports') },
        { href: `/console/passports/${row.id}`, text: editor.titleOf(row, me.lang) },
      ],
      api: `GET /api/v1/passports/${row.id}/links\nPOST /api/v1/passports/${row.id}/handover`,
      data: {
        ...{ row, typed, offer },
        links: found.map((link) => ({ ...link, name: t(`links.rel.${link.rel}`, { defaultValue: link.rel }) })),
        relations: RELATIONS.map((value) => ({ value, text: t(`links.rel.${value}`) })),
        mayChange: me.can('passport:publish'),
      },
    }
  }

  async function act(me: SignedIn, request: PageRequest): Promise<Outcome> {
    const { form, id } = request
    const { principal } = me
    const own = `/console/passports/${id}/links`
    try {
      if (form.do === 'offer') {
        const input = form.recipient ? { forRegId: form.recipient } : {}
        return await show(me, request, { typed: {}, offer: await offers.offerPassport(principal, id, input) })
      }
      if (form.do === 'accept') await used.accept(principal, form.link ?? '')
      else if (form.do === 'decline') await used.decline(principal, form.link ?? '')
      else if (form.do === 'remove') await used.remove(principal, form.link ?? '')
      else await used.add(principal, id, { rel: form.rel ?? '', target: form.target ?? '' })
      return { to: own, done: 'saved' }
    } catch (error) {
      if (!(error instanceof Problem) || ![400, 403, 404, 409].includes(error.status)) throw error
      const field = form.do === 'add' ? 'target' : form.do === 'offer' ? 'recipient' : ''
      return show(me, request, { errors: [{ field, message: error.message }] })
    }
  }
}

interface LinksState {
  readonly typed?: PageRequest['form']
  readonly errors?: readonly FieldError[]
  /** Code that is shown once. */
  readonly offer?: { readonly code: string; readonly expiresAt: string }
}
