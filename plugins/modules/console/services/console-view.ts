import { hash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { Eta } from 'eta'
import { once } from '../../../../src/plugin/module.ts'
import type { ConsoleSettings } from '../settings.ts'
import type { SignedIn, Translate, View } from '../site.ts'
import { formatsOf } from '../view-formats.ts'
import type { NavigationEntry } from './console-pages.ts'

const FOLDER = join(import.meta.dirname, '..')

interface Asset {
  readonly body: string
  /** Compressed by Brotli (RFC 7932). */
  readonly compressed: Uint8Array
  readonly contentType: string
}

interface Frame {
  readonly lang: string
  readonly t: Translate
  readonly me?: SignedIn | undefined
  readonly navigation: readonly (readonly NavigationEntry[])[]
  /** Path of the request. */
  readonly path: string
  readonly done?: string | undefined
  readonly languages: ReadonlySet<string>
}

/** Renders the templates inside the layout. */
export default function consoleView({ consoleSettings }: { readonly consoleSettings: ConsoleSettings | undefined }) {
  const loaded = once(load)

  return { render, assetOf: (name: string): Asset | undefined => loaded().assets.get(name) }

  function render(view: View, frame: Frame): { body: string; headers: Record<string, string> } {
    const { eta, style, script } = loaded()
    const nonce = randomBytes(16).toString('base64')
    const errors = view.errors ?? []
    const attribute = (text: string) => eta.config.escapeFunction(text)
    const it = {
      ...frame,
      ...formatsOf(frame.lang),
      ...{ view, data: view.data, errors, nonce, attribute },
      ...{ style: `/console/assets/${style.name}`, script: `/console/assets/${script.name}` },
      csrf: frame.me === undefined ? '' : eta.render('@csrf', { csrf: frame.me.csrf }),
    }
    const field = (options: object) => eta.render('@field', { ...it, ...options })
    const content = eta.render(`@${view.template}`, { ...it, field })
    return { body: eta.render('@layout', { ...it, content }), headers: headersOf(nonce) }
  }

  /** `frame-ancestors` and the nonce keep foreign pages and scripts out (CSP Level 3). */
  function headersOf(nonce: string): Record<string, string> {
    const policy = [
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      `style-src 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "connect-src 'self'",
      "frame-src 'self'",
      "base-uri 'none'",
      `form-action 'self'${consoleSettings?.oidc === undefined ? '' : ` ${new URL(consoleSettings.oidc.issuer).origin}`}`,
      "frame-ancestors 'none'",
    ]
    return {
      'Content-Security-Policy': policy.join('; '),
      // Forms must send their Origin.
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'private, no-store',
      'Cross-Origin-Opener-Policy': 'same-origin',
      Vary: 'Accept-Encoding, Accept-Language, Cookie',
    }
  }
}

/** Templates, style and script. */
function load() {
  const eta = new Eta({ autoEscape: true, rmWhitespace: true })
  for (const file of readdirSync(join(FOLDER, 'templates')).filter((name) => name.endsWith('.eta'))) {
    eta.loadTemplate(`@${basename(file, '.eta')}`, readFileSync(join(FOLDER, 'templates', file), 'utf8'))
  }
  const style = asset('css', 'text/css; charset=utf-8')
  const script = asset('js', 'text/javascript; charset=utf-8')
  const assets = new Map([style, script].map(({ name, ...content }) => [name, content]))
  return { eta, style, script, assets }
}

/** All files in `browser` with the extension as one, in the order of their names, without indentation and whole lines of comments. */
function asset(extension: 'css' | 'js', contentType: string) {
  const folder = join(FOLDER, 'browser')
  const files = readdirSync(folder).filter((name) => name.endsWith(`.${extension}`))
  const lines = files.sort().flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
  const kept = lines.map((line) => line.trim()).filter((line) => line !== '' && !/^(\/\/|\/\*.*\*\/$)/.test(line))
  const body = extension === 'css' ? compact(kept.join('')) : kept.join('\n')
  const compressed = brotliCompressSync(body)
  return { name: `console-${hash('sha256', body, 'hex').slice(0, 12)}.${extension}`, body, compressed, contentType }
}

/** Without spaces that declarations do not need; those of selectors stay. */
const compact = (css: string): string =>
  css
    .replaceAll(/([:,]) +/g, '$1')
    .replaceAll(/ ?([{>]) ?/g, '$1')
    .replaceAll(';}', '}')
