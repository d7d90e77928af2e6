/**
 * Documents by address, as `contexts/index.json` of the gateway and of its plugins name them; null for a document that is
 * known but may not be shipped. An address that begins with {@link BASE} belongs to every gateway.
 */
export type Contexts = ReadonlyMap<string, object | null>

/** What stands for the address of a gateway, in addresses and in documents. */
export const BASE = '{base}'

/** The document as the gateway at `baseUrl` serves it. */
export const withBase = <T extends object>(document: T, baseUrl: string): T =>
  JSON.parse(JSON.stringify(document), (_key, value) =>
    typeof value === 'string' ? value.replaceAll(BASE, () => baseUrl) : value,
  )
