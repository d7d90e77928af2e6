import type { PublicHandler } from '../http/handler.ts'
import { verifyPage } from '../http/verify-page.ts'

export default function getVerifyPage(): PublicHandler<'getVerifyPage'> {
  const page = verifyPage()
  return () => ({ status: 200, contentType: 'text/html; charset=utf-8', ...page })
}
