import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { Problem } from '../../../../src/plugin/index.ts'
import { assertNotSuspended, forbidden } from '../../../../src/plugin/module.ts'
import { faultOf } from '../faults.ts'
import {
  cookieName,
  cookieOf,
  headerOf,
  isCompressible,
  isOwnForm,
  type OpenOutcome,
  type RawRequest,
  setCookie,
  type Visitor,
} from '../http.ts'
import { formOf, readMultipart } from '../multipart.ts'
import { type OpenServices, openPages } from '../open-pages.ts'
import { isEqual } from '../secrets.ts'
import type { ConsolePage, Outcome, PageRequest, SignedIn, View } from '../site.ts'
import type pagesFactory from './console-pages.ts'
import type sessionsFactory from './console-sessions.ts'
import type { FoundSession } from './console-sessions.ts'
import type viewFactory from './console-view.ts'

const compress = promisify(brotliCompress)
/** Pages of the session itself: a new session does not need them, so a sign-in leads home instead. */
const OF_SESSION = ['sign-out', 'confirm']
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

type Status = 200 | 400 | 401 | 402 | 403 | 404 | 409 | 412 | 413 | 415

interface Content<S extends Status> {
  readonly status: S
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>
  readonly contentType: string
  readonly headers: Record<string, string>
}

type Answer = { readonly status: 303; readonly headers: Record<string, string> } | { [S in Status]: Content<S> }[Status]

const contentOf = (status: Status, content: Omit<Content<Status>, 'status'>) => ({ ...content, status }) as Answer

interface SiteServices extends OpenServices {
  readonly consolePages: ReturnType<typeof pagesFactory>
  readonly consoleSessions: ReturnType<typeof sessionsFactory>
  readonly consoleView: ReturnType<typeof viewFactory>
}

/** Answers all addresses of the console. */
export default function consoleSite(services: SiteServices) {
  const { config, consolePages, consoleSessions, consoleView, translator } = services
  const { baseUrl } = config
  const open = new Map(openPages(services).map((page) => [page.path, page]))

  return {
    show: (request: RawRequest) => answer('show', request),
    act: (request: RawRequest) => answer('act', request),
  }

  async function answer(kind: 'show' | 'act', raw: RawRequest): Promise<Answer> {
    const found = await consoleSessions.find(cookieOf(raw.headers, cookieName(baseUrl, 'session')))
    const visitor = visitorOf(raw, found)
    const path = ['/console', ...raw.segments].join('/')
    const [first = '', id = ''] = raw.segments
    const isTooLarge = Buffer.isBuffer(raw.body) && raw.body.length === 0
    const page = open.get(raw.segments.length > 1 ? `${first}/{id}` : first)
    try {
      const request = await requestOf(isTooLarge ? { ...raw, body: undefined } : raw, id)
      if (page !== undefined) {
        if (kind === 'act' && !isOwnForm(raw.headers, baseUrl)) throw foreignForm()
        const outcome = await page[kind]?.(visitor, request)
        if (outcome === undefined) throw noPage()
        return await toAnswer(outcome, visitor, path)
      }
      if (found === undefined || visitor.me === undefined) return await signInFirst(kind, request, raw, visitor)
      if (isTooLarge) return await toAnswer(await tooLarge({ ...found, ...visitor.me }, request, raw), visitor, path)
      return await toAnswer(await member(kind, { ...found, ...visitor.me }, request, raw), visitor, path)
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500 || error.status === 429) throw error
      return toAnswer(problemView(error, visitor), visitor, path, error.status as Status)
    }
  }

  async function member(
    kind: 'show' | 'act',
    me: SignedIn & FoundSession,
    request: PageRequest,
    raw: RawRequest,
  ): Promise<Outcome> {
    assertNotSuspended(me.principal)
    const page = await consolePages.find(raw.segments)
    if (page === undefined) throw noPage()
    if (page.needs !== null && !me.can(page.needs)) throw lacksRight(me)
    if (kind === 'act') {
      if (!isOwnForm(raw.headers, baseUrl)) throw foreignForm()
      // The form belongs to another session of this browser: it is shown again, and nothing is stored.
      if (!isEqual(request.form.csrf ?? '', me.csrf)) {
        if (page.show === undefined || (page.isSensitive && !me.isFresh)) throw foreignForm()
        return again(page, me, request, foreignForm(me.t('resend.check')), 'notSent')
      }
      if (page.actNeeds !== undefined && !me.can(page.actNeeds)) throw lacksRight(me)
      assertMayWrite(page, me)
    }
    if (page.isSensitive && !(kind === 'act' ? me.isFreshForForm : me.isFresh)) {
      const first = { to: `/console/confirm?next=${encodeURIComponent(addressOf(raw))}` }
      return (kind === 'act' ? resendView(request, raw, { ...first, why: 'confirm.why' }, me) : undefined) ?? first
    }
    if (kind === 'show') return (await page.show?.(me, request)) ?? Promise.reject(noPage())
    if (page.act === undefined) throw noPage()
    return Promise.resolve(page.act(me, request)).catch((error) => again(page, me, request, error))
  }

  /** The gateway does not read a file over the limit: nothing is changed, and the form has lost its other values. */
  async function tooLarge(me: SignedIn & FoundSession, request: PageRequest, raw: RawRequest): Promise<Outcome> {
    const view = await member('show', me, request, raw)
    if (!('template' in view)) return view
    return { ...view, status: 413, errors: [{ field: 'file', message: me.t('form.tooLarge') }] }
  }

  /**
   * Shows the form again with the error of the use case.
   * @param done message on the page that a page without a form leads to
   */
  async function again(
    page: ConsolePage,
    me: SignedIn,
    request: PageRequest,
    error: unknown,
    done?: string,
  ): Promise<Outcome> {
    const isShown = error instanceof Problem && [400, 403, 409, 412].includes(error.status)
    if (!isShown || page.show === undefined) throw error
    const view = await page.show(me, request)
    if ('to' in view && done !== undefined) return { to: view.to, done }
    if (!('template' in view)) throw error
    return { ...view, status: error.status as View['status'] & {}, errors: [faultOf(error, me.t)] }
  }

  function visitorOf({ headers, query, lang }: RawRequest, found: FoundSession | undefined): Visitor {
    const chosen = cookieOf(headers, cookieName(baseUrl, 'lang'))
    const isChosen = !('lang' in query) && chosen !== undefined && translator.languages.has(chosen)
    const used = isChosen ? chosen : lang
    const t = (key: string, params?: object) => translator.translate(used, 'console', key, params)
    return {
      me: found && { ...found, lang: used, t },
      ...{ lang: used, t, agent: headerOf(headers, 'user-agent') ?? '' },
      takesCompressed: isCompressible(headers),
      flow: cookieOf(headers, cookieName(baseUrl, 'flow')),
      next: cookieOf(headers, cookieName(baseUrl, 'next')),
      done: /^\w{1,40}$/.exec(queryOf(query).done ?? '')?.[0],
    }
  }

  async function signInFirst(
    kind: 'show' | 'act',
    request: PageRequest,
    raw: RawRequest,
    visitor: Visitor,
  ): Promise<Answer> {
    const hadSession = cookieOf(raw.headers, cookieName(baseUrl, 'session')) !== undefined
    const isOfSession = OF_SESSION.includes(raw.segments.join('/'))
    const hasPage = !isOfSession && (await consolePages.find(raw.segments))?.show !== undefined
    const signIn = `/console/sign-in?next=${encodeURIComponent(hasPage ? addressOf(raw) : '/console')}`
    if (kind === 'act' && !isOfSession && isOwnForm(raw.headers, baseUrl)) {
      const view = resendView(
        request,
        raw,
        { to: '/console/sign-in?next=/console/me', why: 'done.sessionEnded' },
        visitor,
      )
      if (view !== undefined) return toAnswer(view, visitor, '/console', 401)
    }
    return redirect(`${signIn}${hadSession || kind === 'act' ? '&done=ended' : ''}`)
  }

  async function toAnswer(outcome: OpenOutcome, visitor: Visitor, path: string, status?: Status): Promise<Answer> {
    // The page after the sign-in is reached.
    const spent = visitor.me && visitor.next !== undefined ? setCookie(baseUrl, 'next', '', 0) : undefined
    const line = ('cookie' in outcome ? outcome.cookie : undefined) ?? spent
    const cookie: Record<string, string> = line === undefined ? {} : { 'Set-Cookie': line }
    if ('json' in outcome) {
      const body = JSON.stringify(outcome.json)
      return contentOf(status ?? 200, { body, contentType: 'application/json; charset=utf-8', headers: cookie })
    }
    if ('to' in outcome) {
      const { to, done } = outcome
      return redirect(done === undefined ? to : `${to}${to.includes('?') ? '&' : '?'}done=${done}`, cookie)
    }
    if ('framed' in outcome) {
      // Links and forms of the page do nothing inside the frame.
      const headers = {
        'Content-Security-Policy': "frame-ancestors 'self'; sandbox",
        'Cache-Control': 'private, no-store',
        'Referrer-Policy': 'no-referrer',
      }
      return contentOf(200, { body: outcome.framed, contentType: 'text/html; charset=utf-8', headers })
    }
    if ('file' in outcome) {
      const headers = { 'Content-Disposition': `attachment; filename="${outcome.file}"` }
      return contentOf(200, { body: outcome.body, contentType: outcome.type, headers })
    }
    const { me, lang, t } = visitor
    const navigation = me === undefined ? [] : await consolePages.navigation(me)
    const { body, headers } = consoleView.render(outcome, {
      ...{ lang, t, me, navigation, path, done: visitor.done, languages: translator.languages },
    })
    const contentType = 'text/html; charset=utf-8'
    const encoding: Record<string, string> = visitor.takesCompressed ? { 'Content-Encoding': 'br' } : {}
    return contentOf(status ?? outcome.status ?? 200, {
      body: visitor.takesCompressed ? await compress(body, QUALITY) : body,
      contentType,
      headers: { ...headers, ...cookie, ...encoding },
    })
  }
}

/** Address of the page, with its parameters. */
function addressOf({ segments, query }: RawRequest): string {
  const { done: _, lang: __, next: ___, ...rest } = queryOf(query)
  const parameters = Object.entries(rest).map(([name, value = '']) => `${name}=${encodeURIComponent(value)}`)
  return `${['/console', ...segments].join('/')}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`
}

/** Page that keeps a form until its sender has signed in elsewhere; undefined if there is nothing to keep. */
function resendView(
  { form, files }: PageRequest,
  raw: RawRequest,
  { to, why }: { readonly to: string; readonly why: string },
  { t }: Pick<Visitor, 't'>,
): View | undefined {
  const { csrf: _, ...typed } = form
  if (Object.keys(typed).length === 0 || Object.keys(files).length > 0) return undefined
  const data = { to, typed: Object.entries(typed), action: addressOf(raw), why: t(why) }
  return { title: t('resend.title'), template: 'resend', data, status: 403 }
}

async function requestOf({ query, body, headers }: RawRequest, id: string): Promise<PageRequest> {
  const base = { id, query: queryOf(query), agent: headerOf(headers, 'user-agent') ?? '' }
  if (Buffer.isBuffer(body)) return { ...base, ...(await readMultipart(body)) }
  return { ...base, form: formOf(body), files: {} }
}

/** Without repeated parameters. */
function queryOf(query: object): PageRequest['query'] {
  const one: Record<string, string | undefined> = Object.create(null)
  for (const [name, value] of Object.entries(query)) if (typeof value === 'string') one[name] = value.trim()
  return one
}

const redirect = (to: string, headers: Record<string, string> = {}): Answer => ({
  status: 303,
  headers: { ...headers, Location: to, 'Cache-Control': 'private, no-store' },
})

/** Members of a workspace that requires it sign in with a passkey, as sessions of the API do; a lapsed plan only reads. */
function assertMayWrite({ isForAll }: ConsolePage, { principal, t }: SignedIn): void {
  if (isForAll) return
  if (principal.workspace.requireMfa && !principal.mfa) throw forbidden(t('problem.mfa'))
  if (principal.workspace.subscription === 'lapsed') {
    throw new Problem(402, t('problem.lapsed'), { title: 'Payment Required' })
  }
}

const noPage = () => new Problem(404, '', { title: 'Not Found' })
const lacksRight = ({ t }: SignedIn) => forbidden(t('problem.right'))
const foreignForm = (text = '') => new Problem(403, text, { title: 'Forbidden' })

/** Texts of the console by status; a message of a use case is shown as it is. */
function problemView({ status, message }: Problem, { t, me }: Visitor): View {
  const text = message === '' ? t(`problem.text${status}`) : message
  return {
    title: t(`problem.title${status}`, { defaultValue: t('problem.title') }),
    template: 'problem',
    data: { text, me },
  }
}
