import type { Cradle } from '../cradle.ts'
import { kindsOf } from '../domain/actors.ts'
import { type AccessRequest, followUrl, parseAccessRequest, requestState, subjectUrl } from '../domain/grants.ts'
import { IDENTIFIER_SCHEMES } from '../domain/identifier-schemes.ts'
import { notFound } from '../domain/problem.ts'
import type { Schema } from '../domain/schema.ts'
import type { PassportRow } from '../passports/passport-columns.ts'
import type { AccessRequestView, Rendered } from '../plugin/contracts.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'
import type { Candidate } from '../resolution/candidates.ts'

interface AccessTarget {
  readonly passport?: string
  readonly unit?: string
  readonly lang: string
}

declare module '../cradle.ts' {
  interface Cradle {
    accessRequests: ReturnType<typeof accessRequests>
  }
}

export default function accessRequests({
  passportRows,
  config,
  database,
  resolution,
  grantRequests,
  moduleHooks,
  renditions,
  plugins,
}: Cradle) {
  const baseUrl = config.baseUrl

  return { show, submit, showStatus }

  /** @throws Problem 404 if the target is not public */
  async function show(target: AccessTarget): Promise<Rendered> {
    const { candidate, row } = await find(target)
    return page(candidate, row, target.lang, { values: NOTHING, errors: [] })
  }

  async function submit(target: AccessTarget, form: Schema<'AccessRequestForm'>) {
    const { candidate, row } = await find(target)
    const request = parseAccessRequest(form)
    const isSent = request.errors.length === 0
    const reference = isSent ? await grantRequests.request(candidate, request, target.lang) : undefined
    return { isSent, page: page(candidate, row, target.lang, request, reference) }
  }

  /** @throws Problem 404 */
  async function showStatus(reference: string, lang: string): Promise<Rendered> {
    const request = await grantRequests.follow(reference)
    const row = request && (await passportRows.load(database.forTenant(request.tenantId), request.passportId ?? ''))
    if (!request || !row) throw notFound('No access request at this address.')
    const plugin = formPlugin()
    const view = {
      ...namesIn(row),
      subjectUrl: subjectUrl(baseUrl, request),
      state: requestState(request, new Date()),
      expiresAt: request.expiresAt.toISOString(),
      isMailed: moduleHooks.mailsDecisions(),
    }
    return plugin.renderAccessStatus(view, renditions.contextFor(plugin, lang))
  }

  async function find({ passport, unit }: AccessTarget): Promise<{ candidate: Candidate; row: PassportRow }> {
    const candidate = await (unit === undefined ? resolution.byId(passport ?? '') : resolution.byUnitId(unit))
    const isOpen = candidate !== undefined && candidate.status !== 'DRAFT' && !candidate.unit?.ceasedAt
    const row = isOpen ? await passportRows.load(database.forTenant(candidate.tenantId), candidate.id) : undefined
    if (candidate === undefined || row === undefined) throw notFound('No public passport at this address.')
    return { candidate, row }
  }

  function page(
    candidate: Candidate,
    row: PassportRow,
    lang: string,
    request: AccessRequest,
    reference?: string,
  ): Rendered {
    const plugin = formPlugin()
    const [kind, id] = candidate.unit === undefined ? ['passport', candidate.id] : ['unit', candidate.unit.id]
    const view: AccessRequestView = {
      ...namesIn(row),
      query: `${kind}=${id}&lang=${lang}`,
      subjectUrl: subjectUrl(baseUrl, { passportId: candidate.id, batteryUnitId: candidate.unit?.id ?? null }),
      request,
      actorKinds: kindsOf('legitimateInterest'),
      identifierSchemes: IDENTIFIER_SCHEMES,
      sent:
        reference === undefined
          ? undefined
          : { followUrl: followUrl(baseUrl, reference, lang), isMailed: moduleHooks.mailsDecisions() },
    }
    return plugin.renderAccessRequest(view, renditions.contextFor(plugin, lang))
  }

  function formPlugin(): FormPlugin {
    const plugin = plugins.representations.find(isForm)
    if (plugin === undefined) throw notFound('No representation with forms is loaded. Add it to PLUGINS.')
    return plugin
  }
}

const namesIn = ({ operator, metadata, productId }: PassportRow) => ({
  company: operator.name,
  product: { name: metadata.productName, id: productId },
})

const { values: NOTHING } = parseAccessRequest({})

type FormPlugin = LoadedPlugins['representations'][number] &
  Required<Pick<LoadedPlugins['representations'][number], 'renderAccessRequest' | 'renderAccessStatus'>>
const isForm = (plugin: LoadedPlugins['representations'][number]): plugin is FormPlugin =>
  plugin.renderAccessRequest !== undefined && plugin.renderAccessStatus !== undefined
