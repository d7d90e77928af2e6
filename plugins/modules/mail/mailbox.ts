import { mailAddress } from '../../../src/plugin/module.ts'

export interface Mailbox {
  readonly name: string
  /** Normalized by {@link mailAddress}. */
  readonly address: string
}

export function parseMailbox(text: string): Mailbox | undefined {
  const begin = text.lastIndexOf('<')
  const isNamed = begin > 0 && text.endsWith('>')
  const address = mailAddress(isNamed ? text.slice(begin + 1, -1) : text)
  const name = isNamed
    ? text
        .slice(0, begin)
        .replace(/[\p{Cc}"]/gu, '')
        .trim()
    : ''
  return address === undefined || name.includes('<') ? undefined : { name, address }
}
