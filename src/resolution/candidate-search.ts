import type { Cradle } from '../cradle.ts'
import { inEitherForm, isUuid } from '../domain/identifiers.ts'
import type { LevelName } from '../domain/product-level.ts'
import {
  type Candidate,
  candidateById,
  candidatesByKey,
  candidatesBySerial,
  type KeyName,
  type Match,
  recordCandidates,
  unitCandidateById,
} from './candidates.ts'
import { type Caller, isOwned } from './viewer.ts'

type Searcher = Pick<Caller, 'principal'>

declare module '../cradle.ts' {
  interface Cradle {
    candidateSearch: ReturnType<typeof candidateSearch>
  }
}

/** Finds passports, units and records, drafts only for workspaces that see them. */
export default function candidateSearch({ database, plugins }: Pick<Cradle, 'database' | 'plugins'>) {
  const recordsAt = new Map(plugins.levels.map((level) => [level.name, recordCandidates(level)]))

  return { byId, byUnitId, byKey, bySerial, byQualifier }

  /** Includes drafts; `resolution.answer` checks access. */
  async function byId(id: string): Promise<Candidate | undefined> {
    if (!isUuid(id)) return undefined
    return candidateById(database, id)
  }

  async function byUnitId(id: string): Promise<Candidate | undefined> {
    if (!isUuid(id)) return undefined
    return unitCandidateById(database, id)
  }

  async function byKey(value: string, named: KeyName | undefined, caller: Searcher): Promise<Match[]> {
    return inEitherForm(value, async (key) =>
      nearest(await visible(await candidatesByKey(database, key, named, workspaceOf(caller)), caller)),
    )
  }

  /** Returns the passports of a GTIN, each with its record of the level. */
  async function byQualifier(level: LevelName, gtin: string, value: string, caller: Searcher): Promise<Match[]> {
    const found = await recordsAt.get(level)?.byQualifier(database, gtin, value, workspaceOf(caller))
    return nearest(await visible(found ?? [], caller))
  }

  async function bySerial(productId: string, serial: string, caller: Searcher): Promise<Match[]> {
    return inEitherForm(productId, async (key) =>
      visible(await candidatesBySerial(database, key, serial, workspaceOf(caller)), caller),
    )
  }

  async function visible(rows: readonly Match[], { principal }: Searcher): Promise<Match[]> {
    const isVisible = await Promise.all(
      rows.map(async (row) => row.status !== 'DRAFT' || isOwned(database, row, principal)),
    )
    return rows.filter((_, index) => isVisible[index])
  }
}

const workspaceOf = ({ principal }: Searcher) => principal?.tenantId ?? null

const nearest = (seen: Match[]): Match[] => {
  const own = seen.filter(({ isNamed }) => !isNamed)
  return own.length > 0 ? own : seen
}
