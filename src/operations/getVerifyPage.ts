import type { Cradle } from '../cradle.ts'
import type { PublicHandler } from '../http/handler.ts'
import { pageHeaders } from '../http/rendition-response.ts'

export default function getVerifyPage({ browserScripts, gatewayPages }: Cradle): PublicHandler<'getVerifyPage'> {
  return ({ lang }) => {
    const page = gatewayPages.render('verifier', { script: browserScripts.verifier }, lang)
    return { status: 200, contentType: 'text/html; charset=utf-8', headers: pageHeaders(page.body), body: page.body }
  }
}
