/**
 * Documents by address (`contexts/index.json` of gateway and plugins); null if the document may not be shipped. Addresses that begin with
 * {@link BASE} belong to every gateway.
 */
export type Contexts = ReadonlyMap<string, object | null>

export const BASE = '{base}'

export const withBase = <T extends object>(document: T, baseUrl: string): T =>
  JSON.parse(JSON.stringify(document), (_key, value) =>
    typeof value === 'string' ? value.replaceAll(BASE, () => baseUrl) : value,
  )
