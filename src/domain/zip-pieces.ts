import { Zip, type ZipDeflate, type ZipPassThrough } from 'fflate'

/** Earliest ZIP date, for reproducible bytes; ZIP uses local time. */
const EPOCH = new Date(1980, 0, 1)

export class ZipPieces {
  #ready: Uint8Array[] = []
  readonly #zip = new Zip((error, piece) => {
    if (error) throw error
    this.#ready.push(piece)
  })

  begin<Entry extends ZipDeflate | ZipPassThrough>(entry: Entry): Entry {
    entry.mtime = EPOCH
    this.#zip.add(entry)
    return entry
  }

  taken(): readonly Uint8Array[] {
    const pieces = this.#ready
    this.#ready = []
    return pieces
  }

  end(): readonly Uint8Array[] {
    this.#zip.end()
    return this.taken()
  }
}
