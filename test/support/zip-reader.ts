import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { fromBufferPromise } from 'yauzl'

/** Files of a ZIP by name, as a foreign reader finds them; checks names, lengths and checksums. */
export async function filesInZip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: true })
  const files = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry))
    if (crc32(content) !== entry.crc32) throw new Error(`${entry.fileName} has a wrong checksum.`)
    if (files.has(entry.fileName)) throw new Error(`${entry.fileName} is there twice.`)
    files.set(entry.fileName, content)
  }
  return files
}
