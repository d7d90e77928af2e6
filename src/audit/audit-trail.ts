import type { Cradle } from '../cradle.ts'
import { momentOf } from '../domain/dates.ts'
import { isUuid } from '../domain/identifiers.ts'
import { clamped } from '../domain/paging.ts'
import { assertWholeWorkspace, type Principal } from '../domain/principal.ts'
import { badRequest, notFound } from '../domain/problem.ts'
import type { Content } from '../domain/schema.ts'
import type { Session } from '../storage/statement.ts'
import { allWorkspaces } from '../workspaces/credential-statements.ts'
import { type AuditEntry, type ChainFault, type ChainPlace, createChainValidator } from './audit-chain.ts'
import { auditHead, auditSpan, chainAudit, entriesAfter, findEntries } from './audit-statements.ts'

const READ_AT_ONCE = 1000
const MAX_FAULTS = 100

interface LogQuery {
  readonly cursor?: string | undefined
  readonly limit?: string | undefined
  readonly action?: string | undefined
  readonly subject?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface ChainVerdict {
  readonly workspaceId: string
  readonly workspace: string
  readonly entries: number
  readonly head: ChainPlace
  /** At most {@link MAX_FAULTS}. */
  readonly faults: readonly ChainFault[]
}

declare module '../cradle.ts' {
  interface Cradle {
    auditTrail: ReturnType<typeof auditTrail>
  }
}

export default function auditTrail({ database }: Cradle) {
  return { log, verify, entries }

  /** Returns one page, newest first, with all committed entries. @throws Problem 400, 403 */
  async function log(
    principal: Principal,
    { cursor, limit, action, subject, from, to }: LogQuery,
  ): Promise<Content<'AuditLogPage'>> {
    assertWholeWorkspace(principal)
    const query = { before: beforeOf(cursor), action, subject, from: timeOf('from', from), to: timeOf('to', to) }
    const maxEntries = clamped(limit, 200, 50)
    const session = database.forTenant(principal.tenantId)
    // One transaction: the others see entries that the first call chains.
    const [, found, { sequence, hash }] = await Promise.all([
      chainAudit(session),
      findEntries(session, query, maxEntries + 1),
      auditHead(session),
    ])
    const shown = found.slice(0, maxEntries)
    const last = shown.at(-1)
    const nextCursor = found.length > maxEntries && last !== undefined ? cursorOf(last.sequence) : null
    return { entries: shown, nextCursor, head: { sequence, hash } }
  }

  /**
   * Verifies the chains from the first entry to the head.
   * @param workspaceId default: all workspaces
   * @param noted known places that the chain must contain
   * @throws Problem 404
   */
  async function* verify(
    workspaceId: string | undefined,
    noted: readonly ChainPlace[] = [],
  ): AsyncGenerator<ChainVerdict> {
    for (const { id, name } of await workspacesOf(workspaceId)) {
      const session = database.forTenant(id)
      await chainAll(session)
      const { beyond, ...head } = await auditHead(session)
      const validator = createChainValidator(noted)
      const faults: ChainFault[] = []
      let count = 0
      for await (const entry of entriesOf(session, Number.MIN_SAFE_INTEGER, head.sequence)) {
        count += 1
        faults.push(...validator.check(entry).slice(0, MAX_FAULTS - faults.length))
      }
      faults.push(...validator.end(head, beyond).slice(0, MAX_FAULTS - faults.length))
      yield { workspaceId: id, workspace: name, entries: count, head, faults }
    }
  }

  /** Yields a time span in chain order, without gaps. @throws Problem 400, 404 */
  async function* entries(
    workspaceId: string,
    { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  ): AsyncGenerator<AuditEntry> {
    const span = { from: timeOf('from', from), to: timeOf('to', to) }
    await workspacesOf(workspaceId)
    const session = database.forTenant(workspaceId)
    await chainAll(session)
    const { first, last } = await auditSpan(session, span)
    yield* entriesOf(session, first - 1, last)
  }

  async function workspacesOf(id: string | undefined): Promise<readonly { id: string; name: string }[]> {
    const workspaces = await allWorkspaces(database)
    if (id === undefined) return workspaces
    const found = isUuid(id) ? workspaces.filter((workspace) => workspace.id === id.toLowerCase()) : []
    if (found.length === 0) throw notFound(`Workspace ${id} not found.`)
    return found
  }
}

async function chainAll(session: Session): Promise<void> {
  while (!(await chainAudit(session))) {
    // Each call chains a part.
  }
}

async function* entriesOf(session: Session, after: number, last: number): AsyncGenerator<AuditEntry> {
  for (let place = after; ; ) {
    const read = await entriesAfter(session, place, last, READ_AT_ONCE)
    yield* read
    const end = read.at(-1)
    if (end === undefined) return
    place = end.sequence
  }
}

const cursorOf = (sequence: number): string => Buffer.from(`before ${sequence}`).toString('base64url')

function beforeOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined
  const [, sequence] = /^before ([0-9]{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (sequence === undefined) throw badRequest('cursor must be the nextCursor of a page.')
  return Number(sequence)
}

function timeOf(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const moment = momentOf(text)
  if (moment === undefined) throw badRequest(`${name} must be an ISO 8601 timestamp.`)
  return new Date(moment)
}
