import { expect, test } from 'vitest'
import { Counters } from '../../../src/telemetry/counters.ts'
import { createExposition } from '../../../src/telemetry/exposition.ts'

const sources = {
  counters: new Counters(),
  publicCache: { statistics: () => ({ isOn: true, entries: 1, bytes: 2, evictions: 3 }) },
  database: {
    connections: () => ({ app: { open: 2, busy: 1, waiting: 0 }, lookup: { open: 1, busy: 0, waiting: 0 } }),
  },
  build: { version: '1.2.3', commit: 'abc' },
  signer: 'local',
}
const queue = { queue: 'mail', ready: 4, deferred: 0, active: 0, failed: 0, due: 1.5 }

test('a database that does not respond is queried once, and blocks no request', async () => {
  let queries = 0
  const { render } = createExposition({
    ...sources,
    queues: () => {
      queries += 1
      return new Promise(() => {})
    },
  })
  const texts = await Promise.all([render(), render(), render()])
  texts.push(await render())
  expect(queries).toBe(1)
  for (const text of texts) {
    expect(text).toContain('dpp_database_up 0')
    expect(text).not.toContain('dpp_queue_jobs{')
    expect(text).toContain('dpp_public_cache_bytes 2')
  }
})

test('a database that refuses is one that does not answer', async () => {
  const { render } = createExposition({ ...sources, queues: () => Promise.reject(new Error('canary')) })
  expect(await render()).toContain('dpp_database_up 0')
})

test('results of the database are cached for some seconds', async () => {
  let queries = 0
  const { render } = createExposition({
    ...sources,
    queues: async () => {
      queries += 1
      return [queue]
    },
  })
  for (let count = 0; count < 3; count += 1) {
    const text = await render()
    expect(text).toContain('dpp_database_up 1')
    expect(text).toContain('dpp_queue_jobs{queue="mail",state="ready"} 4')
    expect(text).toContain('dpp_queue_due_seconds{queue="mail"} 1.5')
  }
  expect(queries).toBe(1)
})
