import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { notFound } from '../../../../src/plugin/index.ts'
import { etagOf, type ModuleCradle } from '../../../../src/plugin/module.ts'
import { type Reference, referenceOf } from '../reference.ts'

/** A page as it is kept: compressed alone, since nearly everybody takes it so and it is a fifth. */
interface CompressedPage {
  readonly compressed: Buffer
  readonly etag: string
}

const BYTES_OF_BEGINNING = 2048
const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)
// A tenth larger than the best, and made in a fiftieth of its time.
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

/**
 * The pages of the API reference. Each is made when it is first asked for, and kept for as long as the process lives: there are
 * as many as the contract has tags, operations and schemas, and no caller can make one more.
 */
export default function apiReference({ config, contract, gatewayPages }: ModuleCradle) {
  const kept = new Map<string, Promise<CompressedPage>>()
  let reference: Reference | undefined
  /** How every page begins, with the policy that all of them state. */
  let beginning = Buffer.alloc(0)

  return { page }

  /**
   * @param address below `/docs`, without the slash; empty for the first page
   * @param isCompressed whether the caller takes Brotli
   * @throws Problem 404 where there is no such page
   */
  async function page(address: string, isCompressed: boolean) {
    let made = kept.get(address)
    if (made === undefined) {
      made = make(address)
      kept.set(address, made)
    }
    const { compressed, etag } = await made
    // Another encoding is another representation, with a tag of its own (RFC 9110, 8.8.3.3).
    return isCompressed
      ? { body: compressed, etag: etag.replace(/"$/, '-br"'), beginning }
      : { body: await decompress(compressed), etag, beginning }
  }

  function make(address: string): Promise<CompressedPage> {
    reference ??= referenceOf(contract, config.baseUrl)
    const view = reference.page(address)
    if (view === undefined) throw notFound('The reference has no such page.')
    const body = Buffer.from(gatewayPages.render('reference', view, 'en').body)
    beginning = Buffer.from(body.subarray(0, BYTES_OF_BEGINNING))
    return compress(body, COMPRESSION).then((compressed) => ({ compressed, etag: etagOf(body) }))
  }
}
