import { badRequest } from './problem.ts'
import type { Schema } from './schema.ts'
import { isEmail } from './text.ts'
import type { ContactView, RecallView } from './view.ts'

/** Linear; {@link isPhone} limits the length first. */
const PHONE = /^\+?\d[\d ()./-]{3,38}\d$/
const MAX_URL_CHARACTERS = 500

const isPhone = (text: string): boolean => text.length <= 40 && PHONE.test(text)

/** True if a page may link to it: http(s) without credentials. */
function isWebAddress(text: string): boolean {
  if (text.length > MAX_URL_CHARACTERS || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

const isPlace = (text: string): boolean => !/(?!\n)\p{Cc}/u.test(text)

const MEMBERS = [
  ['address', isPlace, 'lines of text'],
  ['email', isEmail, 'an e-mail address'],
  ['phone', isPhone, 'a telephone number, such as +49 30 1234567'],
  ['website', isWebAddress, 'an http or https address'],
] as const

/**
 * @param given undefined members stay; null or blank ones are removed
 * @returns null if no member is left
 * @throws Problem 400 naming the member
 */
export function contactAfter(
  before: ContactView | null,
  given: Schema<'OperatorContactInput'> | undefined,
): ContactView | null {
  const after: Record<string, string> = {}
  for (const [member, isFit, what] of MEMBERS) {
    const value = given?.[member]
    const text = value === undefined ? before?.[member] : value?.trim()
    if (text === undefined || text === '') continue
    if (value !== undefined && !isFit(text)) throw badRequest(`contact.${member} must be ${what}.`)
    after[member] = text
  }
  return Object.keys(after).length === 0 ? null : after
}

/**
 * Null removes a member.
 * @throws Problem 400 naming the member
 */
export function recallNotice(given: Schema<'RecallNotice'> = {}): Partial<Omit<RecallView, 'at'>> {
  const contact = given.contact?.trim() || null
  const url = given.url?.trim() || null
  if (contact !== null && !isEmail(contact) && !isPhone(contact) && !isWebAddress(contact)) {
    throw badRequest('recall.contact must be an e-mail address, a telephone number or an http or https address.')
  }
  if (url !== null && !isWebAddress(url)) throw badRequest('recall.url must be an http or https address.')
  return {
    ...(given.reason === undefined ? {} : { reason: given.reason }),
    ...(given.contact === undefined ? {} : { contact }),
    ...(given.url === undefined ? {} : { url }),
  }
}

/** The recall keeps its date. */
export function recallAfter(
  before: RecallView | null,
  notice: Partial<Omit<RecallView, 'at'>> | undefined,
  at: Date,
): RecallView {
  const nothing = { reason: null, contact: null, url: null }
  return { ...nothing, ...before, ...notice, at: before?.at ?? at.toISOString() }
}

export function contactHref(contact: string): string | undefined {
  if (isEmail(contact)) return `mailto:${encodeURIComponent(contact).replace('%40', '@')}`
  if (isPhone(contact)) return `tel:${contact.replace(/[^\d+]/g, '')}`
  return isWebAddress(contact) ? contact : undefined
}
