import { strToU8, type Zippable, zipSync } from 'fflate'

/** The texts of a package by their names. */
export type PackageParts = Readonly<Record<string, string>>

/** The earliest date that a ZIP can hold, in the local time that ZIP is written in: the same input gives the same bytes. */
const MTIME = new Date(1980, 0, 1)

/** The parts as a ZIP. */
export function zipped(parts: PackageParts): Uint8Array {
  const files: Zippable = {}
  for (const [name, text] of Object.entries(parts)) files[name] = strToU8(text)
  return zipSync(files, { mtime: MTIME })
}
