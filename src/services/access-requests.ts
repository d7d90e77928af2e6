import type { Config } from '../config.ts'
import { type AccessRequest, parseAccessRequest } from '../domain/grants.ts'
import { notFound } from '../domain/problem.ts'
import type { AccessRequestView, RenderContext, Rendered } from '../plugin/contracts.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'
import type { Candidate, Renditions } from '../publication/renditions.ts'
import type { Database } from '../storage/database.ts'
import { loadPassport } from '../storage/passport-rows.ts'
import type { Grants } from './grants.ts'
import type { Resolution } from './resolution.ts'

/** What a visitor asks for: the passport or unit of the address, and the language. */
export interface AccessTarget {
  readonly passport?: string
  readonly unit?: string
  readonly lang: string
}

/** The public page on which access to the restricted values of a passport is asked for (decisions on grant requests). */
export class AccessRequests {
  readonly #baseUrl: string
  readonly #database: Database
  readonly #resolution: Resolution
  readonly #grants: Grants
  readonly #renditions: Renditions
  readonly #plugins: LoadedPlugins

  constructor(dependencies: {
    config: Config
    database: Database
    resolution: Resolution
    grants: Grants
    renditions: Renditions
    plugins: LoadedPlugins
  }) {
    this.#baseUrl = dependencies.config.baseUrl
    this.#database = dependencies.database
    this.#resolution = dependencies.resolution
    this.#grants = dependencies.grants
    this.#renditions = dependencies.renditions
    this.#plugins = dependencies.plugins
  }

  /** @throws Problem 404 when no published passport is named */
  async show(target: AccessTarget): Promise<Rendered> {
    const { candidate, company } = await this.#find(target)
    return this.#page(candidate, company, target.lang, { values: NOTHING, errors: [] }, false)
  }

  /** Keeps a request, or shows what is wrong with it and keeps nothing. */
  async submit(target: AccessTarget, fields: Readonly<Record<string, unknown>>) {
    const { candidate, company } = await this.#find(target)
    const request = parseAccessRequest(fields)
    const isSent = request.errors.length === 0
    if (isSent) await this.#grants.request(candidate, request)
    return { isSent, page: this.#page(candidate, company, target.lang, request, isSent) }
  }

  async #find({ passport }: AccessTarget): Promise<{ candidate: Candidate; company: string }> {
    const candidate = passport === undefined ? undefined : await this.#resolution.byId(passport)
    const row =
      candidate === undefined || candidate.status === 'DRAFT'
        ? undefined
        : await loadPassport(this.#database.forTenant(candidate.tenantId), candidate.id)
    if (candidate === undefined || row === undefined) throw notFound('There is no public passport at this address.')
    return { candidate, company: row.operator.name }
  }

  #page(candidate: Candidate, company: string, lang: string, request: AccessRequest, isSent: boolean): Rendered {
    const plugin = this.#plugins.representations.find(isForm)
    if (plugin === undefined) throw notFound('No representation that shows forms is loaded.')
    const view: AccessRequestView = {
      company,
      query: `passport=${candidate.id}&lang=${lang}`,
      passportUrl: `${this.#baseUrl}/passport/${candidate.id}`,
      request,
      isSent,
    }
    return plugin.renderAccessRequest(view, this.#renditions.contextFor(plugin, lang))
  }
}

const NOTHING = { granteeName: '', granteeEmail: null, organization: null, purpose: null }

type FormPlugin = LoadedPlugins['representations'][number] & {
  renderAccessRequest(page: AccessRequestView, context: RenderContext): Rendered
}
const isForm = (plugin: LoadedPlugins['representations'][number]): plugin is FormPlugin =>
  plugin.renderAccessRequest !== undefined
