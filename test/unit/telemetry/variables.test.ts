import { expect, test } from 'vitest'
import { ConfigError, loadConfig } from '../../../src/start/config.ts'

const load = (env: Record<string, string>) => loadConfig({ DATA_DIR: '/nowhere', ...env })

test('metrics are off unless they are asked for', () => {
  expect(load({ METRICS_HOST: '0.0.0.0' }).metrics).toBeUndefined()
  expect(load({ METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 })
})

test('METRICS_PORT=70000 is refused, by its name', () => {
  const wrong = () => load({ METRICS_PORT: '70000' })
  expect(wrong).toThrow(ConfigError)
  expect(wrong).toThrow('METRICS_PORT')
})
