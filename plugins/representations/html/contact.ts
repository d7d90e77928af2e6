import { contactHref, type PassportView } from '../../../src/plugin/index.ts'
import { safeUrl } from './safe-url.ts'
import type { Texts } from './texts.ts'

interface ContactLine {
  readonly label: string
  readonly text: string
  readonly href?: string
  readonly isAway: boolean
}

export function contactOf({ operator: { contact } }: Pick<PassportView, 'operator'>, { t }: Texts): ContactLine[] {
  const { phone, email, website, address } = contact ?? {}
  const line = (key: string, text: string | undefined, href?: string, isAway = false): ContactLine[] =>
    text === undefined ? [] : [{ label: t(`contact.${key}`), text, href, isAway }]
  return [
    ...line('phone', phone, phone && contactHref(phone)),
    ...line('email', email, email && contactHref(email)),
    ...line('website', website, safeUrl(website), true),
    ...line('address', address),
  ]
}
