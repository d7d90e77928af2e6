import { ConfigError, type ModuleSettings } from '../../../src/plugin/module.ts'

export const PREFIX = '/v1'

export const settings = {
  variables: ['EN_PREFIX'],
  parse(variables) {
    const prefix = variables.text('EN_PREFIX') ?? PREFIX
    if (/^(?:\/[a-z0-9-]{1,40}){1,4}$/.test(prefix)) return { prefix }
    throw new ConfigError(`Invalid EN_PREFIX "${prefix}": set a path such as /dpp/v1, without a final slash.`)
  },
} satisfies ModuleSettings
