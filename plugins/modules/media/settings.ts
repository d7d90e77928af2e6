import { ConfigError, type ModuleSettings, type Variables, withoutFinalSlashes } from '../../../src/plugin/module.ts'

export interface MediaSettings {
  readonly address: string
  readonly bucket: string
  readonly region: string
  /** Empty or with trailing slash. */
  readonly prefix: string
  readonly accessKey: string
  readonly secretKey: string
}

const ENDPOINT = 'MEDIA_S3_ENDPOINT'
const BUCKET = 'MEDIA_S3_BUCKET'
const REGION = 'MEDIA_S3_REGION'
const PREFIX = 'MEDIA_S3_PREFIX'
const ACCESS_KEY = 'MEDIA_S3_ACCESS_KEY'
const SECRET_KEY = 'MEDIA_S3_SECRET_KEY'

export const settings = {
  variables: [ENDPOINT, BUCKET, REGION, PREFIX, ACCESS_KEY, SECRET_KEY],
  parse(variables): MediaSettings | undefined {
    const endpoint = variables.webAddress(ENDPOINT)
    if (endpoint === undefined) return undefined
    const { origin, pathname } = new URL(endpoint)
    const prefix = variables.text(PREFIX) ?? ''
    if (!/^(?:[A-Za-z0-9._-]{1,100}\/){0,8}$/.test(prefix) || !/^[A-Za-z0-9/._-]*$/.test(pathname)) {
      throw new ConfigError(
        'Invalid MEDIA_S3_PREFIX: set folders of letters, digits, dots, hyphens and underscores, each with a final slash.',
      )
    }
    return {
      address: withoutFinalSlashes(`${origin}${pathname}`),
      bucket: required(variables, BUCKET, /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
      region: variables.text(REGION) ?? 'us-east-1',
      prefix,
      accessKey: required(variables, ACCESS_KEY, /^[!-~]{1,200}$/),
      secretKey: required(variables, SECRET_KEY, /^[!-~]{1,200}$/),
    }
  },
} satisfies ModuleSettings

function required(variables: Variables, name: string, form: RegExp): string {
  const value = variables.text(name)
  if (value !== undefined && form.test(value)) return value
  // Possibly secret: not in the message.
  throw new ConfigError(`${ENDPOINT} is set, but ${name} is missing or does not match ${form.source}.`)
}
