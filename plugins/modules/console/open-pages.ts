import { Problem } from '../../../src/plugin/index.ts'
import type { ModuleCradle } from '../../../src/plugin/module.ts'
import { type OpenPage, ownPath, setCookie } from './http.ts'
import type oidcFactory from './services/console-oidc.ts'
import type passkeysFactory from './services/console-passkeys.ts'
import type signInFactory from './services/console-sign-in.ts'

export interface OpenServices extends ModuleCradle {
  readonly consoleOidc: ReturnType<typeof oidcFactory>
  readonly consolePasskeys: ReturnType<typeof passkeysFactory>
  readonly consoleSignIn: ReturnType<typeof signInFactory>
}

const FLOW_SECONDS = 600
/** Validity of a link that is sent by e-mail. */
const NEXT_SECONDS = 900
const YEAR_SECONDS = 31_536_000

/** Pages that need no session. */
export const openPages = (services: OpenServices): readonly OpenPage[] => [
  ...signInPages(services),
  passkeyPage(services),
  oidcPage(services),
  languagePage(services),
]

function signInPages({
  config,
  consoleOidc,
  consolePasskeys,
  consoleSignIn,
  moduleHooks,
}: OpenServices): readonly OpenPage[] {
  const { baseUrl } = config
  const data = async (next: string) => ({
    next,
    passkey: await consolePasskeys.options('sign-in'),
    isMailing: moduleHooks.sendsLetters(),
    oidc: consoleOidc.name,
  })
  return [
    {
      path: 'sign-in',
      async show({ me, t }, { query }) {
        consoleSignIn.assertSafe(t('signIn.unsafe'))
        const next = ownPath(query.next)
        if (me !== undefined) return { to: next }
        // A link is opened in another tab, or after a letter.
        const cookie = setCookie(baseUrl, 'next', next, next === '/console' ? 0 : NEXT_SECONDS)
        return { title: t('signIn.title'), template: 'sign-in', data: await data(next), cookie }
      },
      /** The same response for every address. */
      act({ t, lang }, { form }) {
        consoleSignIn.assertSafe(t('signIn.unsafe'))
        consoleSignIn.mailLinks(form.email ?? '', lang)
        return { title: t('signIn.mailed'), template: 'mailed', data: {} }
      },
    },
    {
      path: 'sign-in/{id}',
      async show({ t }, { id }) {
        consoleSignIn.assertSafe(t('signIn.unsafe'))
        const link = await consoleSignIn.look(id)
        if (link === undefined) return { title: t('link.ended'), template: 'link-ended', data: {}, status: 404 }
        return { title: t('link.title'), template: 'link', data: { link, action: `/console/sign-in/${id}` } }
      },
      async act({ t, agent, next }, { id }) {
        consoleSignIn.assertSafe(t('signIn.unsafe'))
        const secret = await consoleSignIn.use(id, agent)
        if (secret === undefined) return { title: t('link.ended'), template: 'link-ended', data: {}, status: 404 }
        return { to: ownPath(next), cookie: setCookie(baseUrl, 'session', secret) }
      },
    },
  ]
}

const passkeyPage = ({ config, consolePasskeys, consoleSignIn }: OpenServices): OpenPage => ({
  path: 'passkey',
  async act({ agent, t }, { form }) {
    consoleSignIn.assertSafe(t('signIn.unsafe'))
    const secret = await consolePasskeys.signIn(form.response, agent)
    return { to: ownPath(form.next), cookie: setCookie(config.baseUrl, 'session', secret) }
  },
})

/** POST begins a request; the provider redirects to GET, which the cookie of the request protects. */
const oidcPage = ({ config, consoleOidc, consoleSignIn }: OpenServices): OpenPage => ({
  path: 'oidc',
  async act({ me, t }, { form }) {
    consoleSignIn.assertSafe(t('signIn.unsafe'))
    const purpose = me === undefined ? 'sign-in' : form.purpose === 'connect' ? 'connect' : 'confirm'
    if (purpose === 'connect' && me?.isFresh === false) return { to: '/console/confirm?next=/console/me' }
    const { to, secret } = await consoleOidc.begin(purpose, ownPath(form.next), me)
    return { to, cookie: setCookie(config.baseUrl, 'flow', secret, FLOW_SECONDS) }
  },
  async show({ me, agent, flow, t }, { query }) {
    try {
      const { next, session } = await consoleOidc.end(flow, query, { me, agent })
      return { to: next, ...(session === undefined ? {} : { cookie: setCookie(config.baseUrl, 'session', session) }) }
    } catch (error) {
      if (!(error instanceof Problem) || !error.message.startsWith('oidc.')) throw error
      throw new Problem(error.status, t(error.message), error.fields)
    }
  },
})

const languagePage = ({ config, translator }: OpenServices): OpenPage => ({
  path: 'language',
  show({ t, lang }, { query }) {
    const next = ownPath(query.next)
    if (query.to !== undefined && translator.languages.has(query.to)) {
      return { to: next, cookie: setCookie(config.baseUrl, 'lang', query.to, YEAR_SECONDS) }
    }
    const languages = [...translator.languages].sort()
    return { title: t('language.title'), template: 'language', data: { languages, lang, next } }
  },
})
