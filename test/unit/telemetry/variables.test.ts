import { expect, test } from 'vitest'
import { ConfigError, loadConfig } from '../../../src/start/config.ts'

const load = (env: Record<string, string>) => loadConfig({ DATA_DIR: '/nowhere', ...env })
const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318/'

test('metrics and traces are off unless they are asked for', () => {
  expect(load({ METRICS_HOST: '0.0.0.0', OTEL_SERVICE_NAME: 'x' })).toMatchObject({
    metrics: undefined,
    tracing: undefined,
  })
  expect(load({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' }).tracing).toBeUndefined()
  expect(load({ METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 })
})

test('traces are configured as OpenTelemetry has it', () => {
  const tracing = load({
    OTEL_EXPORTER_OTLP_ENDPOINT,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc%3D, x-org = 1',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=named,deployment.environment.name=live',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  }).tracing
  expect(tracing).toEqual({
    url: 'http://collector:4318/v1/traces',
    headers: { authorization: 'Bearer abc=', 'x-org': '1' },
    serviceName: 'named',
    attributes: { 'deployment.environment.name': 'live' },
    sampler: { name: 'traceidratio', ratio: 0.25 },
  })
  expect(load({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME: 'other' }).tracing).toMatchObject({
    serviceName: 'other',
    sampler: { name: 'parentbased_always_on', ratio: 1 },
  })
})

test.each([
  ['METRICS_PORT', '70000'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'canary-secret'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'x=canary-secret%0d%0aevil'],
  ['OTEL_RESOURCE_ATTRIBUTES', 'x=%zz'],
])('%s=%s is refused, by its name and without a secret', (name, value) => {
  const wrong = () => load({ OTEL_EXPORTER_OTLP_ENDPOINT, [name]: value })
  expect(wrong).toThrow(ConfigError)
  expect(wrong).toThrow(name)
  expect(wrong).not.toThrow('canary-secret')
})
