import { ZipDeflate, ZipPassThrough } from 'fflate'
import { ZipPieces } from '../domain/zip-pieces.ts'

/** A file of an archive. */
export interface ArchivedFile {
  readonly name: string
  readonly bytes: Uint8Array
  /** What is packed already only grows by being packed again. */
  readonly isPacked: boolean
}

/** An archive of files, in pieces: no file is asked for before somebody takes the pieces of the one before it. */
export async function* drawZip(files: AsyncIterable<ArchivedFile>): AsyncGenerator<Uint8Array, void> {
  const zip = new ZipPieces()
  for await (const { name, bytes, isPacked } of files) {
    zip.begin(isPacked ? new ZipPassThrough(name) : new ZipDeflate(name)).push(bytes, true)
    yield* zip.taken()
  }
  yield* zip.end()
}
