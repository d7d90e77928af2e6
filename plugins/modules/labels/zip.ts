import { ZipDeflate, ZipPassThrough } from 'fflate'
import { ZipPieces } from '../../../src/plugin/module.ts'

export interface ArchivedFile {
  readonly name: string
  readonly bytes: Uint8Array
  /** True for compressed formats, which are only stored. */
  readonly isPacked: boolean
}

/** Pulls one file at a time. */
export async function* drawZip(files: AsyncIterable<ArchivedFile>): AsyncGenerator<Uint8Array, void> {
  const zip = new ZipPieces()
  for await (const { name, bytes, isPacked } of files) {
    zip.begin(isPacked ? new ZipPassThrough(name) : new ZipDeflate(name)).push(bytes, true)
    yield* zip.taken()
  }
  yield* zip.end()
}
