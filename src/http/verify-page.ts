import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { PAGE_HEADERS } from './rendition-response.ts'

/** The page on which a browser verifies seals by itself, with headers under which what it contains may run and nothing else. */
export function verifyPage(): { readonly body: string; readonly headers: Record<string, string> } {
  const body = readFileSync(new URL('../verify/page.html', import.meta.url), 'utf8')
  const hashOf = (element: string) => {
    const [, content = ''] = new RegExp(`<${element}>(.*?)</${element}>`, 's').exec(body) ?? []
    return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
  }
  return {
    body,
    headers: {
      ...PAGE_HEADERS,
      // It may ask this very server, for passports and the seal CA.
      'Content-Security-Policy': `default-src 'none'; script-src ${hashOf('script')}; style-src ${hashOf('style')}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
  }
}
