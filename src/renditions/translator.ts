import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInstance, type i18n } from 'i18next'
import type { Cradle } from '../cradle.ts'
import type { Remark } from '../domain/advisories.ts'
import type { Advisory } from '../domain/problem.ts'
import { ROOT } from '../root.ts'

export const OWN = 'gateway'
const FALLBACK = 'en'

declare module '../cradle.ts' {
  interface Cradle {
    translator: ReturnType<typeof translator>
  }
}

/** Texts of the plugin, else of the gateway, else in English. A language is read when its first text is needed. */
export default function translator({ plugins }: Pick<Cradle, 'plugins'>) {
  /** Texts that no reader needed yet: most languages of a gateway, in each of its namespaces. */
  const unread = new Map<string, Map<string, () => object>>()
  const add = (language: string, namespace: string, texts: () => object) => {
    const namespaces = unread.get(language) ?? new Map<string, () => object>()
    unread.set(language, namespaces.set(namespace, texts))
  }
  const folder = join(ROOT, 'locales')
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    add(basename(file, '.json'), OWN, () => JSON.parse(readFileSync(join(folder, file), 'utf8')))
  }
  const languages = new Set(unread.keys())
  for (const [namespace, languages] of plugins.locales) {
    for (const [language, texts] of languages) add(language, namespace, texts)
  }
  const instance = createInstance()
  instance.init({
    resources: {},
    fallbackLng: FALLBACK,
    defaultNS: OWN,
    fallbackNS: OWN,
    initAsync: false,
    showSupportNotice: false,
    // Output formats escape.
    interpolation: { escapeValue: false },
  } as Parameters<i18n['init']>[0])
  const read = (language: string, namespace: string) => {
    const texts = unread.get(language)?.get(namespace)
    if (texts === undefined) return
    unread.get(language)?.delete(namespace)
    instance.addResourceBundle(language, namespace, texts(), false, true, { silent: true, skipCopy: true })
  }
  const translate = (language: string, namespace: string, key: string, params: object = {}): string => {
    for (const one of [language, FALLBACK]) {
      read(one, namespace)
      read(one, OWN)
    }
    return instance.t(key, { ...params, lng: language, ns: [namespace, OWN] }) as string
  }
  const texts = (language: string, namespace: string): object | undefined => {
    read(language, namespace)
    return instance.getResourceBundle(language, namespace)
  }
  const text = (language: string, key: string, params: object = {}): string => translate(language, OWN, key, params)

  return { languages, translate, texts, text, advisory }

  function advisory({ code, path, params: lazy }: Remark, lang: string): Advisory {
    // Computes a suggestion once.
    const params = { ...lazy }
    const toMessage = (language: string) => {
      const remark = text(language, `advisory.${code}`, params)
      return params.suggestion === undefined ? remark : `${remark} ${text(language, 'issue.didYouMean', params)}`
    }
    const message = toMessage('en')
    return { code, path, message, friendlyMessage: lang === 'en' ? message : toMessage(lang) }
  }
}
