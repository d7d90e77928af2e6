import { type Logger, type LoggerOptions, pino } from 'pino'
import { logFields } from '../telemetry/current.ts'
import type { Config } from './config.ts'

const MAX_WAITING_BYTES = 1024 * 1024

/** Logs JSON lines. A stalled reader never blocks requests: lines are buffered, then dropped and counted. */
export function createLog(config: Config): Logger {
  const output = pino.destination({ fd: 1, sync: false, maxLength: MAX_WAITING_BYTES })
  let lost = 0
  output.on('drop', () => lost++)
  output.on('drain', () => {
    const count = lost
    lost = 0
    if (count > 0) log.warn({ lost: count }, 'log lines lost: the reader was too slow')
  })
  const log = pino(optionsOf(config), output)
  return log
}

function optionsOf(config: Config): LoggerOptions {
  return {
    level: config.logLevel,
    base: undefined,
    mixin: logFields,
    // Secrets are never logged, at any depth.
    redact: {
      paths: [
        'authorization',
        'cookie',
        'grant',
        'token',
        'secret',
        'masterKey',
        'masterKeyPrevious',
        'databaseUrl',
        'password',
        '*.authorization',
        '*.cookie',
        '*.grant',
        '*.token',
        '*.secret',
        '*.masterKey',
        '*.masterKeyPrevious',
        '*.databaseUrl',
        '*.password',
        'err.config',
        'err.parameters',
        'err.params',
      ],
      censor: '[redacted]',
    },
  }
}
