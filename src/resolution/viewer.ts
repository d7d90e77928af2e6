import type { Cradle } from '../cradle.ts'
import { type Reader, tierOf } from '../domain/audience.ts'
import type { Principal } from '../domain/principal.ts'
import type { RequestedFormat } from '../renditions/negotiated-format.ts'
import type { Database } from '../storage/database.ts'
import { type Candidate, isBoundTo } from './candidates.ts'

export interface Caller extends RequestedFormat {
  readonly principal?: Principal | undefined
  /** Unverified capability token. */
  readonly grant?: string
  readonly lang: string
  readonly ip: string
  readonly countSlowWork?: (() => Promise<void>) | undefined
}

export interface Viewer {
  readonly reader: Reader
  readonly actor: string
}

export const PUBLIC: Viewer = { reader: 'public', actor: 'public' }
export const ownerViewer = ({ actor }: Principal): Viewer => ({ reader: 'owner', actor })

export const tokenOf = ({ reader }: Viewer, { grant }: Caller) => (tierOf(reader) === 'restricted' ? grant : undefined)

/** Sessions get the public tier (specification 4.1). */
export const seesOwnerTier = ({ kind, permissions }: Principal) => kind === 'key' && permissions.has('passport:read')

/** Returns the widest view of the credentials; invalid ones are ignored. */
export async function viewerOf(
  { database, grants }: Pick<Cradle, 'database' | 'grants'>,
  candidate: Candidate,
  { principal, grant }: Caller,
): Promise<Viewer> {
  if (principal !== undefined && (await isOwned(database, candidate, principal))) return ownerViewer(principal)
  const granted = grant === undefined ? undefined : await grants.readerBy(grant, candidate)
  return granted === undefined ? PUBLIC : { reader: granted.reader, actor: `grant:${granted.grantId}` }
}

/**
 * API keys of the owning workspace, or of one bound to the operator, get the owner tier within their operator scope; sessions the public
 * tier (specification 4.1).
 */
export async function isOwned(
  database: Database,
  candidate: Candidate,
  principal: Principal | undefined,
): Promise<boolean> {
  if (principal === undefined || !seesOwnerTier(principal)) return false
  if (principal.operatorId !== null && principal.operatorId !== candidate.operatorId) return false
  if (candidate.tenantId === principal.tenantId) return true
  return isBoundTo(database, candidate.operatorId, principal.tenantId)
}
