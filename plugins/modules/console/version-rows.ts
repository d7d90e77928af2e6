import type { Session, Statement } from '../../../src/plugin/module.ts'

const VERSIONS: Statement = {
  name: 'console-versions',
  text: `select v.version, v.metadata::text as metadata from passport_version v
    where v.passport_id = $1 and v.version between $2 and $3`,
}

/** Metadata by version; versions without metadata are those before the history began. */
export async function metadataOfVersions(
  session: Session,
  passportId: string,
  first: number,
  last: number,
): Promise<ReadonlyMap<number, unknown>> {
  const rows = await session.run<{ version: number; metadata: string | null }>(VERSIONS, [passportId, first, last])
  return new Map(rows.flatMap(({ version, metadata }) => (metadata === null ? [] : [[version, JSON.parse(metadata)]])))
}

const NEXT: Statement = {
  name: 'console-next-version',
  text: 'select coalesce(max(h.version), 0) + 2 as version from passport_history h where h.passport_id = $1',
}

/** Number in the history of the version that a change makes; the current one is not stored there. */
export async function nextVersion(session: Session, passportId: string): Promise<number> {
  const [row] = await session.run<{ version: number }>(NEXT, [passportId])
  return row?.version ?? 0
}

/** Value at a JSON Pointer (RFC 6901); undefined if there is none. */
export function valueAt(document: unknown, steps: readonly string[]): unknown {
  let at = document
  for (const step of steps) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    at = (at as Record<string, unknown>)[step]
  }
  return at
}
