import { contactHref, type PassportView } from '../../../src/plugin/index.ts'
import { safeUrl } from './safe-url.ts'
import type { Texts } from './texts.ts'

/** One way to reach the responsible company, as `templates/contact.eta` writes it. */
interface ContactLine {
  readonly label: string
  readonly text: string
  readonly href?: string
  /** It leads to another host. */
  readonly isAway: boolean
}

/** How to reach the responsible company: telephone and e-mail first. Empty where nothing was said. */
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
