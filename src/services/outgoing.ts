/** What is asked of another server. */
export interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer>
  /** Milliseconds for everything, the last byte of the answer included. */
  readonly within: number
  /** Bytes that an answer may have. */
  readonly most: number
}

/**
 * The one way out of the gateway. It follows no redirect, so that an answer cannot choose where the next request goes.
 * @throws when there is no answer in time, or one that is too long
 */
export const post = (request: OutgoingRequest) => send('POST', request)

/** Reads what is at an address, in the same way as {@link post}. */
export const get = (request: Omit<OutgoingRequest, 'body'>) => send('GET', request)

async function send(
  method: string,
  { url, headers, body, within, most }: Omit<OutgoingRequest, 'body'> & Partial<Pick<OutgoingRequest, 'body'>>,
) {
  // biome-ignore lint/style/noRestrictedGlobals: this is the client that the rule speaks of.
  const response = await fetch(url, {
    method,
    headers,
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(within),
  })
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > most) throw new Error(`The answer has more than ${most} bytes.`)
    chunks.push(chunk)
  }
  return { status: response.status, body: Buffer.concat(chunks) }
}
