import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInstance, type i18n } from 'i18next'
import type { Cradle } from '../cradle.ts'
import type { Remark } from '../domain/advisories.ts'
import type { Advisory } from '../domain/problem.ts'
import { ROOT } from '../root.ts'

/** Namespace of the gateway's own texts. */
export const OWN = 'gateway'

declare module '../cradle.ts' {
  interface Cradle {
    translator: ReturnType<typeof translator>
  }
}

/** Texts in the caller's language: a plugin's own first, then the gateway's, then English. */
export default function translator({ plugins }: Pick<Cradle, 'plugins'>) {
  /** The text of `key`; a key without a text answers itself. */
  const translate = (language: string, namespace: string, key: string, params: object = {}): string =>
    instance.t(key, { ...params, lng: language, ns: [namespace, OWN] }) as string
  /** All texts of a namespace in one language, as its locale file has them. */
  const texts = (language: string, namespace: string): object | undefined => resources[language]?.[namespace]
  /** The gateway's own text. */
  const text = (language: string, key: string, params: object = {}): string => translate(language, OWN, key, params)
  const resources: Record<string, Record<string, object>> = {}
  const add = (language: string, namespace: string, texts: object) => {
    resources[language] ??= {}
    resources[language][namespace] = texts
  }
  const folder = join(ROOT, 'locales')
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    add(basename(file, '.json'), OWN, JSON.parse(readFileSync(join(folder, file), 'utf8')))
  }
  const languages = new Set(Object.keys(resources))
  for (const [namespace, languages] of plugins.locales) {
    for (const [language, texts] of languages) add(language, namespace, texts)
  }
  const instance = createInstance()
  instance.init({
    resources,
    fallbackLng: 'en',
    defaultNS: OWN,
    fallbackNS: OWN,
    initAsync: false,
    showSupportNotice: false,
    // Escaping belongs to the format that the text goes into.
    interpolation: { escapeValue: false },
  } as Parameters<i18n['init']>[0])

  return { languages, translate, texts, text, advisory }

  /** A remark with its texts: technical English, and the caller's language. */
  function advisory({ code, path, params }: Remark, lang: string): Advisory {
    const told = (language: string) => {
      const remark = text(language, `advisory.${code}`, params)
      return params?.suggestion === undefined ? remark : `${remark} ${text(language, 'issue.didYouMean', params)}`
    }
    return { code, path, message: told('en'), friendlyMessage: told(lang) }
  }
}
