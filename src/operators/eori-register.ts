import type { Cradle } from '../cradle.ts'
import { ANYWHERE, Outgoing } from '../outside/http-client.ts'

const WITHIN_MS = 3000
/** A response has some 600 bytes. */
const MAX_BYTES = 20_000

declare module '../cradle.ts' {
  interface Cradle {
    eoriRegister: ReturnType<typeof eoriRegister>
  }
}

/**
 * EORI validation of the European Commission (SOAP operation `validateEORI`), used only if `EORI_CHECK_URL` is set. Failures count as
 * valid: registration never depends on it.
 */
export default function eoriRegister({ config, log }: Cradle) {
  const url = config.eoriCheckUrl

  return { denies }

  /** True if the register does not know this well-formed number. Never throws. */
  async function denies(eori: string): Promise<boolean> {
    // Great Britain has a separate register; Northern Ireland uses XI.
    if (url === undefined || eori.startsWith('GB')) return false
    try {
      const { status: code, body } = await new Outgoing(ANYWHERE).post({
        url,
        headers: { 'Content-Type': 'text/xml; charset=utf-8', SOAPAction: '""' },
        body: request(eori),
        withinMs: WITHIN_MS,
        maxBytes: MAX_BYTES,
      })
      if (code !== 200) throw new Error(`The EORI register responded with ${code}.`)
      const answer = body.toString()
      const [, named] = /<eori>([^<]*)<\/eori>/.exec(answer) ?? []
      const [, status] = /<status>\s*([01])\s*<\/status>/.exec(answer) ?? []
      if (named !== eori || status === undefined) throw new Error('The EORI register sent an unexpected response.')
      return status === '1'
    } catch (error) {
      log.warn({ err: error }, 'EORI number not checked')
      return false
    }
  }
}

// Letters and digits need no escaping.
const request = (eori: string) =>
  `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><validateEORI xmlns="http://eori.ws.eos.dds.s/"><eori xmlns="">${eori}</eori></validateEORI></soap:Body></soap:Envelope>`
