import { COUNTRY_CODES } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import { otherService } from '../other-modules.ts'
import type { ConsolePage, PageFile, PageRequest, SignedIn } from '../site.ts'

const SCHEMES = ['EORI', 'VAT', 'DUNS', 'NATIONAL', 'LEI', 'GLN', 'DID', 'OTHER']
const ROLES = ['MANUFACTURER', 'IMPORTER']
const CONTACT = ['address', 'email', 'phone', 'website'] as const

/** Economic operators and facilities. */
export default (services: Cradle): PageFile => ({
  pages: [listPage(services), ...operatorPages(services), ...facilityPages(services)],
})

function listPage(services: Cradle): ConsolePage {
  const { facilities, operators } = services
  return {
    path: 'company',
    needs: 'operator:read',
    nav: { group: 'company', order: 0 },
    async show({ principal, can, t }) {
      const [foundOperators, foundFacilities] = await Promise.all([
        operators.list(principal, true),
        can('facility:read') ? facilities.list(principal) : [],
      ])
      const data = {
        ...{ operators: foundOperators, facilities: foundFacilities },
        hasBrand: can('company:write') && otherService(services, 'brands') !== undefined,
      }
      return {
        title: t('nav.company'),
        template: 'company',
        data,
        api: 'GET /api/v1/operators\nGET /api/v1/facilities',
      }
    },
  }
}

function operatorPages({ consoleInput, operators }: Cradle): ConsolePage[] {
  const view = (me: SignedIn, values: object, id?: string) => ({
    title: me.t(id === undefined ? 'operator.new' : 'operator.edit'),
    template: 'operator',
    data: { values, id, schemes: optionsOf(me, 'scheme', SCHEMES), roles: optionsOf(me, 'operatorRole', ROLES) },
    trail: trailOf(me),
    api: id === undefined ? 'POST /api/v1/operators' : `PATCH /api/v1/operators/${id}`,
  })
  return [
    {
      path: 'operators/new',
      needs: 'operator:create',
      show: (me, { form }) => view(me, { regIdScheme: 'EORI', role: 'MANUFACTURER', ...form }),
      async act(me, { form }) {
        const { name = '', regId = '', regIdScheme = '', role = '' } = form
        const input = { ...filled({ name, regId, regIdScheme, role }), contact: contactIn(form) }
        const errors = consoleInput.errorsIn('OperatorRegistration', input, 'operator', me.t)
        if (errors.length > 0) return { ...view(me, form), errors, status: 400 }
        const { operator } = await operators.register(me.principal, input as never, me.lang)
        return { to: `/console/operators/${operator.id}`, done: 'saved' }
      },
    },
    {
      path: 'operators/{id}',
      needs: 'operator:read',
      actNeeds: 'operator:write',
      async show(me, { id, form }) {
        const operator = await operators.get(me.principal, id)
        const { contact, ...values } = operator
        return { ...view(me, { ...values, ...prefixed(contact), ...form }, id), title: operator.name }
      },
      async act(me, { id, form }) {
        const input = { ...filled({ name: form.name, role: form.role }), contact: contactIn(form) }
        const errors = consoleInput.errorsIn('OperatorUpdate', input, 'operator', me.t)
        if (errors.length > 0) return { ...view(me, form, id), errors, status: 400 }
        await operators.update(me.principal, id, input, undefined)
        return { to: '/console/company', done: 'saved' }
      },
    },
    {
      path: 'operators/{id}/remove',
      needs: 'operator:write',
      async show(me, { id }) {
        const operator = await operators.get(me.principal, id)
        return {
          title: me.t('operator.remove'),
          template: 'sure',
          data: sure(me.t('operator.removeText', { name: operator.name }), `operators/${id}/remove`, 'operator.remove'),
          trail: trailOf(me),
          api: `DELETE /api/v1/operators/${id}`,
        }
      },
      async act({ principal }, { id }) {
        const { archived } = await operators.remove(principal, id, undefined)
        return { to: '/console/company', done: archived ? 'archived' : 'removed' }
      },
    },
    {
      path: 'operators/{id}/restore',
      needs: 'operator:write',
      show: (_, { id }) => ({ to: `/console/operators/${id}` }),
      async act({ principal }, { id }) {
        await operators.restore(principal, id)
        return { to: '/console/company', done: 'restored' }
      },
    },
  ]
}

function facilityPages({ consoleInput, facilities, operators }: Cradle): ConsolePage[] {
  const view = async (me: SignedIn, values: object, id?: string) => {
    const names = new Intl.DisplayNames([me.lang], { type: 'region' })
    const order = new Intl.Collator(me.lang)
    const countries = COUNTRY_CODES.map((value) => ({ value, text: names.of(value) ?? value }))
    const found = await operators.list(me.principal, false)
    return {
      title: me.t(id === undefined ? 'facility.new' : 'facility.edit'),
      template: 'facility',
      data: {
        ...{ values, id },
        countries: [{ value: '', text: '' }, ...countries.sort((a, b) => order.compare(a.text, b.text))],
        operators: [
          { value: '', text: me.t('facility.anyOperator') },
          ...found.map((one) => ({ value: one.id, text: one.name })),
        ],
      },
      trail: trailOf(me),
      api: id === undefined ? 'POST /api/v1/facilities' : `PUT /api/v1/facilities/${id}`,
    }
  }
  const inputOf = ({ form }: PageRequest) => {
    const { gln, name, country, activity, streetAddress, city, postalCode, operator } = form
    return {
      ...filled({ gln, name, country, operatorId: operator }),
      ...nulled({ activity, streetAddress, city, postalCode }),
    }
  }
  return [
    {
      path: 'facilities/new',
      needs: 'facility:write',
      show: (me, { form }) => view(me, form),
      async act(me, request) {
        const input = inputOf(request)
        const errors = consoleInput.errorsIn('FacilityRegistration', input, 'facility', me.t)
        if (errors.length > 0) return { ...(await view(me, request.form)), errors, status: 400 }
        await facilities.register(me.principal, input as never)
        return { to: '/console/company', done: 'saved' }
      },
    },
    {
      path: 'facilities/{id}',
      needs: 'facility:read',
      actNeeds: 'facility:write',
      async show(me, { id, form }) {
        const facility = await facilities.get(me.principal, id)
        return { ...(await view(me, { ...facility, ...form }, id)), title: facility.name }
      },
      async act(me, request) {
        const { gln: _, operatorId: __, ...input } = inputOf(request) as Record<string, string | null>
        const errors = consoleInput.errorsIn('FacilityUpdate', input, 'facility', me.t)
        if (errors.length > 0) return { ...(await view(me, request.form, request.id)), errors, status: 400 }
        await facilities.update(me.principal, request.id, input, undefined)
        return { to: '/console/company', done: 'saved' }
      },
    },
    {
      path: 'facilities/{id}/remove',
      needs: 'facility:write',
      async show(me, { id }) {
        const facility = await facilities.get(me.principal, id)
        return {
          title: me.t('facility.remove'),
          template: 'sure',
          data: sure(
            me.t('facility.removeText', { name: facility.name }),
            `facilities/${id}/remove`,
            'facility.remove',
          ),
          trail: trailOf(me),
          api: `DELETE /api/v1/facilities/${id}`,
        }
      },
      async act({ principal }, { id }) {
        await facilities.remove(principal, id, undefined)
        return { to: '/console/company', done: 'removed' }
      },
    },
  ]
}

type Texts = Readonly<Record<string, string | null | undefined>>

const filled = (texts: Texts) => Object.fromEntries(Object.entries(texts).filter(([, text]) => text))
const nulled = (texts: Texts) => Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text || null]))
const contactIn = (form: PageRequest['form']) =>
  Object.fromEntries(CONTACT.map((name) => [name, form[`contact.${name}`] || null]))
const prefixed = (contact: object = {}) =>
  Object.fromEntries(Object.entries(contact).map(([name, text]) => [`contact.${name}`, text]))

const sure = (text: string, path: string, button: string) => ({ text, path, button, back: '/console/company' })

const optionsOf = ({ t }: SignedIn, group: string, values: readonly string[]) =>
  values.map((value) => ({ value, text: t(`${group}.${value}`) }))

const trailOf = ({ t }: SignedIn) => [{ href: '/console/company', text: t('nav.company') }]
