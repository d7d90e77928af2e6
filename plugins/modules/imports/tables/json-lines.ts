import { setImmediate } from 'node:timers/promises'
import { JsonSyntaxError, parseGuardedJson } from '../../../../src/plugin/module.ts'
import { assertRowCount, type Line, MAX_ROW_CHARACTERS, TableError } from './table.ts'

const LINES_PER_TICK = 16

/**
 * Reads JSON Lines (UTF-8), and yields to the event loop. A malformed line does not affect the others.
 * @throws TableError for too many lines, or one that is too long
 */
export async function* readJsonLines(bytes: Uint8Array): AsyncGenerator<Line> {
  let count = 0
  let number = 0
  for (let at = 0; at < bytes.length; ) {
    number += 1
    const newline = bytes.indexOf(0x0a, at)
    const end = newline === -1 ? bytes.length : newline
    const line = bytes.subarray(at, end)
    at = end + 1
    if (isBlank(line)) continue
    count += 1
    assertRowCount(count)
    if (count % LINES_PER_TICK === 0) await setImmediate()
    if (line.length > MAX_ROW_CHARACTERS) {
      throw new TableError(`Line ${number} has more than ${MAX_ROW_CHARACTERS} bytes. Write one JSON object per line.`)
    }
    yield { number, ...parseLine(line, number) }
  }
}

function parseLine(line: Uint8Array, number: number): Omit<Line, 'number'> {
  try {
    return { document: parseGuardedJson(line) }
  } catch (error) {
    const fault = (error as Error).message.replace('The body', 'The line').replace('The document', 'The line')
    return { fault: error instanceof JsonSyntaxError ? fault.replace('at line 1,', `at line ${number},`) : fault }
  }
}

const isBlank = (line: Uint8Array) => line.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09)
