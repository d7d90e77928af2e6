import { isRecord, Problem } from '../../../../src/plugin/index.ts'
import { badRequest, once, paddedGtin } from '../../../../src/plugin/module.ts'
import {
  type CatalogueQuery,
  countStates,
  findPassports,
  MAX_COUNTED,
  SORTS,
  synchronise,
  usedCategories,
} from '../catalogue-rows.ts'
import type { Cradle } from '../cradle.ts'
import { faultOf, missing } from '../faults.ts'
import { sameProduct } from '../same-product.ts'
import type { Attention, FieldError, Outcome, PageFile, PageRequest, SignedIn } from '../site.ts'
import { formatsOf } from '../view-formats.ts'

const PAGE = 25
const STATUSES = ['DRAFT', 'ACTIVE', 'RECALLED', 'DECOMMISSIONED']

export default function listPages(services: Cradle): PageFile {
  const { consoleEditor: editor, database, operators, facilities, passportIntake, passportRules, plugins } = services
  /** First day of the passport requirement by category (Regulation (EU) 2024/1781, Article 9). */
  const requirements = new Map(
    [...plugins.categories].flatMap(([category, { schema }]) => {
      const availability = schema?.['x-availability']
      return isRecord(availability) && typeof availability.from === 'string' ? [[category, availability.from]] : []
    }),
  )
  const synchronised = new Map<string, () => Promise<unknown>>()

  return {
    pages: [
      { path: 'passports', needs: 'passport:read', nav: { group: 'work', order: 10 }, show: list },
      {
        path: 'passports/new',
        needs: 'passport:create',
        show: (me, request) => form(me, { typed: request.form }),
        act: create,
      },
    ],
    async attention(me) {
      const { principal, t, can } = me
      if (!can('passport:update')) return []
      await catalogue(principal.tenantId)
      const session = database.forTenant(principal.tenantId)
      const [{ drafts, unsealed }, used] = await Promise.all([
        countStates(session, principal.tenantId, principal.operatorId),
        usedCategories(session, principal.tenantId, [...requirements.keys()]),
      ])
      return [
        ...upcoming(me, used),
        {
          order: 20,
          count: drafts,
          text: t('passports.drafts', { count: drafts }),
          href: '/console/passports?status=DRAFT',
        },
        ...(can('passport:seal')
          ? [
              {
                order: 30,
                count: unsealed,
                text: t('passports.unsealedMany', { count: unsealed }),
                href: '/console/passports?status=ACTIVE&seal=no',
              },
            ]
          : []),
      ]
    },
  }

  /** Requirements that begin later, for the categories of the workspace. */
  function upcoming(me: SignedIn, used: readonly string[]): Attention[] {
    const names = new Map(editor.categories(me).map(({ value, text }) => [value, text]))
    const { day } = formatsOf(me.lang)
    return used.flatMap((category): Attention[] => {
      const from = requirements.get(category)
      if (from === undefined || Date.parse(from) < Date.now()) return []
      const text = me.t('home.mandatory', { category: names.get(category), date: day(from) })
      return [{ order: 60, text, href: `/console/passports?status=DRAFT&category=${encodeURIComponent(category)}` }]
    })
  }

  /** Once per process: changes of other processes, or from before the console was on. */
  function catalogue(tenantId: string): Promise<unknown> {
    let first = synchronised.get(tenantId)
    if (first === undefined) {
      first = once(() => synchronise(database.forTenant(tenantId), tenantId))
      synchronised.set(tenantId, first)
    }
    return first()
  }

  async function list(me: SignedIn, { query }: PageRequest): Promise<Outcome> {
    const { principal, lang, t } = me
    await catalogue(principal.tenantId)
    const page = Math.min(10_000, Math.max(1, Number.parseInt(query.page ?? '1', 10) || 1))
    const asked = catalogueQuery(query, principal.operatorId, page)
    const rows = await findPassports(database.forTenant(principal.tenantId), principal.tenantId, asked)
    const counted = rows[0]?.total ?? 0
    const isMany = counted > MAX_COUNTED
    const categories = editor.categories(me)
    const names = new Map(categories.map(({ value, text }) => [value, text]))
    const total = Math.min(counted, MAX_COUNTED)
    const pages = isMany ? undefined : Math.max(1, Math.ceil(total / PAGE))
    const isFiltered = ['q', 'status', 'category', 'seal'].some((name) => (query[name] ?? '') !== '')
    return {
      title: t('passports.title'),
      template: 'passports',
      api: 'GET /api/v1/passports?page=1&limit=25',
      data: {
        ...{
          rows,
          total,
          isMany,
          page,
          pages,
          isFiltered,
          query,
          categories,
          statuses: STATUSES,
          sorts: SORTS,
          lang,
          sort: asked.sort,
        },
        nameOf: (category: string | null) => names.get(category ?? '') ?? category ?? '',
        previous: page > 1 ? address(query, page - 1) : undefined,
        following: counted > page * PAGE ? address(query, page + 1) : undefined,
      },
    }
  }

  async function form(me: SignedIn, { typed = {}, errors = [], shared }: FormState): Promise<Outcome> {
    const { principal, t } = me
    const [companies, sites] = await Promise.all([
      operators.list(principal, false),
      me.can('facility:read') ? facilities.list(principal) : [],
    ])
    return {
      title: t('create.title'),
      template: 'passport-new',
      errors,
      status: errors.length > 0 ? 400 : 200,
      trail: [{ href: '/console/passports', text: t('nav.passports') }],
      api: 'POST /api/v1/passports',
      data: {
        ...{ typed, shared },
        categories: [{ value: '', text: t('create.choose') }, ...editor.categories(me)],
        operators: [
          { value: '', text: t('editor.none') },
          ...companies.map(({ id, name }) => ({ value: id, text: name })),
        ],
        facilities: [
          { value: '', text: t('create.none') },
          ...sites.map(({ id, name, gln }) => ({ value: id, text: `${name} (${gln})` })),
        ],
      },
    }
  }

  async function create(me: SignedIn, request: PageRequest): Promise<Outcome> {
    const { principal, lang, t } = me
    const { category = '', product = '', operator, facility } = request.form
    const errors: FieldError[] = []
    if (!editor.categories(me).some(({ value }) => value === category)) {
      errors.push({ field: 'category', message: t('create.choose') })
    }
    if (operator === '') errors.push({ field: 'operator', message: missing(t, 'create.operator') })
    const productId = paddedGtin(product) ?? product
    let shared: readonly string[] = []
    try {
      if (productId === '') throw badRequest(t('create.productMissing'))
      const companyId = principal.operatorId ?? (operator || (await operators.list(principal, false))[0]?.id)
      shared = await sameProduct(services, me, passportRules.identify(productId), companyId)
      if (request.form.shared !== productId) errors.push(...shared.map((message) => ({ field: 'product', message })))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      errors.push({ ...faultOf(error, t), field: 'product' })
    }
    if (errors.length > 0)
      return form(me, { typed: request.form, errors, shared: shared.length > 0 ? productId : undefined })
    try {
      const { passport } = await passportIntake.create(
        principal,
        { productId, metadata: { category }, draft: true, operatorId: operator || null, facilityId: facility || null },
        lang,
      )
      return { to: `/console/passports/${passport.id}/edit`, done: 'created' }
    } catch (error) {
      if (!(error instanceof Problem) || ![400, 403, 409].includes(error.status)) throw error
      return form(me, { typed: request.form, errors: [{ ...faultOf(error, t), field: 'product' }] })
    }
  }
}

interface FormState {
  readonly typed?: PageRequest['form']
  readonly errors?: readonly FieldError[]
  /** Product id of another company's passport: the person may create one nevertheless. */
  readonly shared?: string | undefined
}

function catalogueQuery(query: PageRequest['query'], operatorId: string | null, page: number): CatalogueQuery {
  const { q = '', status = '', category = '', seal = '', sort = '' } = query
  return {
    text: q,
    status: STATUSES.includes(status) ? status : null,
    category: category === '' ? null : category,
    isSealed: seal === '' ? null : seal === 'yes',
    sort: SORTS.find((known) => known === sort) ?? 'updated',
    operatorId,
    limit: PAGE,
    offset: (page - 1) * PAGE,
  }
}

function address(query: PageRequest['query'], page: number): string {
  const kept = Object.entries(query).filter(
    (entry): entry is [string, string] =>
      entry[0] !== 'page' && entry[0] !== 'done' && entry[1] !== undefined && entry[1] !== '',
  )
  return `/console/passports?${new URLSearchParams([...kept, ['page', String(page)]])}`
}
