import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { notFound } from '../../../../src/plugin/index.ts'
import { etagOf, type ModuleCradle } from '../../../../src/plugin/module.ts'
import { createReference, type Reference } from '../reference.ts'

/** Only the compressed page is cached: a fifth of the size, and nearly all callers accept it. */
interface CompressedPage {
  readonly compressed: Buffer
  readonly etag: string
}

const BYTES_OF_BEGINNING = 2048
const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)
// A tenth larger than the best quality, in a fiftieth of the time.
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

/**
 * Renders pages of the API reference on first request and caches them permanently. Their number is fixed by the contract, so callers cannot
 * grow the cache.
 */
export default function apiReference({ config, contract, gatewayPages }: ModuleCradle) {
  const cache = new Map<string, Promise<CompressedPage>>()
  let reference: Reference | undefined
  let beginning = Buffer.alloc(0)

  return { page }

  /**
   * @param address below `/docs`, without the slash; empty for the first page
   * @throws Problem 404 if the page does not exist
   */
  async function page(address: string, isCompressed: boolean) {
    let made = cache.get(address)
    if (made === undefined) {
      made = make(address)
      cache.set(address, made)
    }
    const { compressed, etag } = await made
    // Each encoding needs its own entity tag (RFC 9110, 8.8.3.3).
    return isCompressed
      ? { body: compressed, etag: etag.replace(/"$/, '-br"'), beginning }
      : { body: await decompress(compressed), etag, beginning }
  }

  function make(address: string): Promise<CompressedPage> {
    reference ??= createReference(contract, config.baseUrl)
    const view = reference.page(address)
    if (view === undefined) throw notFound('Page not found in the API reference.')
    const body = Buffer.from(gatewayPages.render('reference', view, 'en').body)
    beginning = Buffer.from(body.subarray(0, BYTES_OF_BEGINNING))
    return compress(body, COMPRESSION).then((compressed) => ({ compressed, etag: etagOf(body) }))
  }
}
