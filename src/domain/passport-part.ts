import type { Audiences, Reader } from './audience.ts'
import type { Issue } from './issue.ts'
import type { Metadata } from './metadata.ts'
import type { PageSection } from './view.ts'

/** Part of the passport view, stored by a module and read in the same query as the passport. */
export interface PassportPart<View, Stored = unknown> {
  /** SQL expression for the row `p` of `passport`: one JSON value, or null. */
  readonly column: string
  /** True if earlier versions show it too. */
  readonly isInVersions?: boolean
  /** Pure. @param stored null if the module stores nothing, or in an earlier version */
  view(stored: Stored | null, context: PartContext): View
  /** Pure; section of the page for people. */
  section?(stored: Stored | null, context: PartContext): PageSection | undefined
  /** Pure; rules between valid metadata and the part. @param context `audiencesOf`: undefined for a public key */
  check?(metadata: Metadata, stored: Stored | null, context: PartRules): Iterable<Issue & { readonly message: string }>
}

interface PartRules {
  readonly baseUrl: string
  audiencesOf(key: string): Audiences | undefined
}

interface PartContext {
  readonly baseUrl: string
  readonly passportId: string
  readonly reader: Reader
}
