import { ConfigError, type ModuleSettings, type Variables, withoutFinalSlashes } from '../../../src/plugin/module.ts'

export interface TraceSettings {
  /** OTLP over HTTP. */
  readonly address: string
  /** Sent headers; may contain credentials of the receiver. */
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  readonly attributes: Readonly<Record<string, string>>
  readonly sampler: { readonly name: (typeof SAMPLERS)[number]; readonly ratio: number }
}

/** `parentbased_` follows the caller's `traceparent`, if present. */
const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const

export const settings = {
  variables: [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'OTEL_RESOURCE_ATTRIBUTES',
    'OTEL_SDK_DISABLED',
    'OTEL_SERVICE_NAME',
    'OTEL_TRACES_SAMPLER',
    'OTEL_TRACES_SAMPLER_ARG',
  ],
  parse(variables): TraceSettings | undefined {
    const endpoint = variables.webAddress('OTEL_EXPORTER_OTLP_ENDPOINT')
    if (endpoint === undefined || variables.text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined
    const { 'service.name': named, ...attributes } = pairs(variables, 'OTEL_RESOURCE_ATTRIBUTES')
    const ratio = variables.text('OTEL_TRACES_SAMPLER_ARG') ?? '1'
    if (!/^(?:0(?:\.\d{1,12})?|1(?:\.0{1,12})?)$/.test(ratio)) {
      throw new ConfigError(`Invalid OTEL_TRACES_SAMPLER_ARG "${ratio}": set a number from 0 to 1, such as 0.1.`)
    }
    return {
      address: `${withoutFinalSlashes(endpoint)}/v1/traces`,
      headers: pairs(variables, 'OTEL_EXPORTER_OTLP_HEADERS'),
      serviceName: variables.text('OTEL_SERVICE_NAME') ?? named ?? 'dpp-gateway',
      attributes,
      sampler: {
        name: variables.oneOf('OTEL_TRACES_SAMPLER', 'parentbased_always_on', SAMPLERS),
        ratio: Number(ratio),
      },
    }
  },
} satisfies ModuleSettings

/** Parses `name=value,name=value`, percent-encoded (W3C Baggage, 3.3.1, as in OpenTelemetry). */
function pairs(variables: Variables, name: string): Record<string, string> {
  const found: Record<string, string> = Object.create(null)
  for (const pair of (variables.text(name) ?? '').split(',')) {
    if (pair.trim() === '') continue
    const [, key, value = ''] = /^([\w.*/-]{1,200})[ \t]*=(.*)$/.exec(pair.trim()) ?? []
    // Possibly secret: not in the message.
    const wrong = new ConfigError(`Invalid ${name}: set comma-separated, percent-encoded name=value pairs.`)
    if (key === undefined) throw wrong
    try {
      found[key] = decodeURIComponent(value.trim())
    } catch {
      throw wrong
    }
    // Invalid in a header (RFC 9110, 5.5).
    if (!/^[\t -~]*$/.test(found[key])) throw wrong
  }
  return found
}
