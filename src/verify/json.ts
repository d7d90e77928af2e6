import { JsonGuardError, type JsonLimits, parseGuardedJson } from '../domain/json-guard.ts'

/**
 * Parses untrusted JSON; rejects ambiguous or deep input.
 * @throws JsonGuardError for these; Error for invalid JSON
 */
export function readJson(text: string | Uint8Array, name: string, limits?: JsonLimits): unknown {
  try {
    return parseGuardedJson(typeof text === 'string' ? Buffer.from(text) : text, limits)
  } catch (error) {
    if (error instanceof JsonGuardError) throw error
    throw new Error(`${name} is not JSON: ${causeOf(error as Error)}`)
  }
}

const causeOf = ({ message, cause }: Error) => (cause instanceof Error ? cause.message : message)
