import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

/** A file of an archive. */
export interface ArchivedFile {
  readonly name: string
  readonly bytes: Uint8Array
  /** What is packed already only grows by being packed again. */
  readonly isPacked: boolean
}

/** The earliest date that a ZIP can hold, in the local time that ZIP is written in: the same input gives the same bytes. */
const ZIP_EPOCH = new Date(1980, 0, 1)

/** An archive of files, in pieces: no file is asked for before somebody takes the pieces of the one before it. */
export async function* drawZip(files: AsyncIterable<ArchivedFile>): AsyncGenerator<Uint8Array, void> {
  let ready: Uint8Array[] = []
  const zip = new Zip((error, piece) => {
    if (error) throw error
    ready.push(piece)
  })
  const taken = () => {
    const pieces = ready
    ready = []
    return pieces
  }
  for await (const { name, bytes, isPacked } of files) {
    const entry = isPacked ? new ZipPassThrough(name) : new ZipDeflate(name)
    entry.mtime = ZIP_EPOCH
    zip.add(entry)
    entry.push(bytes, true)
    yield* taken()
  }
  zip.end()
  yield* taken()
}
