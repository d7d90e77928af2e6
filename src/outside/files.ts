import { readFileSync, statSync } from 'node:fs'

/** Input that cannot be read. Commands exit with code 3. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

const REASONS = new Map([
  ['ENOENT', 'File %s not found.'],
  ['ENOTDIR', 'File %s not found.'],
  ['EISDIR', '%s is a folder.'],
  ['EACCES', '%s cannot be read: permission denied.'],
  ['EPERM', '%s cannot be read: permission denied.'],
  ['EROFS', '%s cannot be written: the file system is read-only.'],
  ['ENOSPC', '%s cannot be written: no space is left.'],
])

/** Undefined if the error is not of the file system. */
export function fileFault({ code = '', path }: NodeJS.ErrnoException, name = path): string | undefined {
  return name === undefined ? undefined : REASONS.get(code)?.replace('%s', () => name)
}

/**
 * Standard input for `-`.
 * @throws Unreadable if missing, unreadable or too long
 */
export function readInput(file: string, maxBytes: number): Buffer {
  const name = file === '-' ? 'Standard input' : file
  const tooLong = new Unreadable(`${name} has more than ${maxBytes} bytes.`)
  try {
    if (file !== '-' && statSync(file).size > maxBytes) throw tooLong
    const bytes = readFileSync(file === '-' ? 0 : file)
    if (bytes.length > maxBytes) throw tooLong
    return bytes
  } catch (error) {
    if (error === tooLong) throw error
    const fault = error as NodeJS.ErrnoException
    throw new Unreadable(fileFault(fault, name) ?? `${name} cannot be read: ${fault.message}`)
  }
}

/** @throws Unreadable for invalid UTF-8 */
export function utf8(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Unreadable(`${name} is not UTF-8 text.`)
  }
}
