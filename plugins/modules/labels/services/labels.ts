import { randomUUID } from 'node:crypto'
import { notFound } from '../../../../src/plugin/index.ts'
import {
  assertOperatorScope,
  assertPermission,
  badRequest,
  conflict,
  isUuid,
  KeyedSemaphore,
  type ModuleCradle,
  type Principal,
} from '../../../../src/plugin/module.ts'
import { drawLabels } from '../draw-labels.ts'
import {
  addLabelJob,
  addLabelPiece,
  beginLabelJob,
  failLabelJob,
  findLabelJob,
  finishLabelJob,
  holdOpenJobs,
  type LabelJobRow,
  labelPiece,
} from '../label-jobs.ts'
import { type LabelRequest, validateRequest } from '../label-request.ts'
import type { Printer } from '../label-rows.ts'
import { type LabelFile, labelFile, labelJobResult, type OneLabelJob } from '../labels-result.ts'
import { countLabels, type LabelReport } from '../select-labels.ts'

const RETENTION_HOURS = 24
const MAX_OPEN_JOBS = 2
/** Bytes of a stored piece. The database returns twice as many characters, which up to 128 KiB are soon garbage collected. */
const PIECE_BYTES = 48 * 1024

export default function labels({ config: { baseUrl, bounds }, database, outbox, translator }: ModuleCradle) {
  // Drawing is CPU-bound: one caller per process, and one per workspace for fairness.
  const workspaceSemaphore = new KeyedSemaphore({ places: 1, maxWaiting: 2, maxWaitMs: 30_000 })
  const processSemaphore = new KeyedSemaphore({ places: 1, maxWaiting: 200, maxWaitMs: 30_000 })
  const deps = { baseUrl, database, translator }

  return { print, draw, job, file, work, abandon }

  function draw(printer: Printer, request: LabelRequest, report: LabelReport): AsyncGenerator<Uint8Array, void> {
    return drawLabels(deps, printer, request, report)
  }

  /** Returns the labels, or the job that draws them. @throws Problem 400, 404; 409 if too many jobs are unfinished */
  async function print(principal: Principal, request: LabelRequest): Promise<LabelFile | OneLabelJob> {
    const count = await countLabels(database, principal, validateRequest(request).selection)
    if (count > bounds.labelsAtOnce) {
      assertPermission(principal, 'passport:read')
      return { job: await addJob(principal, request) }
    }
    const leave = await workspaceSemaphore.enter(principal.tenantId)
    const leaveProcess = await processSemaphore.enter('').catch((error) => {
      leave()
      throw error
    })
    try {
      const report: LabelReport = { included: 0, skipped: [] }
      const pieces: Uint8Array[] = []
      // Buffered, so that slow readers do not block drawing.
      for await (const piece of draw(principal, request, report)) pieces.push(piece)
      if (report.included === 0) throw nothingToPrint(report)
      return labelFile(request, Buffer.concat(pieces), report)
    } finally {
      leaveProcess()
      leave()
    }
  }

  /** @throws Problem 403, 404 */
  async function job(principal: Principal, id: string): Promise<OneLabelJob> {
    return { job: labelJobResult(baseUrl, await findJob(principal, id)) }
  }

  /** @throws Problem 403, 404; 409 if unfinished */
  async function file(principal: Principal, id: string): Promise<LabelFile> {
    const found = await findJob(principal, id)
    if (found.status !== 'done') throw conflict('The labels are not ready yet. Poll the label job until it is done.')
    const { bytes, skipped } = found
    const answer = labelFile(JSON.parse(found.request), pieces(), { skipped: skipped ?? [] })
    return { ...answer, headers: { ...answer.headers, 'Content-Length': String(bytes) } }

    async function* pieces(): AsyncGenerator<Uint8Array, void> {
      const session = database.forTenant(principal.tenantId)
      for (let place = 0; ; place += 1) {
        const piece = await labelPiece(session, principal.tenantId, found.id, place)
        if (piece === undefined) return
        yield piece
      }
    }
  }

  /** The signal aborts between pieces. */
  async function work(tenantId: string, id: string, signal: AbortSignal): Promise<void> {
    const session = database.forTenant(tenantId)
    const [found, attempt] = await Promise.all([findLabelJob(session, tenantId, id), beginLabelJob(session, id)])
    if (found === undefined || attempt === undefined) return
    const report: LabelReport = { included: 0, skipped: [] }
    const { operatorId } = found
    let bytes = 0
    let place = 0
    for await (const piece of inPieces(draw({ tenantId, operatorId }, JSON.parse(found.request), report))) {
      signal.throwIfAborted()
      await addLabelPiece(session, { id, attempt }, place, piece)
      bytes += piece.length
      place += 1
    }
    await finishLabelJob(session, { id, attempt }, { bytes, ...report })
  }

  function abandon(tenantId: string, id: string): Promise<void> {
    return failLabelJob(database.forTenant(tenantId), id)
  }

  async function addJob(principal: Principal, request: LabelRequest): Promise<OneLabelJob['job']> {
    const { tenantId } = principal
    const id = randomUUID()
    const now = Date.now()
    const createdAt = new Date(now).toISOString()
    const expiresAt = new Date(now + RETENTION_HOURS * 3_600_000).toISOString()
    await database.transaction(tenantId, async (tx) => {
      if ((await holdOpenJobs(tx, tenantId)) >= MAX_OPEN_JOBS) {
        throw conflict(`${MAX_OPEN_JOBS} label jobs are not finished yet. Retry later.`, 'LABEL_JOB_LIMIT_REACHED')
      }
      const job = { id, subject: request.subject, request: JSON.stringify(request), createdAt, expiresAt }
      addLabelJob(tx, principal, job)
      await outbox.work(tx, 'labels', { tenantId, jobId: id })
    })
    return labelJobResult(baseUrl, {
      id,
      status: 'waiting',
      request: JSON.stringify({ format: request.format }),
      createdAt,
      expiresAt,
      bytes: null,
      included: null,
      skipped: null,
    })
  }

  async function findJob(principal: Principal, id: string): Promise<LabelJobRow> {
    const { tenantId } = principal
    const found = isUuid(id) ? await findLabelJob(database.forTenant(tenantId), tenantId, id) : undefined
    if (found === undefined) throw notFound('Label job not found in your workspace.')
    assertOperatorScope(principal, found.operatorId)
    if (found.subject === 'unit') assertPermission(principal, 'battery:read')
    return found
  }
}

function nothingToPrint({ skipped }: LabelReport) {
  const [first] = skipped
  return first === undefined || first.reason === 'NOT_FOUND'
    ? notFound('Passports or units not found in your workspace.')
    : badRequest(`No label can be printed with these options: ${first.reason} for ${first.id}.`)
}

async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    waiting.push(chunk)
    length += chunk.length
    if (length < PIECE_BYTES) continue
    yield Buffer.concat(waiting)
    waiting = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(waiting)
}
