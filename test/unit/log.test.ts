import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { expect, test } from 'vitest'

const LINES = 20_000

test('an unread log blocks no process; the loss is reported once it is read', async () => {
  const program = `
    import { createLog } from './src/start/log.ts'
    import { loadConfig } from './src/start/config.ts'
    const log = createLog(loadConfig({}))
    for (let line = 0; line < ${LINES}; line++) log.info({ line }, 'x'.repeat(100))
    process.once('message', () => process.disconnect())
    setImmediate(() => process.send('still here'))`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const output = child.stdout as Readable
  const died = once(child, 'exit').then(([code]) => `ended with ${code}`)
  expect(await Promise.race([once(child, 'message').then(([message]) => message), died])).toBe('still here')

  const lines: { line?: number; lost?: number }[] = []
  const ended = once(child, 'exit')
  child.send('go on')
  let rest = ''
  for await (const chunk of output) {
    const [...whole] = `${rest}${chunk}`.split('\n')
    rest = whole.pop() ?? ''
    lines.push(...whole.map((line) => JSON.parse(line)))
  }
  expect(await ended).toEqual([0, null])
  const written = lines.filter(({ line }) => line !== undefined)
  const lost = lines.reduce((sum, { lost: count = 0 }) => sum + count, 0)
  expect(written.length + lost).toBe(LINES)
  expect(lost).toBeGreaterThan(0)
  expect(written.map(({ line }) => line)).toEqual(written.map((_, place) => place))
})
