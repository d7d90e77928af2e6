import { isRecord, type JsonRecord } from '../../../src/plugin/index.ts'
import { encodeSegment } from '../../../src/plugin/module.ts'
import { productPath } from './en18222.ts'
import { Fault } from './finding.ts'
import { Probe, type Session, type Target } from './probe.ts'
import { isGs1Link } from './rules/gs1-link.ts'

export interface TargetOptions {
  readonly url: string
  readonly api?: string | undefined
  readonly product?: string | undefined
  readonly passport?: string | undefined
  readonly element?: string | undefined
  readonly key?: string | undefined
  readonly grant?: string | undefined
  readonly newDocument?: string | undefined
}

const JSON_FIRST = 'application/json, application/ld+json;q=0.9, */*;q=0.1'
const MAX_PAGE_CHARACTERS = 200_000

/**
 * Finds the passport and its identifiers behind an address: of a passport, a product, a page that links to one, or the base of EN 18222.
 * @throws Fault if the address does not respond
 */
export async function findTarget(options: TargetOptions, session: Session): Promise<Target> {
  const { url, product, passport, element, key, grant, newDocument } = options
  const { origin } = new URL(url)
  const bare = url.replace(/\/$/, '')
  const isApi = /\/v\d+$/.test(new URL(bare).pathname)
  const api = options.api?.replace(/\/$/, '') ?? (isApi ? bare : `${origin}/v1`)
  const probe = new Probe({ origin, api }, session)
  const given = [product, passport].find((text) => text !== undefined && URL.canParse(text) && /^https?:/.test(text))
  const entry = isApi ? given : await passportUrlOf(probe, url)
  const found = entry === undefined ? {} : await documentAt(probe, entry)
  const productId =
    product ?? textIn(found, 'uniqueProductIdentifier') ?? textIn(found, 'digitalLinkUri') ?? linkIn(entry)
  const known = passport ?? textIn(found, 'digitalProductPassportId')
  const { document, fault } = await documentOfApi(probe, productId, known ?? entry)
  const isStated = isApi || options.api !== undefined
  return {
    ...{ origin, api, element, key, grant, newDocument },
    withoutApi: document === undefined && !isStated ? `no EN 18222 interface at ${api} (${fault})` : undefined,
    passportUrl: entry ?? webAddress(productId) ?? webAddress(textIn(document ?? {}, 'uniqueProductIdentifier')),
    productId: productId ?? textIn(document ?? {}, 'uniqueProductIdentifier'),
    dppId: known ?? textIn(document ?? {}, 'digitalProductPassportId'),
  }
}

/** The address itself, or the first passport that its page links to. */
async function passportUrlOf(probe: Probe, url: string): Promise<string | undefined> {
  if (new URL(url).pathname !== '/') {
    await probe.get(url, { accept: JSON_FIRST })
    return url
  }
  const { text } = await probe.follow(url, { accept: 'text/html' })
  for (const [, target = ''] of text.slice(0, MAX_PAGE_CHARACTERS).matchAll(/href="([^"#?]+)/g)) {
    if (!URL.canParse(target, url)) continue
    const link = new URL(target, url)
    if (link.origin === new URL(url).origin && (isGs1Link(link.href) || /\/passport\/[^/]+$/.test(link.pathname)))
      return link.href
  }
  return undefined
}

async function documentAt(probe: Probe, url: string): Promise<JsonRecord> {
  try {
    const reply = await probe.follow(url, { accept: JSON_FIRST })
    return reply.status === 200 ? (reply.maybeRecord() ?? {}) : {}
  } catch (error) {
    if (error instanceof Fault) return {}
    throw error
  }
}

async function documentOfApi(probe: Probe, productId: string | undefined, dppId: string | undefined) {
  const urls = [
    ...(productId === undefined ? [] : [productPath(probe.target.api, productId)]),
    ...(dppId === undefined ? [] : [`${probe.target.api}/dpps/${encodeSegment(dppId)}`]),
  ]
  let fault = 'no identifier of a passport is known'
  for (const url of urls) {
    try {
      const reply = await probe.get(url)
      const document = reply.status === 200 ? reply.maybeRecord() : undefined
      if (document?.digitalProductPassportId !== undefined) return { document, fault }
      fault = `status ${reply.status}`
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      fault = error.message
    }
  }
  return { document: undefined, fault }
}

const textIn = (document: JsonRecord, name: string): string | undefined =>
  isRecord(document) && typeof document[name] === 'string' ? (document[name] as string) : undefined

const linkIn = (url: string | undefined) => (url !== undefined && isGs1Link(url) ? url : undefined)

const webAddress = (text: string | undefined) =>
  text !== undefined && /^https?:/.test(text) && URL.canParse(text) ? text : undefined
