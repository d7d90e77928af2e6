import type { ModuleSettings } from '../../../src/plugin/module.ts'

export interface ConsoleSettings {
  readonly address?: string
  /** OpenID provider; undefined if it is off. */
  readonly oidc?: { readonly issuer: string }
}

export const settings = {
  variables: ['CONSOLE'],
  parse: (variables): ConsoleSettings | undefined => (variables.isOn('CONSOLE', false) ? {} : undefined),
} satisfies ModuleSettings
