import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PublicHandler } from '../http/handler.ts'
import { PAGE_HEADERS } from '../http/rendition-response.ts'

export default function getVerifyPage(): PublicHandler<'getVerifyPage'> {
  const page = readFileSync(join(import.meta.dirname, '../verify/page.html'), 'utf8')
  const hashOf = (element: string) => {
    const [, content = ''] = new RegExp(`<${element}>(.*?)</${element}>`, 's').exec(page) ?? []
    return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
  }
  const headers = {
    ...PAGE_HEADERS,
    // What this very page contains may run, and it may ask this very server; nothing else.
    'Content-Security-Policy': `default-src 'none'; script-src ${hashOf('script')}; style-src ${hashOf('style')}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  }
  return () => ({ status: 200, contentType: 'text/html; charset=utf-8', headers, body: page })
}
