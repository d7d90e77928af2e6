import { BASE_URL, type TestGateway } from './gateway.ts'

/** Encodes every octet outside of the unreserved ones, as the public validator of EN 18222 does. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

export const idOf = (id: string): string => `${BASE_URL}/passport/${id}`

type Headers = Record<string, string>

export function enClient(gateway: TestGateway, prefix = '/v1') {
  const get = (path: string, headers?: Headers) => gateway.request('GET', prefix + path, { headers })
  const send = (method: string, path: string, headers: Headers, json?: unknown) =>
    gateway.request(method, prefix + path, { headers, json })
  return {
    read: (id: string, query = '', headers?: Headers) => get(`/dpps/${encoded(id)}${query}`, headers),
    byProduct: (id: string, query = '', headers?: Headers) => get(`/dppsByProductId/${encoded(id)}${query}`, headers),
    atTime: (id: string, date: string, query = '', headers?: Headers) =>
      get(`/dppsByIdAndDate/${encoded(id)}?date=${encoded(date)}${query}`, headers),
    ofProductAtTime: (id: string, date: string, headers?: Headers) =>
      get(`/dppsByProductIdAndDate/${encoded(id)}?date=${encoded(date)}`, headers),
    element: (id: string, path: string, query = '', headers?: Headers) =>
      get(`/dpps/${encoded(id)}/elements/${encoded(path)}${query}`, headers),
    collection: (id: string, elementId: string, query = '') =>
      get(`/dpps/${encoded(id)}/collections/${encoded(elementId)}${query}`),
    ids: (body: unknown, query = '', headers: Headers = {}) => send('POST', `/dppsByProductIds${query}`, headers, body),
    create: (body: unknown, headers: Headers, query = '') => send('POST', `/dpps${query}`, headers, body),
    update: (id: string, body: unknown, headers: Headers, query = '') =>
      send('PATCH', `/dpps/${encoded(id)}${query}`, headers, body),
    updateElement: (id: string, path: string, body: unknown, headers: Headers, query = '') =>
      send('PATCH', `/dpps/${encoded(id)}/elements/${encoded(path)}${query}`, headers, body),
    remove: (id: string, headers: Headers) => send('DELETE', `/dpps/${encoded(id)}`, headers),
  }
}

/** Identifiers of the passports of a workspace, and of two units of each. */
export async function demoPassports({ request }: Pick<TestGateway, 'request'>, headers: Headers): Promise<string[]> {
  const read = async (path: string) => (await request('GET', path, { headers })).body
  const { passports }: { passports: readonly { id: string }[] } = await read('/api/v1/passports')
  const units = await Promise.all(
    passports.map(async ({ id }) => {
      const found: readonly { id: string; status: string }[] = (await read(`/api/v1/passports/${id}/units`)).units
      return found.filter(({ status }) => status !== 'RECYCLED').slice(0, 2)
    }),
  )
  return [...passports.map(({ id }) => idOf(id)), ...units.flat().map(({ id }) => `${BASE_URL}/unit/${id}`)]
}
