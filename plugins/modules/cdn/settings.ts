import { ConfigError, type ModuleSettings } from '../../../src/plugin/module.ts'
import { FORMATS } from './purge-formats.ts'

export const settings = {
  variables: ['CDN_PURGE_URL', 'CDN_PURGE_FORMAT', 'CDN_PURGE_TOKEN'],
  parse(variables) {
    const address = variables.webAddress('CDN_PURGE_URL')
    const format = variables.oneOf('CDN_PURGE_FORMAT', 'varnish', ['varnish', 'fastly', 'cloudflare'])
    const token = variables.text('CDN_PURGE_TOKEN')
    // Secret: not in the message.
    if (token !== undefined && !/^[!-~]{1,4096}$/.test(token)) {
      throw new ConfigError('Invalid CDN_PURGE_TOKEN: set 1 to 4096 ASCII characters without spaces.')
    }
    return address === undefined ? undefined : { address, format: FORMATS[format], token }
  },
} satisfies ModuleSettings

export type CdnSettings = ReturnType<typeof settings.parse>
