import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { type Config, ConfigError, loadConfig } from '../../../src/start/config.ts'
import { unusedCores } from '../../../src/start/serve.ts'

test.each<[Record<string, string>, Partial<Config>]>([
  [{}, { workers: 1, databaseConnections: 33 }],
  [{ WORKERS: '4' }, { workers: 4, databaseConnections: 33 }],
  [{ WORKERS: '6' }, { workers: 6, databaseConnections: 48 }],
  [
    { WORKERS: '4', DATABASE_CONNECTIONS: '24' },
    { workers: 4, databaseConnections: 24 },
  ],
  [{ WORKERS: 'auto' }, { workers: Math.max(1, availableParallelism() - 1) }],
  // Only a worker has a number.
  [
    { WORKERS: '2', WORKER: '2', METRICS_PORT: '9464' },
    { worker: undefined, metrics: { host: '127.0.0.1', port: 9464 } },
  ],
])('%j', (env, expected) => {
  expect(loadConfig(env)).toMatchObject(expected)
})

test.each([
  [{ WORKERS: '0' }, 'Invalid WORKERS "0": set an integer from 1 to 256.'],
  [{ WORKERS: 'all' }, 'Invalid WORKERS "all": set an integer from 1 to 256.'],
  [{ WORKERS: '1.5' }, 'Invalid WORKERS "1.5": set an integer from 1 to 256.'],
  [{ DATABASE_CONNECTIONS: '5' }, 'Invalid DATABASE_CONNECTIONS "5": set an integer from 6 to 100000.'],
  [
    { WORKERS: '4', DATABASE_CONNECTIONS: '23' },
    'Invalid DATABASE_CONNECTIONS "23": set an integer from 24 to 100000.',
  ],
  [{ DATABASE_CONNECTIONS: 'many' }, 'Invalid DATABASE_CONNECTIONS "many": set an integer from 6 to 100000.'],
  [{ WORKERS: '4', METRICS_PORT: '65533' }, 'Invalid METRICS_PORT "65533": set an integer from 0 to 65532.'],
])('%j is rejected', (env, message) => {
  expect(() => loadConfig(env)).toThrow(new ConfigError(message))
})

test('one process tells that it leaves cores unused', () => {
  expect(unusedCores(16)).toEqual(['One of 16 cores is used. Set WORKERS=auto to use all.'])
  expect(unusedCores(2)).toEqual([])
})
