import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../src/root.ts'

/** Node options of `npm start`, of this version or the one in `folder`. */
export function startArguments(folder = ROOT): readonly string[] {
  const { start } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts
  const [program, ...rest] = String(start).split(' ')
  if (program !== 'node') throw new Error(`npm start is not understood: ${start}`)
  return rest
}
