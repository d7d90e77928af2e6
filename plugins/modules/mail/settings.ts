import { ConfigError, isLoopback, type ModuleSettings } from '../../../src/plugin/module.ts'
import { type Mailbox, parseMailbox } from './mailbox.ts'

export interface MailSettings {
  readonly address: string
  readonly server: {
    readonly host: string
    readonly port: number
    /** TLS from the first byte (RFC 8314); otherwise STARTTLS (RFC 3207). */
    readonly isSecure: boolean
    readonly user: string | undefined
    readonly password: string | undefined
    readonly isLoopback: boolean
  }
  readonly from: Mailbox
}

export const settings = {
  variables: ['SMTP_URL', 'MAIL_FROM'],
  parse(variables): MailSettings | undefined {
    const value = variables.text('SMTP_URL')
    if (value === undefined) return undefined
    const url = URL.canParse(value) ? new URL(value) : undefined
    // May contain a password: not in the message.
    if (url === undefined || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || url.search || url.hash) {
      throw new ConfigError('Invalid SMTP_URL: set smtps://user:password@host or smtp://host:port, without a query.')
    }
    const from = parseMailbox(variables.text('MAIL_FROM') ?? '')
    if (from === undefined) {
      throw new ConfigError(
        'SMTP_URL is set, but MAIL_FROM is missing or invalid. Set it to an address, or "Name <address>".',
      )
    }
    const isSecure = url.protocol === 'smtps:'
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const port = Number(url.port) || (isSecure ? 465 : 587)
    const [user, password] = [decoded(url.username), decoded(url.password)]
    return {
      address: `${url.protocol}//${url.hostname}:${port}`,
      server: { host, port, isSecure, user, password, isLoopback: isLoopback(host) },
      from,
    }
  },
} satisfies ModuleSettings

function decoded(part: string): string | undefined {
  try {
    return part === '' ? undefined : decodeURIComponent(part)
  } catch {
    throw new ConfigError('Invalid SMTP_URL: percent-encode user and password.')
  }
}
