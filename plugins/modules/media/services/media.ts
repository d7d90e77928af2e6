import { createHash, randomUUID } from 'node:crypto'
import { notFound, Problem, type Words } from '../../../../src/plugin/index.ts'
import {
  assertOperatorScope,
  audienceOf,
  badRequest,
  conflict,
  isUuid,
  KeyedSemaphore,
  type ModuleCradle,
  noPassport,
  opensTo,
  type PassportRow,
  type Principal,
  recordAudit,
  seesOwnerTier,
} from '../../../../src/plugin/module.ts'
import { audienceOfUpload, entryOf } from '../documents.ts'
import type { MediaKind, StoredImage, StoredMedia } from '../entities.ts'
import { isWholePdf, typeOf, type UploadType } from '../file-types.ts'
import type { components } from '../generated.ts'
import type { NewFile, NewMedia } from '../media-rows.ts'
import {
  arrangeMedia,
  candidateByMedia,
  countOf,
  deleteMedia,
  type FileRow,
  findFile,
  insertMedia,
  piecesOf,
  versionNaming,
} from '../media-rows.ts'
import { mediumView, storedMedia } from '../parts.ts'
import type objectStore from './object-store.ts'
import type pictures from './pictures.ts'
import type { Picture } from './pictures.ts'

type Schemas = components['schemas']

const MAX_FILES: Readonly<Record<MediaKind, number>> = { picture: 24, document: 16 }

interface Upload {
  readonly bytes: Buffer
  readonly declared: string | undefined
  readonly title: Words | null
  readonly document: Pick<Parameters<typeof audienceOfUpload>[0], 'documentType' | 'audience'> & {
    readonly language?: string | undefined
  }
}

type Made = Pick<NewMedia, 'kind' | 'mediaType' | 'file' | 'sizes' | 'files' | 'bytes' | 'sha256'>

interface ServedFile {
  readonly mediaType: string
  readonly length: number
  readonly sha256: string
  /** True if public and permanently cacheable; otherwise never cached. */
  readonly isPublic: boolean
  /** @throws Problem 503 if the object store fails */
  readonly body: () => Promise<Uint8Array | AsyncIterable<Uint8Array>>
}

interface Services extends ModuleCradle {
  readonly objectStore: ReturnType<typeof objectStore>
  readonly pictures: ReturnType<typeof pictures>
}

/** Pictures and documents of passports, and logos. Seals do not cover the files. */
export default function media({
  config,
  passportRows,
  database,
  grants,
  pictures,
  objectStore,
  passportLocks,
  protectedReadAudit,
}: Services) {
  // Objects are held in memory until validated.
  const objectSemaphore = new KeyedSemaphore({ places: 8, maxWaiting: 100, maxWaitMs: 10_000 })

  return { list, add, arrange, remove, file, logo }

  /** @throws Problem 404, 403 */
  async function list(principal: Principal, id: string): Promise<Omit<Schemas['MediaList'], 'success'>> {
    return listed(storedMedia(await readable(principal, id, 'bound')))
  }

  /** Appends a file. @throws Problem 404, 403; 400, 415 for an invalid file or missing audience; 409 at the limit */
  async function add(
    principal: Principal,
    id: string,
    upload: Upload,
  ): Promise<Omit<Schemas['MediumAdded'], 'success'>> {
    const type = validateUpload(upload)
    const { documentType, language, audience } = upload.document
    const hasDocumentFields = documentType !== undefined || language !== undefined || audience !== undefined
    if (hasDocumentFields && kindOf(type) === 'picture') {
      throw badRequest('documentType, language and audience are allowed only for documents, not for pictures.')
    }
    const named = audienceOfUpload({ documentType, audience })
    // Rejects before processing the file; checked again under the lock.
    assertCapacity(await readable(principal, id, 'owned'), kindOf(type))
    const made = await madeOf(type, upload.bytes)
    const { tenantId } = principal
    const details = { documentType: documentType ?? null, language: language ?? null, audience: named }
    const added = { id: randomUUID(), tenantId, passportId: id, title: upload.title, ...details, ...made }
    return storeFiles(added, (stored) =>
      database.transaction(tenantId, async (tx) => {
        const passport = await passportLocks.lock(tx, principal, id, 'owned')
        assertCapacity(passport, made.kind)
        insertMedia(tx, stored)
        passportLocks.evict(tx, [passport])
        recordAudit(tx, principal, 'media.added', passport.id, { media: added.id, kind: made.kind })
        return { medium: toMedium(stored) }
      }),
    )
  }

  /** @throws Problem 404, 403; 400 unless each medium is listed once */
  async function arrange(
    principal: Principal,
    id: string,
    { media: arrangement }: Schemas['MediaArrangement'],
  ): Promise<Omit<Schemas['MediaList'], 'success'>> {
    return database.transaction(principal.tenantId, async (tx) => {
      const passport = await passportLocks.lock(tx, principal, id, 'owned')
      const there = new Map(storedMedia(passport).map((medium) => [medium.id, medium]))
      const named = new Set(arrangement.map((medium) => medium.id.toLowerCase()))
      if (
        arrangement.length !== there.size ||
        named.size !== there.size ||
        [...named].some((name) => !there.has(name))
      ) {
        throw badRequest('media must list each picture and document of the passport once.')
      }
      const arranged = arrangement.map(({ id: name, title }) => {
        const medium = there.get(name.toLowerCase()) as StoredMedia
        return { ...medium, title: title === undefined ? medium.title : title }
      })
      arrangeMedia(tx, passport.id, arranged)
      passportLocks.evict(tx, [passport])
      recordAudit(tx, principal, 'media.arranged', passport.id)
      const sorted = (['picture', 'document'] as const).flatMap((kind) => arranged.filter((one) => one.kind === kind))
      return listed(sorted)
    })
  }

  /** @throws Problem 404, 403; 409 if a published version refers to it */
  async function remove(principal: Principal, id: string, mediaId: string): Promise<void> {
    await database.transaction(principal.tenantId, async (tx) => {
      // Read after the lock, in the same round trip.
      const [passport, version] = await Promise.all([
        passportLocks.lock(tx, principal, id, 'owned'),
        isUuid(id) && isUuid(mediaId) ? versionNaming(tx, id, mediaId) : null,
      ])
      const medium = storedMedia(passport).find((one) => one.id === mediaId.toLowerCase())
      if (medium === undefined) throw notFound('Picture or document not found in this passport.')
      if (version !== null) throw inUse(medium.kind, version)
      deleteMedia(tx, medium.id)
      passportLocks.evict(tx, [passport])
      recordAudit(tx, principal, 'media.removed', passport.id, { media: medium.id, kind: medium.kind })
    })
  }

  /** Returns a file: public, or restricted to readers of the draft, the owner or the audience. @throws Problem 404 if absent or hidden */
  async function file(caller: Reading, id: string, name: string): Promise<ServedFile> {
    const found = isUuid(id) ? await find(caller, id, name) : undefined
    if (found === undefined) throw notFound('File not found.')
    const { row, session, by } = found
    if (row.audience.length > 0 && by !== undefined) {
      const { tenantId, mediaId, mediaType } = row
      protectedReadAudit.record({
        tenantId,
        ...by,
        action: 'media.read',
        subjectId: mediaId,
        representation: mediaType,
      })
    }
    return {
      mediaType: row.mediaType,
      length: row.bytes,
      sha256: row.sha256,
      isPublic: !row.isDraft && row.audience.length === 0,
      body: async () => (row.isObject ? objectOf(row) : piecesOf(session, row)),
    }
  }

  async function find({ principal, grant }: Reading, id: string, name: string) {
    // The public lookup role does not see restricted files.
    const row = await findFile(database.lookup, id, name)
    if (row !== undefined) return { row, session: database.lookup, by: undefined }
    const own = await findOwn(principal, id, name)
    return own ?? (grant === undefined ? undefined : findGranted(grant, id, name))
  }

  async function findOwn(principal: Principal | undefined, id: string, name: string) {
    if (principal?.permissions.has('passport:read') !== true) return undefined
    const session = database.forTenant(principal.tenantId)
    const row = await findFile(session, id, name)
    if (row === undefined || (principal.operatorId !== null && row.operatorId !== principal.operatorId))
      return undefined
    // Sessions have the public view (specification 4.1).
    if (row.audience.length > 0 && !seesOwnerTier(principal)) return undefined
    return { row, session, by: { actor: principal.actor, audience: 'owner' as const } }
  }

  async function findGranted(grant: string, id: string, name: string) {
    const candidate = await candidateByMedia(database.lookup, id)
    const granted = candidate && (await grants.readerBy(grant, candidate, { isModel: true }))
    if (candidate === undefined || granted === undefined) return undefined
    const session = database.forTenant(candidate.tenantId)
    const row = await findFile(session, id, name)
    const audience = audienceOf(granted.reader)
    if (row === undefined || audience === 'public' || !opensTo(row.audience, granted.reader)) return undefined
    return { row, session, by: { actor: `grant:${granted.grantId}`, audience } }
  }

  /** @throws Problem 400 for an unsupported file */
  async function logo(tenantId: string, bytes: Buffer): Promise<NewMedia> {
    const type = typeOf(bytes)
    if (type === undefined || kindOf(type) !== 'picture') throw badRequest('logo must be a JPEG, PNG or WebP picture.')
    const made = pictureOf([await pictures.logo(bytes)])
    const details = { title: null, documentType: null, language: null, audience: [] }
    return { id: randomUUID(), tenantId, passportId: null, ...details, isObject: false, ...made }
  }

  async function madeOf(type: UploadType, bytes: Buffer): Promise<Made> {
    if (type !== 'application/pdf') return pictureOf(await pictures.sizes(bytes))
    if (!isWholePdf(bytes))
      throw badRequest('The document was rejected: its end is missing. Upload the complete file.', 'MEDIA_REFUSED')
    const name = 'document.pdf'
    const whole = fileOf(name, type, bytes)
    const sha256 = whole.sha256.toString('hex')
    return { kind: 'document', mediaType: type, file: name, sizes: [], files: [whole], bytes: bytes.length, sha256 }
  }

  /** Stores files in the object store, if configured; removes them if `write` fails. */
  async function storeFiles<T>(added: Omit<NewMedia, 'isObject'>, write: (stored: NewMedia) => Promise<T>): Promise<T> {
    if (objectStore === undefined) return write({ ...added, isObject: false })
    const objects = added.files.map(({ name, bytes, sha256 }) => ({
      key: keyOf({ mediaId: added.id, name, tenantId: added.tenantId }),
      bytes,
      sha256,
    }))
    try {
      await Promise.all(objects.map(objectStore.put))
      return await write({ ...added, isObject: true })
    } catch (error) {
      await Promise.allSettled(objects.map(({ key }) => objectStore.remove(key)))
      throw error
    }
  }

  async function objectOf(row: FileRow): Promise<Buffer> {
    if (objectStore === undefined) throw new Error('A file is in an object store, but MEDIA_S3_ENDPOINT is not set.')
    const leave = await objectSemaphore.enter('')
    try {
      return await objectStore.get(keyOf(row), row)
    } finally {
      leave()
    }
  }

  /** @throws Problem 404 if not visible in this scope, 403 for another operator's */
  async function readable(principal: Principal, id: string, scope: 'owned' | 'bound'): Promise<PassportRow> {
    const row = isUuid(id) ? await passportRows.load(database.forTenant(principal.tenantId), id) : undefined
    if (row === undefined || (scope === 'owned' && row.tenantId !== principal.tenantId)) {
      throw noPassport(id)
    }
    assertOperatorScope(principal, row.operatorId)
    return row
  }

  function listed(media: readonly StoredMedia[]): Omit<Schemas['MediaList'], 'success'> {
    return { count: media.length, media: media.map(toMedium) }
  }

  function toMedium(medium: StoredMedia): Schemas['Medium'] {
    const { kind, audience } = medium
    const { bytes: _, sizes, ...shown } = mediumView(medium, config.baseUrl)
    return {
      ...shown,
      sizes: [...sizes],
      audience: audience.length === 0 ? undefined : [...audience],
      entry: kind === 'document' ? entryOf(medium, shown.url) : undefined,
    }
  }
}

interface Reading {
  readonly principal?: Principal
  /** Unverified capability token. */
  readonly grant?: string
}

/** Files stay online for the lifetime of versions that refer to them (EN 18221, 4.4). */
const inUse = (kind: MediaKind, version: number) =>
  conflict(
    `The published version ${version} of this passport refers to this ${kind}; it cannot be deleted as long as the passport exists (EN 18221, 4.4).`,
    'MEDIA_IN_USE',
  )

const kindOf = (type: UploadType): MediaKind => (type === 'application/pdf' ? 'document' : 'picture')

/** @throws Problem 400 for an unsupported type, 415 if not as declared */
function validateUpload({ bytes, declared }: Upload): UploadType {
  const type = typeOf(bytes)
  if (type === undefined) throw badRequest('Unsupported file type. Upload JPEG, PNG, WebP or PDF.', 'MEDIA_REFUSED')
  if (type === declared) return type
  throw new Problem(415, `The file is ${type}, but was declared as ${declared}. Correct the Content-Type.`, {
    title: 'Unsupported Media Type',
    code: 'MEDIA_TYPE_MISMATCH',
  })
}

function assertCapacity(passport: PassportRow, kind: MediaKind): void {
  if (countOf(storedMedia(passport), kind) < MAX_FILES[kind]) return
  throw conflict(`The passport has ${MAX_FILES[kind]} ${kind}s, the maximum. Delete one first.`, 'MEDIA_LIMIT_REACHED')
}

const PICTURE_TYPE = 'image/webp'

function pictureOf(sizes: readonly Picture[]): Made {
  const images = sizes.map(({ width, height }): StoredImage => ({ file: `${width}.webp`, width, height }))
  return {
    kind: 'picture',
    mediaType: PICTURE_TYPE,
    file: images.at(-1)?.file as string,
    sizes: images,
    files: sizes.map(({ width, bytes }) => fileOf(`${width}.webp`, PICTURE_TYPE, bytes)),
    bytes: sizes.reduce((sum, { bytes }) => sum + bytes.length, 0),
    sha256: null,
  }
}

const fileOf = (name: string, mediaType: string, bytes: Buffer): NewFile => ({
  name,
  mediaType,
  bytes,
  sha256: createHash('sha256').update(bytes).digest(),
})

/** Object key; the database computes it too, on deletion (migration media). */
const keyOf = ({ tenantId, mediaId, name }: Pick<FileRow, 'tenantId' | 'mediaId' | 'name'>) =>
  `${tenantId}/${mediaId}/${name}`
