import { randomUUID } from 'node:crypto'
import { mapYielding, notFound } from '../../../../src/plugin/index.ts'
import type { ModuleCradle } from '../../../../src/plugin/module.ts'
import {
  assertOperatorScope,
  assertPermission,
  badRequest,
  type CarrierContent,
  conflict,
  drawPng,
  drawSvg,
  type Encode,
  encoderOf,
  fileNameOf,
  isUuid,
  KeyedSemaphore,
  LEAST_MODULE_MM,
  type Matrix,
  modulesAcross,
  type Principal,
  passportContent,
  pixelsOf,
  unitContent,
} from '../../../../src/plugin/module.ts'
import type { LabelJob, SkippedLabel } from '../entities.ts'
import type { components } from '../generated.ts'
import type { Label } from '../label.ts'
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
import {
  countUnitsOf,
  type LabelledPassport,
  type LabelledUnit,
  labelledPassports,
  labelledUnits,
  labelledUnitsOf,
  type Printer,
  type UnitRange,
} from '../label-rows.ts'
import { LAYOUTS, type Layout, USUAL_LAYOUT } from '../layouts.ts'
import { type DrawnLabel, drawPdf, moduleMm } from '../pdf.ts'
import { type ArchivedFile, drawZip } from '../zip.ts'

type Schemas = components['schemas']
type OneLabelJob = Omit<Schemas['OneLabelJob'], 'success'>

export type LabelRequest = (
  | ({ readonly subject: 'passport' } & Partial<Schemas['PassportLabels']>)
  | ({ readonly subject: 'unit' } & Partial<Schemas['UnitLabels']>)
) & {
  readonly lang?: string | undefined
}

const MAX_LABELS = 10_000
const SLICE = 100
const RETENTION_HOURS = 24
const MAX_OPEN_JOBS = 2
/** Bytes of a stored piece. The database returns twice as many characters, which up to 128 KiB are soon garbage collected. */
const PIECE_BYTES = 48 * 1024

const CONTENT_TYPE = { png: 'application/zip', svg: 'application/zip', pdf: 'application/pdf' } as const

export interface LabelFile {
  readonly body: Uint8Array | AsyncIterable<Uint8Array>
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
}

/** Complete after the last piece is drawn. */
export interface LabelReport {
  included: number
  readonly skipped: SkippedLabel[]
}

export default function labels({ config: { baseUrl, bounds }, database, outbox, translator }: ModuleCradle) {
  // Drawing is CPU-bound: one caller per process, and one per workspace for fairness.
  const workspaceSemaphore = new KeyedSemaphore({ places: 1, maxWaiting: 2, maxWaitMs: 30_000 })
  const processSemaphore = new KeyedSemaphore({ places: 1, maxWaiting: 200, maxWaitMs: 30_000 })

  return { print, draw, job, file, work, abandon }

  /** Returns the labels, or the job that draws them. @throws Problem 400, 404; 409 if too many jobs are unfinished */
  async function print(principal: Principal, request: LabelRequest): Promise<LabelFile | OneLabelJob> {
    const count = await countOf(principal, validate(request).selection)
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
      return fileOf(request, Buffer.concat(pieces), report)
    } finally {
      leaveProcess()
      leave()
    }
  }

  /**
   * `report` is complete after the last piece.
   * @throws Problem 400
   */
  async function* draw(printer: Printer, request: LabelRequest, report: LabelReport): AsyncGenerator<Uint8Array, void> {
    const { layout, selection } = validate(request)
    const slices = withCodes(
      labelSlices(printer, request.subject, selection, report),
      drawingOf(request, captionOf(request)),
      report,
    )
    yield* request.format === 'pdf' ? drawPdf(oneByOne(slices), layout) : drawZip(filesOf(slices, request, report))
  }

  /** @throws Problem 403, 404 */
  async function job(principal: Principal, id: string): Promise<OneLabelJob> {
    return { job: shown(await findJob(principal, id)) }
  }

  /** @throws Problem 403, 404; 409 if unfinished */
  async function file(principal: Principal, id: string): Promise<LabelFile> {
    const found = await findJob(principal, id)
    if (found.status !== 'done') throw conflict('The labels are not ready yet. Poll the label job until it is done.')
    const { bytes, skipped } = found
    const answer = fileOf(JSON.parse(found.request), pieces(), { skipped: skipped ?? [] })
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

  function captionOf({ caption = false, lang = 'en' }: LabelRequest): string | undefined {
    return caption ? translator.text(lang, 'carrier.caption') : undefined
  }

  async function countOf(printer: Printer, selection: Selection): Promise<number> {
    if ('ids' in selection) return selection.ids.length
    const session = database.forTenant(printer.tenantId)
    const count = await countUnitsOf(session, printer, selection, MAX_LABELS + 1)
    if (count === 0) throw notFound('Units not found in your workspace.')
    if (count <= MAX_LABELS) return count
    throw badRequest(`The selection has more than ${MAX_LABELS} units. Limit it with from and to.`)
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
    return shown({
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

  function shown(row: Omit<LabelJobRow, 'operatorId' | 'subject'>): OneLabelJob['job'] {
    const { id, status, createdAt, expiresAt, bytes, included, skipped } = row
    const { format = 'png' }: LabelRequest = JSON.parse(row.request)
    const url = `${baseUrl}/api/v1/label-jobs/${id}`
    const whenDone =
      status === 'done'
        ? { file: `${url}/file`, bytes: bytes ?? 0, included: included ?? 0, skipped: [...(skipped ?? [])] }
        : {}
    return { id, status, format, createdAt, expiresAt, url, ...whenDone }
  }

  async function* labelSlices(
    printer: Printer,
    subject: LabelJob['subject'],
    selection: Selection,
    report: LabelReport,
  ): AsyncGenerator<readonly Label[]> {
    const session = database.forTenant(printer.tenantId)
    if ('passportId' in selection) {
      for (let after: string | undefined; ; ) {
        const units = await labelledUnitsOf(session, printer, selection, { after, limit: SLICE })
        if (units.length === 0) return
        yield units.map(unitLabel)
        after = units.at(-1)?.serialNumber
      }
    }
    for (let start = 0; start < selection.ids.length; start += SLICE) {
      const ids = selection.ids.slice(start, start + SLICE)
      const known = ids.filter(isUuid)
      const found =
        subject === 'passport'
          ? (await labelledPassports(session, printer, known)).map(passportLabel)
          : (await labelledUnits(session, printer, known)).map(unitLabel)
      const byId = new Map(found.map((label) => [label.id, label]))
      yield ids.flatMap((id) => {
        const label = byId.get(id.toLowerCase())
        if (label === undefined) report.skipped.push({ id, reason: 'NOT_FOUND' })
        return label ?? []
      })
    }
  }

  function passportLabel(passport: LabelledPassport): Label {
    const { id, productId, operator, name } = passport
    return { id, content: passportContent(baseUrl, passport), name, operator, key: productId }
  }

  function unitLabel({ id, serialNumber, passport: { productId, operator, name } }: LabelledUnit): Label {
    const content: CarrierContent = unitContent(baseUrl, { id, serialNumber, productId })
    return { id, content, name, operator, key: serialNumber }
  }
}

type Selection = { readonly ids: readonly string[] } | UnitRange

/** @throws Problem 400 */
function validate(request: LabelRequest): { readonly layout: Layout; readonly selection: Selection } {
  const layout = LAYOUTS[request.layout ?? USUAL_LAYOUT]
  if (layout === undefined) throw badRequest(`layout must be one of: ${Object.keys(LAYOUTS).join(', ')}`)
  return { layout, selection: selectionOf(request) }
}

function selectionOf(request: LabelRequest): Selection {
  if (request.subject === 'passport') return { ids: request.ids ?? [] }
  const { ids, passportId, from, to } = request
  if ((ids === undefined) === (passportId === undefined)) throw badRequest('Set either ids or passportId.')
  if (ids !== undefined) {
    if (from !== undefined || to !== undefined) throw badRequest('from and to are allowed only with passportId.')
    return { ids }
  }
  if (passportId === undefined || !isUuid(passportId)) throw badRequest('passportId must be a UUID.')
  return { passportId, from, to }
}

function nothingToPrint({ skipped }: LabelReport) {
  const [first] = skipped
  return first === undefined || first.reason === 'NOT_FOUND'
    ? notFound('Passports or units not found in your workspace.')
    : badRequest(`No label can be printed with these options: ${first.reason} for ${first.id}.`)
}

interface Drawing {
  readonly encode: Encode
  readonly caption: string | undefined
  /** True if modules can be printed and read. */
  readonly isLargeEnough: (matrix: Matrix) => boolean
}

function drawingOf(request: LabelRequest, caption: string | undefined): Drawing {
  const { format = 'png', symbology = 'qr', ecl = 'Q', size } = request
  const { layout } = validate(request)
  const isLargeEnough = (matrix: Matrix) => {
    if (format === 'pdf') return moduleMm(matrix, layout) >= LEAST_MODULE_MM
    return format === 'svg' || modulesAcross(matrix) <= pixelsOf(size)
  }
  return { encode: encoderOf(symbology, ecl), caption, isLargeEnough }
}

async function* withCodes(
  slices: AsyncIterable<readonly Label[]>,
  { encode, caption, isLargeEnough }: Drawing,
  report: LabelReport,
): AsyncGenerator<readonly DrawnLabel[]> {
  const matrixOf = cacheRecent(SLICE, ({ content }: Label) => encode(content))
  for await (const slice of slices) {
    const drawn = await mapYielding(slice, (label): DrawnLabel | SkippedLabel => {
      const matrix = matrixOf(label.id, label)
      if (matrix === undefined) return { id: label.id, reason: 'NOT_GS1' }
      return isLargeEnough(matrix) ? { label: { ...label, caption }, matrix } : { id: label.id, reason: 'TOO_SMALL' }
    })
    const labels: DrawnLabel[] = []
    for (const each of drawn) {
      if ('matrix' in each) labels.push(each)
      else report.skipped.push(each)
    }
    report.included += labels.length
    yield labels
  }
}

/** Caches results of the last `maxEntries` ids, which may repeat. */
function cacheRecent<Item, Result>(
  maxEntries: number,
  make: (item: Item) => Result,
): (id: string, item: Item) => Result {
  const recent = new Map<string, Result>()
  return (id, item) => {
    const known = recent.get(id)
    const result = known ?? make(item)
    recent.delete(id)
    recent.set(id, result)
    const [oldest] = recent.keys()
    if (recent.size > maxEntries && oldest !== undefined) recent.delete(oldest)
    return result
  }
}

async function* oneByOne<T>(slices: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const slice of slices) yield* slice
}

async function* filesOf(
  slices: AsyncIterable<readonly DrawnLabel[]>,
  { format = 'png', size, hri = false }: LabelRequest,
  report: LabelReport,
): AsyncGenerator<ArchivedFile> {
  const taken = new Map<string, number>()
  const pixels = pixelsOf(size)
  const bytesOf = cacheRecent(SLICE, ({ label: { content, caption }, matrix }: DrawnLabel) =>
    format === 'svg'
      ? Buffer.from(drawSvg(matrix, content, { size: pixels, isReadable: hri, caption }))
      : (drawPng(matrix, pixels) as Uint8Array),
  )
  for await (const slice of slices) {
    yield* await mapYielding(slice, (drawn): ArchivedFile => {
      const { id, key } = drawn.label
      const name = `${distinct(fileNameOf(key), taken)}.${format}`
      return { name, bytes: bytesOf(id, drawn), isPacked: format === 'png' }
    })
  }
  yield { name: 'manifest.json', bytes: Buffer.from(`${JSON.stringify(report)}\n`), isPacked: false }
}

/** Ignores case, as some file systems do. */
function distinct(name: string, taken: Map<string, number>): string {
  for (;;) {
    const key = name.toLowerCase()
    const count = (taken.get(key) ?? 0) + 1
    taken.set(key, count)
    if (count === 1) return name
    name = `${name}-${count}`
  }
}

function fileOf(
  { format = 'png' }: LabelRequest,
  body: LabelFile['body'],
  { skipped }: { readonly skipped: readonly SkippedLabel[] },
): LabelFile {
  return {
    body,
    contentType: CONTENT_TYPE[format],
    headers: {
      'Content-Disposition': `attachment; filename="labels.${format === 'pdf' ? 'pdf' : 'zip'}"`,
      'X-Labels-Skipped': String(skipped.length),
    },
  }
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
