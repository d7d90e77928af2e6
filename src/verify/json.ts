import { JsonGuardError, type JsonLimits, parseGuardedJson } from '../domain/json-guard.ts'

/**
 * Reads JSON that comes from outside, by the rules of the gateway's own bodies: two readers must never understand it
 * differently, and it is neither deep nor endless.
 * @throws JsonGuardError for what those rules refuse; Error for what is not JSON
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
