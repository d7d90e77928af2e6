import { ConfigError, type ModuleSettings, withoutFinalSlashes } from '../../../src/plugin/module.ts'

export const settings = {
  variables: ['REGISTRY_URL', 'REGISTRY_TOKEN'],
  parse(variables) {
    const address = variables.webAddress('REGISTRY_URL')
    const token = variables.text('REGISTRY_TOKEN')
    // Secret: not in the message.
    if (token !== undefined && !/^[!-~]{1,4096}$/.test(token)) {
      throw new ConfigError('Invalid REGISTRY_TOKEN: set 1 to 4096 ASCII characters without spaces.')
    }
    return address === undefined ? undefined : { address: withoutFinalSlashes(address), token }
  },
} satisfies ModuleSettings

export type RegistrySettings = ReturnType<typeof settings.parse>
