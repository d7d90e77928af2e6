import type { Cradle } from '../cradle.ts'
import type { DigitalLink } from '../domain/digital-link.ts'
import { notFound } from '../domain/problem.ts'
import { withSerial } from '../passports/passport-catalogue.ts'
import type { Database } from '../storage/database.ts'
import type { Session } from '../storage/statement.ts'
import type { Match } from './candidates.ts'
import { isOneWorkspace, selectServed } from './served-passports.ts'
import type { Caller } from './viewer.ts'

export type LinkCaller = Caller & { readonly target: string; readonly acceptLanguage: string | undefined }

export interface Target extends Match {
  /** Application identifier of the unit or record; absent for a product. */
  readonly by?: string
}

export async function productsOf(
  { candidateSearch }: Pick<Cradle, 'candidateSearch'>,
  { key }: DigitalLink,
  caller: LinkCaller,
): Promise<readonly Target[]> {
  const found = await candidateSearch.byKey(key.value, key.ai === '01' ? 'gtin' : 'grai', caller)
  return selectServed(found).map((match) => ({ ...match, unitId: null }))
}

/** Finds the item with a serial. A passport's UUID takes precedence over serials in metadata, which issuers choose. */
export async function itemsAmong(database: Database, candidates: readonly Match[], serial: string): Promise<Target[]> {
  const named = candidates.find(({ id }) => id === serial.toLowerCase())
  const published = candidates.filter(({ status }) => status !== 'DRAFT')
  const answering = selectServed(published.length > 0 ? published : candidates)
  const isOne = isOneWorkspace(answering)
  const unit = answering.find(({ unitId }) => unitId !== null)
  if (isOne && unit !== undefined) return [{ ...unit, by: '21' }]
  if (named !== undefined) return [{ ...named, unitId: null, by: '21' }]
  const answers = await inTheirWorkspaces(database, answering, (session, ids) => withSerial(session, ids, serial))
  const ids = new Set(answers.flatMap((answer) => [...answer]))
  const targets = answering.map(
    (match): Target => (match.unitId !== null || ids.has(match.id) ? { ...match, by: '21' } : match),
  )
  const item = isOne ? targets.find(({ by }) => by !== undefined) : undefined
  return item === undefined ? targets : [item]
}

export function inTheirWorkspaces<Answer>(
  database: Database,
  matches: readonly Match[],
  ask: (session: Session, ids: string[]) => Promise<Answer>,
): Promise<Answer[]> {
  const byTenant = Map.groupBy(matches, ({ tenantId }) => tenantId)
  return Promise.all(
    [...byTenant].map(([tenantId, ofTenant]) =>
      ask(
        database.forTenant(tenantId),
        ofTenant.map(({ id }) => id),
      ),
    ),
  )
}

export function addressOf(baseUrl: string, { id, unitId, record }: Pick<Match, 'id' | 'unitId' | 'record'>): string {
  if (unitId !== null) return `${baseUrl}/unit/${unitId}`
  return record === undefined ? `${baseUrl}/passport/${id}` : `${baseUrl}/${record.level}/${record.id}`
}

export const kindOf = ({ unitId, record }: Target) => (unitId === null ? (record?.level ?? 'passport') : 'unit')

export const nothingHere = () => notFound('No public passport at this address.')
