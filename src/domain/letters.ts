import { mailAddress, oneLine, withoutLinks } from './mail.ts'
import type { Schema } from './schema.ts'

/** A text of the locale files, in the language of the letter. */
type Translate = (key: string, params?: object) => string

/** Subject and text of a message. */
export interface Letter {
  readonly subject: string
  readonly text: string
}

/** What letters about a request for access say. Names are foreign texts. */
export interface Matter {
  readonly grant: Schema<'Grant'>
  readonly product: string
  readonly company: string
  /** Of the passport or the unit. */
  readonly subjectUrl: string
}

const MAX_NAME_CHARACTERS = 120

const named = ({ product, company }: Matter) => ({
  product: oneLine(product, MAX_NAME_CHARACTERS),
  company: oneLine(company, MAX_NAME_CHARACTERS),
})

/** Paragraphs, one below the other, each a list of lines. */
const paragraphs = (...parts: readonly (readonly string[])[]): string =>
  `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`

/** To whoever asked: the request has arrived. Nothing that was entered is repeated: the address may be anybody's. */
export const receiptLetter = (matter: Matter, t: Translate, statusUrl: string): Letter => ({
  subject: t('mail.receipt.subject'),
  text: paragraphs(
    [t('mail.hello')],
    [t('mail.receipt.text', named(matter))],
    [t('mail.receipt.status'), statusUrl],
    [t('mail.receipt.stranger')],
    [t('mail.automatic')],
  ),
})

/** To whoever asked: the link that opens what they asked for. */
export const approvedLetter = (
  matter: Matter,
  t: Translate,
  { url, until }: { url: string; until: string },
): Letter => ({
  subject: t('mail.approved.subject'),
  text: paragraphs(
    [t('mail.hello')],
    [t('mail.approved.text', { ...named(matter), date: until }), url],
    [t('mail.approved.personal')],
    [t('mail.automatic')],
  ),
})

/** To whoever asked: the workspace has declined. */
export const deniedLetter = (matter: Matter, t: Translate): Letter => ({
  subject: t('mail.denied.subject'),
  text: paragraphs(
    [t('mail.hello')],
    [t('mail.denied.text', named(matter)), matter.subjectUrl],
    [t('mail.denied.again')],
    [t('mail.automatic')],
  ),
})

/** To the workspace, in English as everything that its programs and administrators read: who asks, for what, and why. */
export function requestLetter(matter: Matter, baseUrl: string): Letter {
  const { id, granteeName, granteeEmail, organization, purpose, expiresAt } = matter.grant
  const { product, company } = named(matter)
  const day = expiresAt.slice(0, 10)
  return {
    subject: `Request for access to ${product}`,
    text: paragraphs(
      [`Somebody asks for access to the protected data of ${product} (${company}).`, matter.subjectUrl],
      [
        `Name:         ${oneLine(granteeName, MAX_NAME_CHARACTERS)}`,
        `E-mail:       ${mailAddress(granteeEmail ?? '') ?? '–'}`,
        `Organisation: ${oneLine(organization ?? '–', MAX_NAME_CHARACTERS)}`,
      ],
      [
        'Purpose:',
        ...withoutLinks(purpose ?? '–')
          .split('\n')
          .map((line) => `> ${line}`.trimEnd()),
      ],
      ['This is what was entered in the form. Nobody has checked who it was.'],
      [
        'To approve, and send them a link that holds until a day of your choice:',
        `  dpp grant approve ${id} --expires ${day}`,
        `  or POST ${baseUrl}/api/v1/grants/${id}/approve with {"expiresAt": "${day}"}`,
      ],
      ['To decline:', `  dpp grant deny ${id}`, `  or POST ${baseUrl}/api/v1/grants/${id}/deny`],
      [`Without a decision the request ends on ${day}.`],
    ),
  }
}
