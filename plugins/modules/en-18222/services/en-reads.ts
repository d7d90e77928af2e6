import { type Json, notFound, Problem } from '../../../../src/plugin/index.ts'
import {
  badRequest,
  type Caller,
  conflict,
  etagOf,
  isUuid,
  type Match,
  type ModuleCradle,
  momentOf,
  type RenditionResult,
  selectServed,
} from '../../../../src/plugin/module.ts'
import { elementAt, valueAt } from '../document/find.ts'
import { readElementPath, type Segment } from '../element-path.ts'
import { type ProductName, readPassportId, readProductId, type SubjectName } from '../identifiers.ts'
import { FORMS, type Form } from '../representations.ts'

/**
 * Reads of EN 18222 (clauses 4.2 to 4.5, and 6.2). Every read is a rendition of the reader's view, so masked values are in no form and at no
 * path.
 */
export default function enReads({
  config: { baseUrl },
  accessAudit,
  candidateSearch,
  renditionStore,
  resolution,
}: ModuleCradle) {
  return { byId, byProductId, byIdAndDate, byProductIdAndDate, element, collection, idsOf }

  /** @throws Problem 404, also for a recycled item */
  function byId(passportId: string, form: Form, caller: Caller): Promise<RenditionResult> {
    return read(subjectOf(passportId), form, caller)
  }

  function subjectOf(passportId: string): SubjectName {
    const subject = readPassportId(passportId, baseUrl)
    if (subject === undefined) throw noPassport()
    return subject
  }

  async function read(subject: SubjectName, form: Form, given: Caller): Promise<RenditionResult> {
    const caller = { ...given, format: FORMS[form] }
    return (await storedFor(subject, caller)) ?? answer(subject, caller)
  }

  /** Reads the stored public rendition in one round trip; undefined if there is none, or the caller may see more. */
  async function storedFor(
    { column, id: value }: SubjectName,
    { principal, grant, format: plugin, ip }: Caller,
  ): Promise<RenditionResult | undefined> {
    if (principal !== undefined || grant !== undefined || plugin === undefined) return undefined
    const choice = { isSigned: false, plugin } as const
    const found = await renditionStore.findPublic({ column, value, choice, variant: '' })
    if (found === undefined) return undefined
    accessAudit.record(found, plugin.name, 'public', ip)
    return { rendition: found.rendition, isPublic: true, reader: 'public' }
  }

  async function answer({ column, id }: SubjectName, caller: Caller): Promise<RenditionResult> {
    if (column === 'id') return resolution.answer(await candidateSearch.byId(id), caller)
    if (column === 'batch') return resolution.answerRecord('batch', id, caller)
    const answered = await resolution.answerUnit(await candidateSearch.byUnitId(id), caller)
    if ('ceased' in answered) throw notFound('This item was recycled. Its passport has ended.')
    return answered
  }

  /** Reads the current passport of a product, a batch or an item. @throws Problem 404; 409 if several operators have one */
  async function byProductId(productId: string, form: Form, caller: Caller): Promise<RenditionResult> {
    return read(await subjectOfProduct(productId, caller), form, caller)
  }

  async function subjectOfProduct(productId: string, caller: Caller): Promise<SubjectName> {
    const [only, another] = await subjectsOf(productId, caller)
    if (only === undefined) throw notFound('No passport with this product identifier.')
    if (another !== undefined) {
      throw conflict(
        'Several economic operators have a passport with this product identifier. Read one of them by its passport identifier, which POST dppsByProductIds returns.',
      )
    }
    return only
  }

  /** Prefers the holder of the GS1 prefix, then the only sealed passport, as Digital Links do. */
  async function subjectsOf(productId: string, caller: Caller): Promise<readonly SubjectName[]> {
    const named = readPassportId(productId, baseUrl)
    if (named !== undefined && !isUuid(productId)) return [named]
    const product = readProductId(productId, baseUrl)
    if (product === undefined) return []
    return selectServed(await matchesOf(product, productId, caller)).map(subjectOfMatch)
  }

  async function matchesOf({ key, by, serial, batch }: ProductName, text: string, caller: Caller): Promise<Match[]> {
    if (serial !== undefined) {
      return (await candidateSearch.bySerial(key, serial, caller)).filter(({ unitId }) => unitId !== null)
    }
    if (batch !== undefined) {
      return (await candidateSearch.byQualifier('batch', key, batch, caller)).filter(
        ({ record }) => record !== undefined,
      )
    }
    const found = await candidateSearch.byKey(key, by, caller)
    // A short number may be an SKU.
    const matches = found.length === 0 && key !== text ? await candidateSearch.byKey(text, undefined, caller) : found
    return matches.map((match) => ({ ...match, unitId: null }))
  }

  /** Reads the version of a time: the present one, or an earlier one by the rules of `asOf`. @throws Problem 400, 404 */
  function byIdAndDate(passportId: string, date: string, form: Form, caller: Caller): Promise<RenditionResult> {
    return atTime(subjectOf(passportId), momentIn(date), form, caller)
  }

  async function byProductIdAndDate(
    productId: string,
    date: string,
    form: Form,
    caller: Caller,
  ): Promise<RenditionResult> {
    const asOf = momentIn(date)
    return atTime(await subjectOfProduct(productId, caller), asOf, form, caller)
  }

  async function atTime(subject: SubjectName, asOf: string, form: Form, caller: Caller): Promise<RenditionResult> {
    const { column, id } = subject
    const present = await read(subject, form, caller).catch((error: unknown) => absent(error))
    if (present !== undefined && lastUpdatedOf(present) <= asOf) return present
    if (column !== 'id') throw notFound('Earlier versions of batches and items are not stored.')
    return resolution.answerVersion(id, { asOf }, { ...caller, format: FORMS[form] })
  }

  /** @throws Problem 400, 404 */
  async function element(passportId: string, path: string, form: Form, caller: Caller): Promise<RenditionResult> {
    return at(readElementPath(path), passportId, form, caller)
  }

  /** Reads an element at the top, whose id needs no path. @throws Problem 404 */
  function collection(passportId: string, elementId: string, form: Form, caller: Caller): Promise<RenditionResult> {
    return at([elementId], passportId, form, caller)
  }

  async function at(
    segments: readonly Segment[],
    passportId: string,
    form: Form,
    caller: Caller,
  ): Promise<RenditionResult> {
    const { rendition, ...result } = await byId(passportId, form, caller)
    const document: Json = JSON.parse(rendition.body.toString())
    const value = form === 'full' ? elementAt(document, segments) : valueAt(document, segments)
    if (value === undefined) throw noElement()
    const body = Buffer.from(JSON.stringify(value))
    return { ...result, rendition: { body, etag: etagOf(body), contentType: 'application/json' } }
  }

  /** Returns the identifiers of passports of products, batches and items that the caller may read, sorted. */
  async function idsOf(productIds: readonly string[], caller: Caller): Promise<string[]> {
    const found = await Promise.all([...new Set(productIds)].map((productId) => subjectsOf(productId, caller)))
    return [...new Set(found.flat().map(addressOf))].sort()
  }

  function addressOf({ column, id }: SubjectName): string {
    return `${baseUrl}/${column === 'id' ? 'passport' : column}/${id}`
  }
}

const subjectOfMatch = ({ id, unitId, record }: Match): SubjectName =>
  unitId !== null
    ? { column: 'unit', id: unitId }
    : record === undefined
      ? { column: 'id', id }
      : { column: 'batch', id: record.id }

const lastUpdatedOf = ({ rendition: { body } }: RenditionResult): string => {
  const [, time = ''] = /"lastUpdated":"([^"]{1,40})"/.exec(body.toString('utf8', 0, 4096)) ?? []
  return time
}

/** @throws Problem 400 */
function momentIn(date: string): string {
  const moment = /^\d{4}-\d\d-\d\d/.test(date) ? momentOf(date) : undefined
  if (moment === undefined) {
    throw badRequest(`Invalid date "${date.slice(0, 40)}": send a time of ISO 8601, such as 2026-11-26T07:00:00Z.`)
  }
  return moment
}

function absent(error: unknown): undefined {
  if (!(error instanceof Problem) || error.status !== 404) throw error
}

const noPassport = () => notFound('No passport with this identifier.')
const noElement = () => notFound('No element at this path.')
