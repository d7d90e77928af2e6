import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Check, joined, needed, orUndefined, unless } from '../check.ts'
import { byDate, byId, byProduct, compressed, elementAt, normalizedPath } from '../en18222.ts'
import { type Format, formOf, passportUrlOf } from '../formats.ts'
import type { Probe } from '../probe.ts'
import type { Reply } from '../reply.ts'

const CLAUSE = 'EN 18239, 4.2; Regulation (EU) 2023/1542, Article 77'
const MIN_TEXT = 8
const MIN_DIGITS = 5
const MAX_VALUES = 300
const MAX_ELEMENTS = 20
const PLACEHOLDER = /^[[(<*]*\s*(?:redacted|masked|restricted|hidden|withheld|confidential)\b.{0,80}$/i
const JSON_ONLY = { accept: 'application/json' }

/** Texts and numbers of a document, long enough to be recognized in another one. */
function valuesIn(document: unknown, found = new Set<string>(), depth = 0): Set<string> {
  if (depth > 64) return found
  if (typeof document === 'string' && document.trim().length >= MIN_TEXT) found.add(document)
  if (typeof document === 'number' && String(document).replace(/\D/g, '').length >= MIN_DIGITS)
    found.add(String(document))
  if (typeof document === 'object' && document !== null)
    for (const member of Object.values(document)) valuesIn(member, found, depth + 1)
  return found
}

/** Headers that open more than the public view. @throws Skipped */
const opened = (probe: Probe) => (probe.target.grant === undefined ? probe.asKey : probe.asGrant)

async function viewWith(probe: Probe, headers: Readonly<Record<string, string>>): Promise<Reply[]> {
  const urls = [passportUrlOf(probe), ...(probe.target.withoutApi === undefined ? [byId(probe)] : [])]
  const replies: Reply[] = []
  for (const url of urls) replies.push(await probe.follow(url, { ...JSON_ONLY, ...headers }))
  return replies.filter(({ status }) => status === 200)
}

/** Values that only a token opens, without addresses and times, which depend on the request. @throws Skipped */
async function restrictedValues(probe: Probe): Promise<string[]> {
  const open = (await viewWith(probe, opened(probe))).flatMap((reply) => [...valuesIn(reply.json())])
  const shut = (await viewWith(probe, {})).map(({ text }) => text).join('\n')
  const values = open.filter((value) => !/^\d{4}-\d{2}-\d{2}T|^https?:/.test(value) && !contains(shut, value))
  needed(values[0], 'the token opens no further values')
  return [...new Set(values)].slice(0, MAX_VALUES)
}

/** True if the text has the value, also in the escapes of JSON and HTML; numbers only as a whole. */
function contains(text: string, value: string): boolean {
  if (/^-?[\d.]+$/.test(value)) return new RegExp(`(?<![\\d.])${value.replaceAll('.', '\\.')}(?![\\d.])`).test(text)
  const escaped = JSON.stringify(value).slice(1, -1)
  return text.includes(value) || text.includes(escaped) || text.includes(value.replaceAll('&', '&amp;'))
}

/** The text of a response, and of the tokens in it. */
function readableText({ text }: Reply): string {
  const parts = text.length < 1_000_000 ? (text.match(/[\w-]{40,}/g) ?? []) : []
  return [text, ...parts.map((part) => Buffer.from(part, 'base64url').toString('utf8'))].join('\n')
}

const absentFrom = (name: string, subject: string, read: (probe: Probe) => Promise<Reply>): Check => ({
  id: `access.restricted-in-${name}`,
  clause: CLAUSE,
  title: `Restricted values are not in ${subject}`,
  async run(probe) {
    const values = await restrictedValues(probe)
    const text = readableText(await read(probe))
    // A fault does not repeat the value.
    return joined(
      values.filter((value) => contains(text, value)).map((value) => `a value of ${value.length} characters is public`),
    )
  },
})

const absentFromForm = (format: Format, subject: string) =>
  absentFrom(format, subject, (probe) => formOf(probe, format))

/** Elements whose values only a token opens. @throws Skipped */
async function restrictedElements(probe: Probe): Promise<string[]> {
  const reply = await probe.get(byId(probe), opened(probe))
  const open = needed(
    reply.status === 200 ? reply.maybeRecord() : undefined,
    'the passport cannot be read with the token',
  )
  const shut = await compressed(probe)
  const keys = Object.keys(open).filter((key) => open[key] !== undefined && !isDeepStrictEqual(open[key], shut[key]))
  needed(keys[0], 'the token opens no further elements')
  return keys.slice(0, MAX_ELEMENTS)
}

const unreadableAt = (name: string, title: string, toPath: (key: string) => string, query = ''): Check => ({
  id: `access.element-${name}`,
  clause: 'EN 18222, 6.2; EN 18239, 4.2',
  title,
  async run(probe) {
    const shut = await compressed(probe)
    const faults: string[] = []
    for (const key of await restrictedElements(probe)) {
      const reply = await probe.get(elementAt(probe, toPath(key), query))
      const isPublicPart = reply.status === 200 && Object.hasOwn(shut, key)
      if (reply.status === 200 && !isPublicPart) faults.push(`${toPath(key)} responds with 200`)
      if (reply.status >= 500 && reply.status !== 501) faults.push(`${toPath(key)} responds with ${reply.status}`)
    }
    return joined(faults)
  },
})

const unicodeEscaped = (key: string) =>
  `$['${[...key].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}']`

const noPlaceholders = (name: string, title: string, url: (probe: Probe) => string): Check => ({
  id: `access.${name}`,
  clause: 'EN 18223, 4.1.2.3; EN 18239, 4.2',
  title,
  async run(probe) {
    const reply = await probe.get(url(probe))
    needed(reply.status === 200 || undefined, `${reply.request.url} responds with ${reply.status}`)
    const found = [...valuesIn(reply.json())].filter((value) => PLACEHOLDER.test(value))
    return joined(found.map((value) => `the value ${JSON.stringify(value)} stands for a masked one`))
  },
})

/** External resources that a browser loads with a page. */
function externalResources(html: string, pageUrl: string): string[] {
  const tags = html.match(/<(?:script|img|iframe|link|source|video|audio|embed)\b[^<>]*>/gi) ?? []
  return tags.flatMap((tag) => {
    const target = /\s(?:src|href)=["']?([^"'\s>]+)/i.exec(tag)?.[1] ?? ''
    const isLink = /^<link/i.test(tag) && !/\brel=["']?(?:stylesheet|icon|preload|manifest|modulepreload)/i.test(tag)
    if (target === '' || isLink || /^(?:data:|blob:)/.test(target) || !URL.canParse(target, pageUrl)) return []
    const { host } = new URL(target, pageUrl)
    return host === new URL(pageUrl).host ? [] : [`${host} by ${tag.slice(0, 60)}`]
  })
}

export const ACCESS_CHECKS: readonly Check[] = [
  {
    id: 'access.public',
    clause: 'EN 18219, 4.6.2; EN 18239, 4.2',
    title: 'Public data is readable without a token',
    async run(probe) {
      const reply = await probe.follow(passportUrlOf(probe), JSON_ONLY)
      return unless(reply.status === 200, `Status ${reply.status}.`)
    },
  },
  {
    id: 'access.unknown-token',
    clause: CLAUSE,
    title: 'An unknown token opens no more than the public view',
    async run(probe) {
      const headers = { ...JSON_ONLY, authorization: `Bearer ${randomBytes(24).toString('hex')}` }
      const reply = await probe.follow(passportUrlOf(probe), headers)
      if ([400, 401, 403].includes(reply.status)) return undefined
      const shut = await probe.follow(passportUrlOf(probe), JSON_ONLY)
      const more = [...valuesIn(reply.json())].filter((value) => !contains(shut.text, value))
      return unless(reply.status === 200 && more.length === 0, `Status ${reply.status}, ${more.length} further values.`)
    },
  },
  {
    id: 'access.unknown-token-in-query',
    clause: CLAUSE,
    title: 'An unknown token in the query opens no more than the public view',
    async run(probe) {
      const url = new URL(passportUrlOf(probe))
      for (const name of ['grant', 'token', 'access_token']) url.searchParams.set(name, randomBytes(24).toString('hex'))
      const reply = await probe.follow(url.href, JSON_ONLY)
      if (reply.status >= 400 && reply.status < 500) return undefined
      const shut = await probe.follow(passportUrlOf(probe), JSON_ONLY)
      const more = [...valuesIn(reply.json())].filter((value) => !contains(shut.text, value))
      return unless(reply.status === 200 && more.length === 0, `Status ${reply.status}, ${more.length} further values.`)
    },
  },
  {
    id: 'access.token-opens',
    clause: CLAUSE,
    title: 'The given token opens further values',
    should: true,
    async run(probe) {
      opened(probe)
      return unless((await orUndefined(restrictedValues(probe))) !== undefined, 'It opens no further values.')
    },
  },
  absentFrom('json', 'the public JSON', (probe) => probe.follow(passportUrlOf(probe), JSON_ONLY)),
  absentFromForm('html', 'the public page'),
  absentFromForm('jsonLd', 'the public JSON-LD'),
  absentFromForm('aas', 'the public AAS environment'),
  absentFromForm('vcJwt', 'the credential as vc+jwt'),
  absentFromForm('dataIntegrity', 'the credential with a Data Integrity proof'),
  absentFromForm('sdJwt', 'the SD-JWT and its disclosures'),
  absentFrom('compressed', 'the public compressed form', (probe) => probe.get(byId(probe))),
  absentFrom('full', 'the public full form', (probe) => probe.get(byId(probe, '?representation=full'))),
  absentFrom('by-product', 'the passport of the product', (probe) => probe.get(byProduct(probe))),
  absentFrom('version', 'the present version', (probe) => probe.get(byDate(probe, new Date().toISOString()))),
  unreadableAt('normalized', 'A restricted element is not readable by its path', normalizedPath),
  unreadableAt(
    'quoted',
    'A restricted element is not readable by a path with double quotes',
    (key) => `$[${JSON.stringify(key)}]`,
  ),
  unreadableAt('escaped', 'A restricted element is not readable by a path with escapes', unicodeEscaped),
  unreadableAt('full', 'A restricted element is not readable in the full form', normalizedPath, '?representation=full'),
  noPlaceholders('no-placeholders', 'The compressed form has no placeholders of masked values', (probe) => byId(probe)),
  noPlaceholders('no-placeholders-in-full', 'The full form has no placeholders of masked values', (probe) =>
    byId(probe, '?representation=full'),
  ),
  {
    id: 'access.no-external-components',
    clause: 'EN 18246, 4.9',
    title: 'The public page loads nothing from other hosts',
    async run(probe) {
      const { text, request } = await formOf(probe, 'html')
      return joined(externalResources(text, request.url))
    },
  },
  {
    id: 'access.no-referrer',
    clause: 'Referrer Policy, 8.4; EN 18239, 4.2',
    title: 'A page that a token opens sends no address to other hosts',
    should: true,
    async run(probe) {
      const { headers } = await probe.follow(passportUrlOf(probe), { accept: 'text/html', ...probe.asGrant })
      const policy = headers['referrer-policy'] ?? ''
      return unless(
        /no-referrer$|same-origin|strict-origin/.test(policy),
        `Referrer-Policy is ${JSON.stringify(policy)}.`,
      )
    },
  },
]
