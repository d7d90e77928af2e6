import { randomUUID } from 'node:crypto'
import { mapYielding, notFound, Problem, runYielding } from '../../../../src/plugin/index.ts'
import type { ModuleCradle } from '../../../../src/plugin/module.ts'
import {
  assertWholeWorkspace,
  clamped,
  isUuid,
  type Principal,
  type Session,
  storageRefusal,
  type WriteScope,
} from '../../../../src/plugin/module.ts'
import {
  addCapture,
  beginCapture,
  type CaptureAttempt,
  type CaptureRow,
  capturePiece,
  endCaptureAttempts,
  findCapture,
  finishCapture,
  holdOpenCaptures,
  listCaptures,
  reportCapture,
} from '../capture-jobs.ts'
import { documentToCapture, unstorable, validateDocumentSteps } from '../epcis/capture.ts'
import type { CapturedEvent, CaptureFinding, CaptureValidation } from '../epcis/event.ts'
import type { components } from '../generated.ts'
import { refusedCapture } from '../refused-capture.ts'
import { insertTraceEvents } from '../trace-rows.ts'

type Schemas = components['schemas']

/** Approximate; a single event may exceed it. */
const PIECE_CHARACTERS = 131_072
const SLICE = 500
const RETENTION_DAYS = 7
const MAX_OPEN_JOBS = 4
const USUAL_PAGE = 30
const LARGEST_PAGE = 100
const DAY_MS = 86_400_000

type CaptureJob = Schemas['CaptureJob']
type CaptureError = Schemas['CaptureError']

/** Captures documents after the response, all events or none (EPCIS 2.0, 12.6). */
export default function captures({ config, database, outbox }: ModuleCradle) {
  return { submit, job, list, work, abandon }

  /** Queues a document. Validates its events only for size. @throws Problem 400, 403, 409 */
  async function submit(principal: Principal, body: unknown, scope: WriteScope): Promise<CaptureJob> {
    assertWholeWorkspace(principal)
    const now = new Date()
    const taken = documentToCapture(body, now)
    if ('findings' in taken) throw refusedCapture(taken.findings)
    const { tenantId } = principal
    const id = randomUUID()
    const texts = await mapYielding(taken.events, (event, place) => {
      const finding = unstorable(event, place)
      if (finding !== undefined) throw refusedCapture([finding])
      return JSON.stringify(event)
    })
    const pieces = piecesOf(texts)
    const row = {
      id,
      around: JSON.stringify(taken.around),
      pieces,
      eventCount: taken.events.length,
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + RETENTION_DAYS * DAY_MS).toISOString(),
    }
    await scope.transaction(async (tx) => {
      if ((await holdOpenCaptures(tx, tenantId)) >= MAX_OPEN_JOBS) throw tooManyOpen()
      addCapture(tx, row)
      await outbox.work(tx, 'captures', { tenantId, jobId: id })
    })
    return shown({ ...row, place: 0, judgedCount: 0, isSuccess: null, errors: [], finishedAt: null })
  }

  /** @throws Problem 404 */
  async function job(principal: Principal, id: string): Promise<CaptureJob> {
    assertWholeWorkspace(principal)
    const found = isUuid(id) ? await findCapture(database.forTenant(principal.tenantId), id) : undefined
    if (found === undefined) throw notFound('Capture not found in your workspace, or expired.')
    return shown(found)
  }

  /** Newest first; `next` is a page token. */
  async function list(
    principal: Principal,
    query: { readonly perPage?: string | undefined; readonly nextPageToken?: string | undefined },
  ): Promise<{ jobs: CaptureJob[]; next?: string }> {
    assertWholeWorkspace(principal)
    const perPage = clamped(query.perPage, LARGEST_PAGE, USUAL_PAGE)
    const rows = await listCaptures(database.forTenant(principal.tenantId), query.nextPageToken ?? null, perPage + 1)
    const page = rows.slice(0, perPage)
    const jobs = page.map(shown)
    return rows.length > perPage ? { jobs, next: String(page.at(-1)?.place) } : { jobs }
  }

  /** Validates the events of a job; stores all, or the errors. The signal aborts it. */
  async function work(tenantId: string, id: string, signal: AbortSignal): Promise<void> {
    const session = database.forTenant(tenantId)
    const attempt = await beginCapture(session, id)
    if (attempt === undefined) return
    const { events, findings } = await validateEvents(session, attempt, signal)
    const at = new Date()
    if (findings !== undefined) return finishCapture(session, attempt, { errors: findings.map(asError), at })
    try {
      await database.transaction(tenantId, async (tx) => {
        for (let start = 0; start < events.length; start += SLICE) {
          insertTraceEvents(tx, events.slice(start, start + SLICE).map(asNew), at)
        }
        await finishCapture(tx, attempt, { errors: [], at })
      })
    } catch (error) {
      const refusal = storageRefusal(error, config.baseUrl)
      if (refusal === undefined) throw error
      // A retry would exceed the quota too.
      await finishCapture(session, attempt, { errors: [tooMuch(refusal.message)], at })
    }
  }

  async function validateEvents(
    session: Session,
    attempt: CaptureAttempt & { readonly around: string },
    signal: AbortSignal,
  ): Promise<CaptureValidation> {
    const events: unknown[] = []
    for (let place = 1; ; place += 1) {
      signal.throwIfAborted()
      const piece = await capturePiece(session, attempt.id, place)
      if (piece === undefined) break
      events.push(...JSON.parse(piece))
    }
    const steps = validateDocumentSteps({ around: JSON.parse(attempt.around), events }, new Date())
    for (let count = SLICE; ; count += SLICE) {
      signal.throwIfAborted()
      const validation = await runYielding(some(steps, SLICE))
      if (validation !== undefined) return validation
      await reportCapture(session, attempt, count)
    }
  }

  async function abandon(tenantId: string, id: string): Promise<void> {
    const session = database.forTenant(tenantId)
    const attempt = await endCaptureAttempts(session, id)
    if (attempt !== undefined) await finishCapture(session, attempt, { errors: [FAILED], at: new Date() })
  }
}

/** @returns undefined if more steps follow */
function* some<T>(steps: Iterator<unknown, T>, maxSteps: number): Generator<void, T | undefined> {
  for (let count = 0; count < maxSteps; count += 1) {
    const step = steps.next()
    if (step.done) return step.value
    yield
  }
  return undefined
}

function piecesOf(texts: readonly string[]): string[] {
  const pieces: string[] = []
  let piece: string[] = []
  let length = 0
  for (const [index, text] of texts.entries()) {
    piece.push(text)
    length += text.length
    if (length < PIECE_CHARACTERS && index < texts.length - 1) continue
    pieces.push(`[${piece.join()}]`)
    piece = []
    length = 0
  }
  return pieces
}

const asNew = (event: CapturedEvent) => ({ ...event, id: randomUUID(), isUntp: false, issuer: undefined })

const asError = ({ pointer, code, message }: CaptureFinding): CaptureError => ({
  type: 'epcisException:ValidationException',
  title: code,
  detail: `${pointer}: ${message}`,
})

const tooMuch = (detail: string): CaptureError => ({
  type: 'epcisException:CaptureLimitExceededException',
  title: 'CAPTURE_LIMIT',
  detail,
})

/** Temporary, so not stored for an `Idempotency-Key`. */
const tooManyOpen = () =>
  new Problem(409, `${MAX_OPEN_JOBS} captures are not finished yet. Retry when one of them has finished.`, {
    title: 'Conflict',
    code: 'CAPTURE_LIMIT_REACHED',
    headers: { 'Retry-After': '2' },
  })

const FAILED: CaptureError = {
  type: 'epcisException:ImplementationException',
  title: 'FAILED',
  detail: 'The capture failed because of an internal error; nothing was stored. Send the document again.',
}

const shown = ({ id, createdAt, finishedAt, isSuccess, errors, eventCount, judgedCount }: CaptureRow): CaptureJob => ({
  captureID: id,
  createdAt,
  ...(finishedAt === null ? {} : { finishedAt }),
  running: isSuccess === null,
  success: isSuccess ?? true,
  captureErrorBehaviour: 'rollback',
  errors: [...errors],
  eventCount,
  judgedCount: isSuccess === null ? judgedCount : eventCount,
})
