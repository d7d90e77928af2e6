import type { Cradle } from '../cradle.ts'
import { ANYWHERE, Outgoing } from './http-client.ts'

const WITHIN_MS = 3000
/** An answer has some 600 bytes. */
const MAX_BYTES = 20_000

declare module '../cradle.ts' {
  interface Cradle {
    eoriRegister: ReturnType<typeof eoriRegister>
  }
}

/**
 * The European Commission's service that tells whether an EORI number is known (SOAP operation `validateEORI`). It is
 * asked only where `EORI_CHECK_URL` names it, and whatever goes wrong counts as known: registration never depends on it.
 */
export default function eoriRegister({ config, log }: Cradle) {
  const url = config.eoriCheckUrl

  return { denies }

  /** Whether the register says that it does not know this well-formed number. Never throws; takes 3 s at most. */
  async function denies(eori: string): Promise<boolean> {
    // Numbers of Great Britain are in a register of their own; those of Northern Ireland begin with XI.
    if (url === undefined || eori.startsWith('GB')) return false
    try {
      const { status: code, body } = await new Outgoing(ANYWHERE).post({
        url,
        headers: { 'Content-Type': 'text/xml; charset=utf-8', SOAPAction: '""' },
        body: request(eori),
        withinMs: WITHIN_MS,
        mostBytes: MAX_BYTES,
      })
      if (code !== 200) throw new Error(`The EORI register answered ${code}.`)
      const answer = body.toString()
      const [, named] = /<eori>([^<]*)<\/eori>/.exec(answer) ?? []
      const [, status] = /<status>\s*([01])\s*<\/status>/.exec(answer) ?? []
      if (named !== eori || status === undefined) throw new Error('The EORI register answered something else.')
      return status === '1'
    } catch (error) {
      log.warn({ err: error }, 'EORI number not checked')
      return false
    }
  }
}

// The number has letters and digits only, so nothing needs to be escaped.
const request = (eori: string) =>
  `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><validateEORI xmlns="http://eori.ws.eos.dds.s/"><eori xmlns="">${eori}</eori></validateEORI></soap:Body></soap:Envelope>`
