import type { JsonRecord } from '../../../src/plugin/index.ts'
import { encodeSegment } from '../../../src/plugin/module.ts'
import { needed, Skipped } from './finding.ts'
import type { Probe } from './probe.ts'
import { type Reply, statusOf } from './reply.ts'
import { HEADER } from './rules/en18223.ts'

// Addresses and documents of EN 18222.

export const productPath = (api: string, productId: string) => `${api}/dppsByProductId/${encodeSegment(productId)}`

/** @throws Skipped if the service offers no EN 18222 interface */
export function apiOf({ target }: Probe): string {
  if (target.withoutApi !== undefined) throw new Skipped(target.withoutApi)
  return target.api
}

export const dppIdOf = ({ target }: Probe): string =>
  needed(target.dppId, 'the identifier of the passport is unknown: add --passport')

export const productIdOf = ({ target }: Probe): string =>
  needed(target.productId, 'the identifier of the product is unknown: add --product')

export const byId = (probe: Probe, rest = '') => `${apiOf(probe)}/dpps/${encodeSegment(dppIdOf(probe))}${rest}`

export const byProduct = (probe: Probe, rest = '') => productPath(apiOf(probe), productIdOf(probe)) + rest

export const byDate = (probe: Probe, date: string) =>
  `${apiOf(probe)}/dppsByIdAndDate/${encodeSegment(dppIdOf(probe))}?date=${encodeSegment(date)}`

export const search = (probe: Probe, query = '') => `${apiOf(probe)}/dppsByProductIds${query}`

export const elementAt = (probe: Probe, path: string, query = '') =>
  byId(probe, `/elements/${encodeSegment(path)}${query}`)

/** The compressed document. @throws Skipped if it cannot be read, which other checks report */
export async function compressed(probe: Probe): Promise<JsonRecord> {
  return readable(await probe.get(byId(probe)))
}

/** The full document. @throws Skipped if it is not offered */
export async function full(probe: Probe): Promise<JsonRecord> {
  return readable(await probe.get(byId(probe, '?representation=full')))
}

function readable(reply: Reply): JsonRecord {
  const fault = statusOf(reply, 200)
  if (fault !== undefined) throw new Skipped(`${reply.request.url} cannot be read: ${fault}`)
  return needed(reply.maybeRecord(), `${reply.request.url} is not a JSON object`)
}

/** Names of data elements at the top of a compressed document. */
export const contentKeys = (document: JsonRecord): string[] =>
  Object.keys(document).filter((key) => !HEADER.has(key) && !key.startsWith('@'))

/** Normalized path (RFC 9535, 2.7) of a member at the top. */
export const normalizedPath = (key: string): string => `$['${key.replaceAll(/[\\']/g, (letter) => `\\${letter}`)}']`

/** A data element and its value: of `--element`, or the first scalar one. @throws Skipped */
export async function anElement(probe: Probe): Promise<{ key: string; path: string; value: unknown }> {
  const document = await compressed(probe)
  const keys = contentKeys(document).filter((key) => /^[\x20-\x7e]+$/.test(key))
  const key = keys.find((name) => typeof document[name] !== 'object') ?? keys[0]
  const found = needed(key, 'the passport has no data elements')
  return { key: found, path: normalizedPath(found), value: document[found] }
}

/** @throws Skipped for an operation that the service says it does not have (EN 18222, 7.2, Table 15) */
export function offered(reply: Reply, name: string): Reply {
  if (reply.status === 501) throw new Skipped(`the service does not offer ${name} (501)`)
  return reply
}
