import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInstance, type i18n } from 'i18next'
import { ROOT } from '../config.ts'
import type { Remark } from '../domain/advisories.ts'
import type { Advisory } from '../domain/problem.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'

/** Namespace of the gateway's own texts. */
export const OWN = 'gateway'

/** Texts in the caller's language: a plugin's own first, then the gateway's, then English. */
export class Translator {
  /** The languages that the gateway's own texts exist in. */
  readonly languages: ReadonlySet<string>
  readonly #i18n: i18n

  constructor({ plugins }: { plugins: LoadedPlugins }) {
    const resources: Record<string, Record<string, object>> = {}
    const add = (language: string, namespace: string, texts: object) => {
      resources[language] ??= {}
      resources[language][namespace] = texts
    }
    const folder = join(ROOT, 'locales')
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
      add(basename(file, '.json'), OWN, JSON.parse(readFileSync(join(folder, file), 'utf8')))
    }
    this.languages = new Set(Object.keys(resources))
    for (const [namespace, languages] of plugins.locales) {
      for (const [language, texts] of languages) add(language, namespace, texts)
    }
    this.#i18n = createInstance()
    this.#i18n.init({
      resources,
      fallbackLng: 'en',
      defaultNS: OWN,
      fallbackNS: OWN,
      initAsync: false,
      showSupportNotice: false,
      // Escaping belongs to the format that the text goes into.
      interpolation: { escapeValue: false },
    } as Parameters<i18n['init']>[0])
  }

  /** The text of `key`; a key without a text answers itself. */
  translate = (language: string, namespace: string, key: string, params: object = {}): string =>
    this.#i18n.t(key, { ...params, lng: language, ns: [namespace, OWN] }) as string

  /** All texts of a namespace in one language, as its locale file has them. */
  texts = (language: string, namespace: string): object | undefined => this.#i18n.getResourceBundle(language, namespace)

  /** The gateway's own text. */
  text = (language: string, key: string, params: object = {}): string => this.translate(language, OWN, key, params)

  /** A remark with its texts: technical English, and the caller's language. */
  advisory({ code, path, params }: Remark, lang: string): Advisory {
    return {
      code,
      ...(path === undefined ? {} : { path }),
      message: this.text('en', `advisory.${code}`, params),
      friendlyMessage: this.text(lang, `advisory.${code}`, params),
    }
  }
}
