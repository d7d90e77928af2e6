interface PurgeFormat {
  /** Names per request. */
  readonly maxNames: number
  /** Returns headers and body of the request that purges the objects with one of the names. */
  request(names: readonly string[], token: string | undefined): { headers: Record<string, string>; body: string }
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

export const FORMATS = {
  /** For the VCL in the README. */
  varnish: {
    maxNames: 100,
    request: (names, token) => ({
      headers: { 'Surrogate-Key': names.join('|'), ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
      body: '',
    }),
  },
  /** <https://www.fastly.com/documentation/reference/api/purging/>, "Bulk purge". */
  fastly: {
    maxNames: 256,
    request: (names, token = '') => ({
      headers: { ...JSON_TYPE, Accept: 'application/json', 'Fastly-Key': token },
      body: JSON.stringify({ surrogate_keys: names }),
    }),
  },
  /** <https://developers.cloudflare.com/api/resources/cache/methods/purge/>, "Purge by tag". */
  cloudflare: {
    maxNames: 30,
    request: (names, token = '') => ({
      headers: { ...JSON_TYPE, Authorization: `Bearer ${token}` },
      body: JSON.stringify({ tags: names }),
    }),
  },
} as const satisfies Record<string, PurgeFormat>
