import type { Cradle } from '../cradle.ts'
import { notFound } from '../domain/problem.ts'
import type { Pages, Rendered } from '../plugin/contracts.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'

declare module '../cradle.ts' {
  interface Cradle {
    gatewayPages: ReturnType<typeof gatewayPages>
  }
}

export default function gatewayPages({ plugins, renditions }: Cradle) {
  const plugin = plugins.representations.find(hasPages)

  return { render }

  /** @throws Problem 404 if no representation renders pages */
  function render<Name extends keyof Pages>(name: Name, data: Pages[Name], lang: string): Rendered {
    if (plugin === undefined) throw notFound('No representation with HTML pages is loaded. Add it to PLUGINS.')
    return plugin.renderPage(name, data, renditions.contextFor(plugin, lang))
  }
}

type Representation = LoadedPlugins['representations'][number]
const hasPages = (plugin: Representation): plugin is Representation & Required<Pick<Representation, 'renderPage'>> =>
  plugin.renderPage !== undefined
