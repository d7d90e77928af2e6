import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Cradle } from '../cradle.ts'
import { isGrai, isGtin14, isUuid } from '../domain/identifiers.ts'
import { chooseLanguage } from '../domain/language.ts'
import { memoize } from '../domain/memoize.ts'
import { dictionary } from '../domain/record.ts'
import type { FindStored } from '../plugin/contracts.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'
import { type PublicRequest, variantOf } from '../renditions/negotiated-format.ts'
import { type Column, kindAt } from '../renditions/rendition-statements.ts'
import type { RequestCounter } from '../telemetry/counters.ts'
import type { Contract } from './contract.ts'

const KEYS = dictionary<{ isKey: (text: string) => boolean; column: Column }>({
  resolvePublicPassport: { isKey: isUuid, column: 'id' },
  resolveGs1Gtin: { isKey: isGtin14, column: 'gtin' },
  resolveGs1Grai: { isKey: isGrai, column: 'grai' },
  resolvePublicBatteryUnit: { isKey: isUuid, column: 'unit' },
})

interface Entrance {
  readonly operationId: string
  readonly prefix: string
  readonly column: Column
  /** True if the unescaped value is a valid key and meets the contract's schema. */
  accepts(value: string): boolean
  /** Reads the address by the rules of a module instead. */
  readonly find?: FindStored | undefined
}

export interface LaneRequest extends PublicRequest {
  readonly requests: RequestCounter
  /** Key in the public cache. */
  readonly key: string
}

const LINK = /^\/(?:01|8003)\//
const ONLY_LANGUAGE = /^lang=([A-Za-z-]{2,11})$/
export const HEADER_CACHE = { entries: 500, characters: 512 }

/** Returns a function that reads address and headers of a request; its result is undefined if the pipeline must handle the request. */
export function laneRequests({
  contract,
  digitalLinks,
  renditions,
  translator,
  counters,
  plugins,
  config: { baseUrl },
}: Pick<Cradle, 'config' | 'contract' | 'digitalLinks' | 'renditions' | 'translator' | 'counters' | 'plugins'>) {
  const entrances = compileEntrances(contract, plugins)
  const kinds = [...new Set(entrances.map(({ column }) => kindAt(column)))]
  const choiceFor = new Map(
    kinds.map((kind) => [kind, memoize((accept: string) => renditions.choose({ accept }, kind), HEADER_CACHE)]),
  )

  return readRequest

  function readRequest(url: string, accept: string, acceptLanguage: string): LaneRequest | undefined {
    const entrance = entrances.find(({ prefix }) => url.startsWith(prefix))
    if (entrance === undefined || isOtherLink(url, accept)) return undefined
    const requests = counters.requestsOf(entrance.operationId)
    if (entrance.find !== undefined) {
      const found = entrance.find(url.slice(entrance.prefix.length), baseUrl)
      if (found === undefined) return undefined
      const { column, value, format } = found
      const choice = { isSigned: false, plugin: format } as const
      return { requests, column, value, choice, variant: '', key: `${column}/${value} ${format.name}` }
    }
    const query = url.indexOf('?')
    const value = url.slice(entrance.prefix.length, query === -1 ? undefined : query)
    const language = query === -1 ? null : ONLY_LANGUAGE.exec(url.slice(query + 1))?.[1]
    const choose = choiceFor.get(kindAt(entrance.column))
    const choice = language === undefined || !entrance.accepts(value) ? undefined : choose?.(accept)
    if (language === undefined || choice === undefined) return undefined
    const variant = variantOf(choice, () => chooseLanguage(language, acceptLanguage, translator.languages))
    if (variant === undefined) return undefined
    const key = `${entrance.prefix}${value} ${choice.plugin.name} ${variant}`
    return { requests, column: entrance.column, value, choice, variant, key }
  }

  /** True for a GS1 Digital Link that is malformed or does not resolve to a passport. */
  function isOtherLink(target: string, accept: string): boolean {
    if (!LINK.test(target)) return false
    try {
      return digitalLinks.isOther({ target, accept })
    } catch {
      return true
    }
  }
}

function compileEntrances({ operations }: Contract, { levels, modules }: LoadedPlugins): Entrance[] {
  // swagger-parser has validated the schemas; a second validation costs 60 ms.
  const ajv = new Ajv2020({ strict: false, validateSchema: false })
  return [...operations.values()]
    .filter(({ isInPublicLane }) => isInPublicLane)
    .map(({ operationId, path, parameters }) => {
      const level = levels.find(({ name }) => path.startsWith(`/${name}/`))
      const find = modules.map(({ api }) => api?.publicReads?.[operationId]).find((found) => found !== undefined)
      const known = level === undefined ? KEYS[operationId] : { isKey: isUuid, column: level.name }
      const key = known ?? (find && { isKey: isUuid, column: 'id' })
      const parameter = parameters.find((candidate) => candidate.in === 'path')
      const prefix = path.slice(0, path.indexOf('{'))
      if (key === undefined || parameter === undefined || path !== `${prefix}{${parameter.name}}`) {
        throw new Error(`The public lane cannot serve ${operationId} at ${path}.`)
      }
      const meetsSchema = ajv.compile(parameter.schema)
      return {
        operationId,
        prefix,
        column: key.column,
        accepts: (value: string) => key.isKey(value) && meetsSchema(value),
        find,
      }
    })
}
