import { type ModuleCradle, mailAddress, once } from '../../../../src/plugin/module.ts'
import type { Mailbox } from '../mailbox.ts'
import type { MailSettings } from '../settings.ts'

interface Message {
  /** Constant across retries, so that receivers detect duplicates (RFC 5322, 3.6.4). */
  readonly id: string
  readonly date: Date
  readonly to: Mailbox
  readonly subject: string
  readonly text: string
  /** RFC 3282. */
  readonly lang: string
}

export class NotSent extends Error {
  override name = 'NotSent'
  /** True for a permanent rejection (RFC 5321, 4.2.1). */
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean) {
    super(message)
    this.isFinal = isFinal
  }
}

const MAX_REASON_CHARACTERS = 300
const OF_THE_MESSAGE = ['EENVELOPE', 'EMESSAGE']

/** Sends e-mail through the server of `SMTP_URL`, which is trusted but may hang or lie. */
export default function mailer({
  config,
  mailSettings: mail,
}: Pick<ModuleCradle, 'config'> & { readonly mailSettings: MailSettings | undefined }) {
  const within = config.bounds.mailTimeout
  const transport = once(() => (mail === undefined ? undefined : connect(mail.server)))

  return { isOn: mail !== undefined, send }

  async function connect({ host, port, isSecure, user, password, isLoopback }: MailSettings['server']) {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      host,
      port,
      secure: isSecure,
      auth: user === undefined ? undefined : { user, pass: password ?? '' },
      // Passwords require TLS. Loopback cannot be intercepted and has no trusted certificate.
      requireTLS: !isSecure && user !== undefined && !isLoopback,
      ignoreTLS: isLoopback,
      ...{ connectionTimeout: within, greetingTimeout: within, socketTimeout: within, dnsTimeout: within },
      disableFileAccess: true,
      disableUrlAccess: true,
      maxRecipients: 1,
    })
  }

  /** @throws NotSent with the server's reason, never a password */
  async function send({ id, date, to, subject, text, lang }: Message, signal?: AbortSignal): Promise<void> {
    if (mail === undefined) throw new NotSent('SMTP_URL is not set.', true)
    // Validated again: the library parses more than one mailbox from an address.
    const address = mailAddress(to.address)
    if (address === undefined) throw new NotSent('Invalid e-mail address.', true)
    const ends = [AbortSignal.timeout(within), ...(signal === undefined ? [] : [signal])]
    try {
      await (await transport())?.sendMail({
        messageId: `<${id}@${mail.from.address.split('@')[1]}>`,
        date,
        from: mail.from,
        to: { name: to.name, address },
        subject,
        text,
        xMailer: false,
        // Prevents automatic replies (RFC 3834, 5).
        headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': lang },
        signal: AbortSignal.any(ends),
      })
    } catch (error) {
      const { code, responseCode = 0, message } = error as { code?: string; responseCode?: number; message: string }
      const isFinal = responseCode >= 500 && OF_THE_MESSAGE.includes(code ?? '')
      // Reasons are logged and may contain the address, which is personal data.
      const reason = (message || String(code)).slice(0, MAX_REASON_CHARACTERS).replaceAll(address, '…')
      throw new NotSent(reason, isFinal)
    }
  }
}
