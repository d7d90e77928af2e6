/** Invalid configuration; stops start-up. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** Environment variables; empty ones count as unset. Methods throw a ConfigError that names the variable. */
export class Variables {
  readonly #env: NodeJS.ProcessEnv

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env
  }

  /** Returns only the named variables. */
  only(names: readonly string[]): Variables {
    return new Variables(Object.fromEntries(names.map((name) => [name, this.#env[name]])))
  }

  text(name: string): string | undefined {
    return this.#env[name]?.trim() || undefined
  }

  integer(name: string, fallback: number, low: number, high: number): number {
    const value = this.text(name)
    if (value === undefined) return fallback
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < low || number > high) {
      throw new ConfigError(`Invalid ${name} "${value}": set an integer from ${low} to ${high}.`)
    }
    return number
  }

  oneOf<Value extends string>(name: string, fallback: NoInfer<Value>, allowed: readonly Value[]): Value {
    const value = this.text(name)
    if (value === undefined) return fallback
    const found = allowed.find((one) => one === value)
    if (found === undefined) throw new ConfigError(`Invalid ${name} "${value}": set one of ${allowed.join(', ')}.`)
    return found
  }

  isOn(name: string, fallback: boolean): boolean {
    return this.oneOf(name, fallback ? 'on' : 'off', ['on', 'off']) === 'on'
  }

  /** Reads an http or https address, as {@link URL} writes it. */
  webAddress(name: string): string | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    const url = URL.canParse(value) ? new URL(value) : undefined
    if (url === undefined || !/^https?:$/.test(url.protocol) || url.username || url.password) {
      throw new ConfigError(`Invalid ${name}${shownValue(value)}: set an http or https address without credentials.`)
    }
    return url.href
  }
}

/** Converts third-party errors to ConfigError; subclasses of Error are defects. */
export function toConfigError(variable: string, error: unknown): unknown {
  const isOurs = error instanceof ConfigError || !(error instanceof Error) || error.constructor !== Error
  if (isOurs) return error
  const named = error.message.startsWith(`${variable}: `) ? error.message : `${variable}: ${error.message}`
  return new ConfigError(named, { cause: error })
}

/** Omits values with a possible password before `@`. */
export const shownValue = (value: string) => (value.includes('@') ? '' : ` "${value}"`)

export function withoutFinalSlashes(address: string): string {
  let end = address.length
  while (address[end - 1] === '/') end -= 1
  return address.slice(0, end)
}

/** RFC 6890, 2.2.2; RFC 4291, 2.5.3; RFC 6761, 6.3. */
export function isLoopback(host: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/i.test(host)
}
