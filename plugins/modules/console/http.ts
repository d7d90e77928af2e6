import { takesBrotli } from '../../../src/plugin/module.ts'
import type { Outcome, PageRequest, SignedIn, Translate } from './site.ts'

/** Request as an operation receives it. */
export interface RawRequest {
  /** After `/console`. */
  readonly segments: readonly string[]
  readonly query: object
  readonly headers: object
  /** Form fields, or bytes of a form with files; undefined for GET. */
  readonly body?: unknown
  readonly lang: string
  readonly ip: string
}

/** Visitor without a session, or a member at a page that needs none. */
export interface Visitor {
  readonly me?: SignedIn | undefined
  readonly lang: string
  readonly t: Translate
  readonly agent: string
  readonly takesCompressed: boolean
  /** Secret of a begun OpenID request. */
  readonly flow?: string | undefined
  /** Page that a sign-in by link leads to. */
  readonly next?: string | undefined
  /** Key of the message about the previous page. */
  readonly done?: string | undefined
}

/**
 * True if a page may be compressed: the browser takes Brotli, and no other site caused the request. Otherwise that site could choose texts
 * of the page and learn its CSRF token from the lengths (BREACH).
 */
export function isCompressible(headers: object): boolean {
  const site = headerOf(headers, 'sec-fetch-site')
  return (site === 'same-origin' || site === 'none') && takesBrotli(headerOf(headers, 'accept-encoding'))
}

/** Page that needs no session. */
export interface OpenPage {
  readonly path: string
  show?(visitor: Visitor, request: PageRequest): Promise<OpenOutcome> | OpenOutcome
  /** Called only for forms of this origin. */
  act?(visitor: Visitor, request: PageRequest): Promise<OpenOutcome> | OpenOutcome
}

export type OpenOutcome = Outcome | { readonly json: object; readonly cookie?: string }

type Headers = Readonly<Record<string, string | string[] | undefined>>

export const headerOf = (headers: object, name: string): string | undefined => {
  const value = (headers as Headers)[name]
  return typeof value === 'string' ? value : value?.[0]
}

type CookieName = 'session' | 'flow' | 'lang' | 'next'

/** `__Host-` binds the cookie to this host: no other subdomain can set it. Browsers accept it over https only. */
export const cookieName = (baseUrl: string, name: CookieName): string =>
  `${baseUrl.startsWith('https:') ? '__Host-' : ''}dpp_console_${name}`

export function cookieOf(headers: object, name: string): string | undefined {
  for (const pair of (headerOf(headers, 'cookie') ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return undefined
}

/** @param seconds undefined: until the browser is closed */
export function setCookie(baseUrl: string, name: CookieName, value: string, seconds?: number): string {
  const parts = [`${cookieName(baseUrl, name)}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax']
  if (baseUrl.startsWith('https:')) parts.push('Secure')
  if (seconds !== undefined) parts.push(`Max-Age=${seconds}`)
  return parts.join('; ')
}

/** True for a form that a page of this host sent (Fetch Metadata; else RFC 6454). */
export function isOwnForm(headers: object, baseUrl: string): boolean {
  const site = headerOf(headers, 'sec-fetch-site')
  if (site !== undefined) return site === 'same-origin'
  const origin = headerOf(headers, 'origin')
  if (origin === undefined || !URL.canParse(origin)) return false
  return origin === new URL(baseUrl).origin || new URL(origin).host === headerOf(headers, 'host')
}

/** Path of the console, or its home: never another host. */
export function ownPath(text = ''): string {
  const isOwn = /^\/console(?:[/?][\w./?=&%~!'()*-]*)?$/.test(text) && !/\/\/|\.\./.test(text)
  return isOwn ? text : '/console'
}
