import { expect, test } from 'vitest'
import { ConfigError, Variables } from '../../../src/start/variables.ts'
import { settings } from './settings.ts'

const parse = (env: Record<string, string>) => settings.parse(new Variables(env))
const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318/'

test('traces are off unless they are asked for', () => {
  expect(parse({ OTEL_SERVICE_NAME: 'x' })).toBeUndefined()
  expect(parse({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBeUndefined()
})

test('traces are configured as OpenTelemetry has it', () => {
  const traces = parse({
    OTEL_EXPORTER_OTLP_ENDPOINT,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc%3D, x-org = 1',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=named,deployment.environment.name=live',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  })
  expect(traces).toEqual({
    address: 'http://collector:4318/v1/traces',
    headers: { authorization: 'Bearer abc=', 'x-org': '1' },
    serviceName: 'named',
    attributes: { 'deployment.environment.name': 'live' },
    sampler: { name: 'traceidratio', ratio: 0.25 },
  })
  expect(parse({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME: 'other' })).toMatchObject({
    serviceName: 'other',
    sampler: { name: 'parentbased_always_on', ratio: 1 },
  })
})

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'canary-secret'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'x=canary-secret%0d%0aevil'],
  ['OTEL_RESOURCE_ATTRIBUTES', 'x=%zz'],
])('%s=%s is refused, by its name and without a secret', (name, value) => {
  const wrong = () => parse({ OTEL_EXPORTER_OTLP_ENDPOINT, [name]: value })
  expect(wrong).toThrow(ConfigError)
  expect(wrong).toThrow(name)
  expect(wrong).not.toThrow('canary-secret')
})
