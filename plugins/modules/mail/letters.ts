import { type grantForm, mailAddress } from '../../../src/plugin/module.ts'
import { oneLine, withoutLinks } from './mail-text.ts'

type Translate = (key: string, params?: object) => string

export interface Letter {
  readonly subject: string
  readonly text: string
}

/** Names are untrusted. */
export interface Matter {
  readonly grant: ReturnType<typeof grantForm>
  readonly product: string
  readonly company: string
  readonly subjectUrl: string
}

const MAX_NAME_CHARACTERS = 120

const named = ({ product, company }: Matter) => ({
  product: oneLine(product, MAX_NAME_CHARACTERS),
  company: oneLine(company, MAX_NAME_CHARACTERS),
})

const paragraphs = (...parts: readonly (readonly string[])[]): string =>
  `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`

/** Omits form input: the address may belong to a third party. */
export const receiptLetter = (matter: Matter, t: Translate, statusUrl: string): Letter => ({
  subject: t('receipt.subject'),
  text: paragraphs(
    [t('hello')],
    [t('receipt.text', named(matter))],
    [t('receipt.status'), statusUrl],
    [t('receipt.stranger')],
    [t('automatic')],
  ),
})

export const approvedLetter = (
  matter: Matter,
  t: Translate,
  { url, until }: { url: string; until: string },
): Letter => ({
  subject: t('approved.subject'),
  text: paragraphs(
    [t('hello')],
    [t('approved.text', { ...named(matter), date: until }), url],
    [t('approved.personal')],
    [t('automatic')],
  ),
})

export const deniedLetter = (matter: Matter, t: Translate): Letter => ({
  subject: t('denied.subject'),
  text: paragraphs(
    [t('hello')],
    [t('denied.text', named(matter)), matter.subjectUrl],
    [t('denied.again')],
    [t('automatic')],
  ),
})

/** Uses English, like all texts for administrators. */
export function requestLetter(matter: Matter, baseUrl: string): Letter {
  const { id, granteeName, granteeEmail, organization, purpose, expiresAt } = matter.grant
  const { product, company } = named(matter)
  const day = expiresAt.slice(0, 10)
  return {
    subject: `Request for access to ${product}`,
    text: paragraphs(
      [`A person requests access to the protected data of ${product} (${company}).`, matter.subjectUrl],
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
      ['These are the entries in the form. The identity of the requester was not verified.'],
      [
        'To approve, and send the requester a link that is valid until a day of your choice:',
        `  dpp grant approve ${id} --expires ${day}`,
        `  or POST ${baseUrl}/api/v1/grants/${id}/approve with {"expiresAt": "${day}"}`,
      ],
      ['To decline:', `  dpp grant deny ${id}`, `  or POST ${baseUrl}/api/v1/grants/${id}/deny`],
      [`Without a decision the request expires on ${day}.`],
    ),
  }
}
