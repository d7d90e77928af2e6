import { Zip, type ZipDeflate, type ZipPassThrough } from 'fflate'

/** The earliest date that a ZIP can hold, in the local time that ZIP is written in: the same input gives the same bytes. */
const EPOCH = new Date(1980, 0, 1)

/** An archive that is written piece by piece. */
export class ZipPieces {
  #ready: Uint8Array[] = []
  readonly #zip = new Zip((error, piece) => {
    if (error) throw error
    this.#ready.push(piece)
  })

  /** Begins the next file, into which its bytes are pushed. */
  begin<Entry extends ZipDeflate | ZipPassThrough>(entry: Entry): Entry {
    entry.mtime = EPOCH
    this.#zip.add(entry)
    return entry
  }

  /** The pieces that are ready, each given once. */
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
