import { strToU8, type Zippable, zipSync } from 'fflate'

export type PackageParts = Readonly<Record<string, string>>

/** The earliest ZIP date, in local time, for reproducible bytes. */
const MTIME = new Date(1980, 0, 1)

export function zipped(parts: PackageParts): Uint8Array {
  const files: Zippable = {}
  for (const [name, text] of Object.entries(parts)) files[name] = strToU8(text)
  return zipSync(files, { mtime: MTIME })
}
