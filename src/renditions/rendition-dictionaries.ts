import type { Cradle } from '../cradle.ts'
import { memoize } from '../domain/memoize.ts'
import { once } from '../domain/once.ts'
import { sealedSample } from './sample-passport.ts'

declare module '../cradle.ts' {
  interface Cradle {
    renditionDictionaries: ReturnType<typeof renditionDictionaries>
  }
}

/** Formats in all languages. A page takes 40 KB. */
const MAX_DICTIONARIES = 100
const isText = /^text\/|json$/

/**
 * Zstandard dictionaries of stored renditions: the sample passport in the same format and language. Most bytes of a page are its style sheet,
 * structure and texts. Rendering is pure, and the generation covers its code, so that all processes have the same dictionary.
 */
export default function renditionDictionaries({
  plugins,
  passportViews,
  translator,
  descriptions,
}: Pick<Cradle, 'plugins' | 'passportViews' | 'translator' | 'descriptions'>) {
  const view = once(() => passportViews.view(sealedSample(), 'public'))
  const modules = new Set(plugins.modules.map(({ name }) => name))
  const rendered = memoize(render, { entries: MAX_DICTIONARIES, characters: 100 })

  return { of: (representation: string, variant: string) => rendered(`${representation} ${variant}`) }

  /** Undefined if the format is signed or binary, or cannot show the sample. */
  async function render(named: string): Promise<Buffer | undefined> {
    const [name, lang = ''] = named.split(' ')
    const plugin = plugins.representations.find((one) => one.name === name)
    if (plugin === undefined || plugin.isSigned === true || !isText.test(plugin.mediaTypes[0])) return undefined
    const context = {
      lang,
      translate: (key: string, params?: object) => translator.translate(lang, plugin.name, key, params),
      mediaTypes: plugins.representations.map(({ mediaTypes: [first] }) => first),
      modules,
      describe: (category: unknown) => descriptions.of(category as string, lang),
    }
    try {
      const { body } = await plugin.render(view(), context)
      return Buffer.from(body)
    } catch {
      return undefined
    }
  }
}
