import { isDeepStrictEqual } from 'node:util'
import { isRecord, type Json, type Metadata, notFound, Problem } from '../../../../src/plugin/index.ts'
import {
  badRequest,
  conflict,
  forbidden,
  type ModuleCradle,
  type Principal,
  type WriteScope,
} from '../../../../src/plugin/module.ts'
import { DERIVED, isReserved, passportContent } from '../document/content.ts'
import { members } from '../document/forms.ts'
import { passportHeader } from '../document/header.ts'
import { merged, withValueAt } from '../document/merge.ts'
import { compressedOf, contentOf } from '../document/read-back.ts'
import { readElementPath, type Segment } from '../element-path.ts'
import { facilityIdOf, operatorIdOf, readPassportId, readProductId } from '../identifiers.ts'

const MAX_ATTEMPTS = 5

/** A document, as stored and as its owner reads it in the compressed form. */
interface Current {
  readonly metadata: Metadata
  readonly shown: Metadata
  readonly isDraft: boolean
}

interface Content {
  readonly metadata: Metadata
  readonly isDraft: boolean
}

/** Writes of EN 18222 (clauses 4.6 to 4.8, and 6.3), each one transaction of the services that the API uses. */
export default function enWrites({
  config: { baseUrl },
  database,
  descriptions,
  facilities,
  operators,
  passportIntake,
  passportRows,
  passports,
  passportViews,
}: ModuleCradle) {
  return { create, update, updateElement, remove }

  /**
   * Creates a passport of the product, operator and facility in the header. Id, times and versions are the gateway's.
   * @returns the identifier of the passport
   * @throws Problem 400, 402, 403, 409
   */
  async function create(principal: Principal, body: unknown, lang: string, scope: WriteScope): Promise<string> {
    const document = compressedOf(documentIn(body))
    const [operatorId, facilityId] = await Promise.all([
      operatorOf(principal, document.economicOperatorId),
      facilityOf(principal, document.facilityId),
    ])
    const metadata = { ...categoryIn(document), ...levelIn(document), ...contentIn(document) }
    const draft = isStatus(document.dppStatus, 'draft')
    const input = { productId: productIn(document), metadata, draft, operatorId, facilityId }
    const { passport } = await passportIntake.create(principal, input, lang, scope)
    return `${baseUrl}/passport/${passport.id}`
  }

  function productIn({ uniqueProductIdentifier: id }: Metadata): string {
    if (typeof id !== 'string') throw badRequest('uniqueProductIdentifier is missing. Set it to a text.')
    const named = readProductId(id, baseUrl)
    if (named === undefined || named.serial !== undefined || named.batch !== undefined) {
      throw badRequest(
        'uniqueProductIdentifier must identify a product. Batches and items are recorded with /api/v1/passports/{id}/batches and /units.',
      )
    }
    return named.key
  }

  async function operatorOf(principal: Principal, id: Json | undefined): Promise<string | null> {
    if (id === undefined || id === null) return null
    const found = await operators.list(principal, false)
    const operator = found.find(({ regId, regIdScheme }) => id === regId || id === operatorIdOf(regId, regIdScheme))
    if (operator === undefined) throw unknownMaster('economicOperatorId', id)
    return operator.id
  }

  async function facilityOf(principal: Principal, id: Json | undefined): Promise<string | null> {
    if (id === undefined || id === null) return null
    const found = await facilities.list(principal)
    const facility = found.find(({ gln }) => [gln, facilityIdOf(gln), `urn:gs1:gln:${gln}`].some((form) => form === id))
    if (facility === undefined) throw unknownMaster('facilityId', id)
    return facility.id
  }

  /** The category may be stated as the schema of this gateway. */
  function categoryIn({ category, contentSpecificationIds: ids }: Metadata): Metadata {
    const start = `${baseUrl}/api/v1/schemas/`
    const named = Array.isArray(ids) ? ids.find((id) => typeof id === 'string' && id.startsWith(start)) : undefined
    return category === undefined && typeof named === 'string' ? { category: named.slice(start.length) } : {}
  }

  /** Merges a patch in either form. @throws Problem 400, 401, 403, 404, 409 */
  async function update(principal: Principal, passportId: string, body: unknown, lang: string): Promise<void> {
    const patch = compressedOf(documentIn(body))
    await change(principal, passportId, lang, ({ metadata, shown, isDraft }) => {
      const publishes = isDraft && isStatus(patch.dppStatus, 'active')
      for (const [name, value] of Object.entries(patch)) {
        const isSettable = name === 'granularity' || (name === 'dppStatus' && publishes)
        if (!isSettable && isDerived(name, metadata)) assertUnchanged(name, value, shown)
      }
      const content = { ...levelIn(patch, metadata), ...contentIn(patch, metadata) }
      return { metadata: merged(metadata, content) as Metadata, isDraft: isDraft && !publishes }
    })
  }

  /** Sets the element at a path, or removes it by null. @throws Problem as {@link update} */
  async function updateElement(
    principal: Principal,
    passportId: string,
    path: string,
    body: unknown,
    lang: string,
  ): Promise<void> {
    const [top, ...rest] = readElementPath(path)
    const content = contentOf(body as Json)
    await change(principal, passportId, lang, ({ metadata, shown, isDraft }) => {
      if (typeof top !== 'string') throw noParent()
      if (isDerived(top, metadata)) throw derived(top)
      const changed = withValueAt({ ...metadata, ...shownAt(top, rest, metadata, shown) }, [top, ...rest], content)
      if (changed === undefined) throw noParent()
      return { metadata: changed as Metadata, isDraft }
    })
  }

  /** A path is of the document as read, which omits empty values: the place in the stored list may differ. */
  function shownAt(top: string, rest: readonly Segment[], metadata: Metadata, shown: Metadata): Metadata {
    const value = shown[top]
    return rest.length === 0 || value === undefined || isDeepStrictEqual(value, metadata[top]) ? {} : { [top]: value }
  }

  /** Repeats a change that another one has overtaken. */
  async function change(
    principal: Principal,
    passportId: string,
    lang: string,
    to: (current: Current) => Content,
  ): Promise<void> {
    const id = passportOf(passportId)
    for (let attempt = 1; ; attempt += 1) {
      const row = await passportRows.load(database.forTenant(principal.tenantId), id)
      if (row === undefined) throw notFound('No passport with this identifier in your workspace.')
      const view = passportViews.view(row, 'owner')
      const describe = (category: Json | undefined) => descriptions.of(category, lang)
      const shown = { ...passportHeader(view), ...members([...passportContent(view, describe)]) } as unknown as Metadata
      const { metadata, isDraft } = to({ metadata: row.metadata, shown, isDraft: row.status === 'DRAFT' })
      const input = { metadata, draft: isDraft, changeReason: 'EN 18222 update' }
      try {
        await passports.update(principal, id, input, lang, new Set([String(row.version)]))
        return
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        if (error.fields.code === 'PASSPORT_SEALED_IMMUTABLE') throw conflict(error.message, error.fields.code)
        if (error.status !== 412) throw error
        if (attempt === MAX_ATTEMPTS) throw conflict('The passport is being changed by others. Retry later.')
      }
    }
  }

  function passportOf(passportId: string): string {
    const subject = readPassportId(passportId, baseUrl)
    if (subject === undefined) throw notFound('No passport with this identifier in your workspace.')
    if (subject.column === 'id') return subject.id
    throw new Problem(501, 'Batches and items are changed with /api/v1/batches/{id} and /api/v1/units/{id}.', {
      title: 'Not Implemented',
    })
  }

  /** Deletes a draft; its history stays. @throws Problem 404; 409 for a passport that was published */
  async function remove(principal: Principal, passportId: string): Promise<void> {
    await passports.deleteDraft(principal, passportOf(passportId), undefined)
  }
}

function documentIn(body: unknown): Metadata {
  if (isRecord(body)) return body as Metadata
  throw badRequest('The body must be a JSON object.')
}

const isDerived = (name: string, metadata: Metadata): boolean =>
  isReserved(name) || (DERIVED.has(name) && !Object.hasOwn(metadata, name))

/** Content of a document, without its header and what the gateway derives. */
const contentIn = (document: Metadata, metadata: Metadata = {}): Metadata =>
  Object.fromEntries(Object.entries(document).filter(([name]) => !isDerived(name, metadata)))

/** Stated only if it is not the default, or was stated before. */
function levelIn({ granularity }: Metadata, metadata: Metadata = {}): Metadata {
  if (typeof granularity !== 'string') return {}
  const level = granularity.toLowerCase()
  return level === 'model' && metadata.granularity === undefined ? {} : { granularity: level }
}

const isStatus = (given: Json | undefined, status: string): boolean =>
  typeof given === 'string' && given.toLowerCase() === status

/** @throws Problem 403 */
function assertUnchanged(name: string, value: Json, shown: Metadata): void {
  const present = shown[name === 'lastUpdate' ? 'lastUpdated' : name]
  const isSame = name === 'dppStatus' && typeof present === 'string' && isStatus(value, present)
  if (!isSame && !isDeepStrictEqual(value, present)) throw derived(name)
}

const derived = (name: string) => forbidden(`${name} is derived by the gateway and cannot be changed here. Omit it.`)
const noParent = () => notFound('No element at this path.')
const unknownMaster = (name: string, id: Json) =>
  badRequest(
    `${name} ${JSON.stringify(id).slice(0, 100)} is not registered in your workspace. Register it, or omit ${name}.`,
  )
