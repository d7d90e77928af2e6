import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { logFields } from './telemetry/current.ts'

/** The process's log, JSON lines on standard output. */
export function createLog(config: Config): Logger {
  return pino({
    level: config.logLevel,
    base: undefined,
    mixin: logFields,
    // Nothing that opens a door goes into a log, wherever an object with it is logged.
    redact: {
      paths: [
        'authorization',
        'cookie',
        'grant',
        'token',
        'secret',
        'masterKey',
        'databaseUrl',
        'password',
        '*.authorization',
        '*.cookie',
        '*.grant',
        '*.token',
        '*.secret',
        '*.masterKey',
        '*.databaseUrl',
        '*.password',
        'err.config',
        'err.parameters',
        'err.params',
      ],
      censor: '[redacted]',
    },
  })
}
