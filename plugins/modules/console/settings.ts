import { ConfigError, isLoopback, type ModuleSettings, withoutFinalSlashes } from '../../../src/plugin/module.ts'

export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Shown on the button. */
  readonly name: string
  /** Values of `amr` or `acr` that count as multi-factor authentication. */
  readonly mfa: readonly string[]
}

export interface ConsoleSettings {
  readonly address?: string
  /** OpenID provider; undefined if it is off. */
  readonly oidc?: OidcSettings
}

export const settings = {
  variables: ['CONSOLE', 'OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME', 'OIDC_MFA'],
  parse(variables): ConsoleSettings | undefined {
    const isOn = variables.isOn('CONSOLE', true)
    const issuer = variables.webAddress('OIDC_ISSUER')
    if (issuer === undefined || !isOn) return isOn ? {} : undefined
    const [clientId, clientSecret] = [variables.text('OIDC_CLIENT_ID'), variables.text('OIDC_CLIENT_SECRET')]
    if (clientId === undefined || clientSecret === undefined) {
      throw new ConfigError('OIDC_ISSUER is set, but OIDC_CLIENT_ID or OIDC_CLIENT_SECRET is missing. Set both.')
    }
    const { protocol, hostname, host } = new URL(issuer)
    if (protocol !== 'https:' && !isLoopback(hostname)) {
      throw new ConfigError('Invalid OIDC_ISSUER: set an https address.')
    }
    const mfa = (variables.text('OIDC_MFA') ?? 'mfa').split(',').map((value) => value.trim())
    const name = variables.text('OIDC_NAME') ?? host
    return { address: issuer, oidc: { issuer: withoutFinalSlashes(issuer), clientId, clientSecret, name, mfa } }
  },
} satisfies ModuleSettings
