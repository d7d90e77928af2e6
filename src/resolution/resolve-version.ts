import type { Cradle } from '../cradle.ts'
import { audienceOf } from '../domain/audience.ts'
import { isUuid } from '../domain/identifiers.ts'
import { badRequest, Problem } from '../domain/problem.ts'
import { lastMomentOf, type VersionName } from '../passports/passport-versions.ts'
import type { Database } from '../storage/database.ts'
import { type Candidate, deletedCandidateById } from './candidates.ts'
import { hidden, noRepresentation, type RenditionResult, toResult } from './rendition-result.ts'
import { resolveCurrent } from './resolve-current.ts'
import { type Caller, PUBLIC, tokenOf, type Viewer, viewerOf } from './viewer.ts'

export type Services = Pick<
  Cradle,
  'candidateSearch' | 'database' | 'grants' | 'renditions' | 'unitViews' | 'accessAudit' | 'protectedReadAudit'
>

/**
 * Returns a sealed version in its public view, else the current passport. Privileged callers also get unsealed states by time.
 * @throws Problem 400, 404, 406
 */
export async function resolveVersion(
  services: Services,
  id: string,
  { version, asOf }: { readonly version?: string | undefined; readonly asOf?: string | undefined },
  caller: Caller,
): Promise<RenditionResult> {
  if (version !== undefined && asOf !== undefined) throw badRequest('Specify a version or a time, not both.')
  const name = nameOf(version, asOf)
  const present = await services.candidateSearch.byId(id)
  if (name === undefined)
    return resolveCurrent(services, present, caller, services.renditions.choose(caller, 'passport'))
  const candidate = present ?? (await deletedById(services.database, id))
  if (candidate === undefined) throw hidden('passport')
  const isForAll = 'version' in name && candidate.status !== 'DRAFT'
  return resolveEarlier(
    services,
    candidate,
    name,
    isForAll ? PUBLIC : await viewerOf(services, candidate, caller),
    caller,
  )
}

export async function deletedById(database: Database, id: string): Promise<Candidate | undefined> {
  return isUuid(id) ? deletedCandidateById(database.batchedLookup, id) : undefined
}

/** Versions of drafts and deleted passports are for the owner and authorities. */
export async function resolveEarlier(
  services: Services,
  candidate: Candidate,
  name: VersionName,
  viewer: Viewer,
  caller: Caller,
): Promise<RenditionResult> {
  const { reader } = viewer
  if (candidate.status === 'DRAFT' && reader !== 'owner' && audienceOf(reader) !== 'authority') throw hidden('passport')
  const { database, renditions } = services
  const choice = renditions.choose(caller, 'passport')
  if (choice === undefined) throw noRepresentation()
  const time = reader === 'public' ? undefined : await archivedTime(database, candidate, name)
  const rendition =
    time === undefined
      ? await renditions.renderSealedVersion(candidate, name, choice, caller.lang)
      : await renditions.renderArchived(candidate, time, reader, choice, caller.lang, tokenOf(viewer, caller))
  if (rendition === undefined) throw 'asOf' in name && time !== undefined ? noState() : noVersion(name)
  return toResult(services, candidate, viewer, choice, rendition, caller)
}

async function archivedTime(
  database: Database,
  { id, tenantId, status }: Candidate,
  name: VersionName,
): Promise<string | undefined> {
  if ('asOf' in name) return name.asOf
  return status === 'DRAFT' ? lastMomentOf(database.forTenant(tenantId), id, name.version) : undefined
}

function nameOf(version: string | undefined, asOf: string | undefined): VersionName | undefined {
  if (version !== undefined) return { version: Number(version) }
  return asOf === undefined ? undefined : momentNamed(asOf)
}

export const momentNamed = (asOf: string): { readonly asOf: string } => ({
  asOf: new Date(Math.max(0, Math.min(Date.parse(asOf), Date.now()))).toISOString(),
})

const noState = () => new Problem(404, 'No passport that you may read existed at that time.', { title: 'Not Found' })

const noVersion = (name: VersionName) =>
  new Problem(
    404,
    'version' in name
      ? `This passport has no sealed version ${name.version}. Only sealed versions stay readable.`
      : 'No sealed version of this passport was published at that time. Only sealed versions stay readable.',
    { title: 'Not Found' },
  )
