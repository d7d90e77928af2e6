import type { Cradle } from '../cradle.ts'
import { type Mailbox, mailAddress } from '../domain/mail.ts'
import { once } from '../domain/once.ts'

/** A message of plain text to one mailbox. */
interface Message {
  /** Stays the same however often it is sent, so that receivers know what comes twice (RFC 5322, 3.6.4). */
  readonly id: string
  readonly date: Date
  readonly to: Mailbox
  readonly subject: string
  readonly text: string
  /** Language of the text (RFC 3282). */
  readonly lang: string
}

/** Why a message was not taken. */
export class NotSent extends Error {
  override name = 'NotSent'
  /** The server refuses this message for good (RFC 5321, 4.2.1). */
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean) {
    super(message)
    this.isFinal = isFinal
  }
}

/** Characters of a server's reason that are kept. */
const MAX_REASON_CHARACTERS = 300
/** What the server says of the recipient or the message; everything else is about the way there. */
const OF_THE_MESSAGE = ['EENVELOPE', 'EMESSAGE']

declare module '../cradle.ts' {
  interface Cradle {
    mailer: ReturnType<typeof mailer>
  }
}

/** Hands e-mail over to the server of `SMTP_URL`, which its operator trusts, and which may yet hang or lie. */
export default function mailer({ config }: Pick<Cradle, 'config'>) {
  const { mail } = config
  const within = config.bounds.mailTimeout
  const transport = once(() => (mail === undefined ? undefined : connect(mail.server)))

  return { isOn: mail !== undefined, send }

  async function connect({ host, port, isSecure, user, password, isLoopback }: NonNullable<typeof mail>['server']) {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      host,
      port,
      secure: isSecure,
      auth: user === undefined ? undefined : { user, pass: password ?? '' },
      // A password travels encrypted or not at all; to this machine nobody listens, and its certificate is nobody's.
      requireTLS: !isSecure && user !== undefined && !isLoopback,
      ignoreTLS: isLoopback,
      ...{ connectionTimeout: within, greetingTimeout: within, socketTimeout: within, dnsTimeout: within },
      disableFileAccess: true,
      disableUrlAccess: true,
      maxRecipients: 1,
    })
  }

  /**
   * Sends a message once.
   * @throws NotSent naming the server's reason, never a password
   */
  async function send({ id, date, to, subject, text, lang }: Message, signal?: AbortSignal): Promise<void> {
    if (mail === undefined) throw new NotSent('SMTP_URL is not set.', true)
    // Judged again, whoever has stored it: the library reads more into an address than one mailbox.
    const address = mailAddress(to.address)
    if (address === undefined) throw new NotSent('The address is none that mail is sent to.', true)
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
        // RFC 3834, 5: nobody's absence is told to us.
        headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': lang },
        signal: AbortSignal.any(ends),
      })
    } catch (error) {
      const { code, responseCode = 0, message } = error as { code?: string; responseCode?: number; message: string }
      const isFinal = responseCode >= 500 && OF_THE_MESSAGE.includes(code ?? '')
      // Servers repeat the address, which is a person's, and reasons are logged.
      const reason = (message || String(code)).slice(0, MAX_REASON_CHARACTERS).replaceAll(address, '…')
      throw new NotSent(reason, isFinal)
    }
  }
}
