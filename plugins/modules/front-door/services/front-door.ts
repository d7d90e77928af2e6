import type { DoorView, Rendered, SearchResult, SubjectSearch } from '../../../../src/plugin/index.ts'
import { beginningOf } from '../../../../src/plugin/index.ts'
import {
  type Candidate,
  digitalLinkUri,
  encodeSegment,
  type ModuleCradle,
  selectServed,
} from '../../../../src/plugin/module.ts'
import { MAX_SOUGHT_CHARACTERS, type Reference, readReference } from '../reference.ts'

type Purpose = DoorView['purpose']
type Reader = Pick<SubjectSearch, 'lang' | 'principal'>

export default function frontDoor({ config, plugins, candidateSearch, gatewayPages }: ModuleCradle) {
  const { host } = new URL(config.baseUrl)
  const demoGtin = config.demo ? plugins.demoWorkspace?.gtin : undefined

  return { answer, show }

  async function answer(purpose: Purpose, { text, ...reader }: SubjectSearch): Promise<SearchResult> {
    if (text === undefined) return { status: 200, page: await show(purpose, reader) }
    const reference = readReference(text, host)
    const view = { purpose, host, sought: beginningOf(text.trim(), MAX_SOUGHT_CHARACTERS) }
    const { lang } = reader
    if (typeof reference === 'string') return { status: 400, page: render({ ...view, problem: reference }, lang) }
    const location = await locate(purpose, reference, reader)
    if (location !== undefined) return { location }
    const corrected = reference.kind === 'sku' ? reference.corrected : undefined
    if (corrected === undefined) return { status: 404, page: render({ ...view, problem: 'absent' }, lang) }
    return { status: 400, page: render({ ...view, problem: 'checkDigit', corrected }, lang) }
  }

  async function show(purpose: Purpose, reader: Reader): Promise<Rendered> {
    const hasDemo = demoGtin !== undefined && (await candidateSearch.byKey(demoGtin, 'gtin', reader)).length > 0
    return render({ purpose, host, demoPath: hasDemo ? `/01/${demoGtin}` : undefined }, reader.lang)
  }

  /** Eight digits are a UPC-E or a GTIN-8, whichever exists. */
  async function locate(purpose: Purpose, reference: Reference, reader: Reader): Promise<string | undefined> {
    const found = await find(reference, reader)
    if (found.length > 0) return pathOf(purpose, reference, found)
    if (!('otherKey' in reference) || reference.otherKey === undefined) return undefined
    return locate(purpose, { kind: 'gtin', key: reference.otherKey }, reader)
  }

  async function find(reference: Reference, reader: Reader): Promise<readonly Found[]> {
    if (reference.kind === 'uuid') {
      const found = await Promise.all([candidateSearch.byId(reference.id), candidateSearch.byUnitId(reference.id)])
      return found
        .filter((candidate): candidate is Candidate => candidate !== undefined && candidate.status !== 'DRAFT')
        .map((candidate) => ({ id: candidate.id, unitId: candidate.unit?.id ?? null }))
    }
    const { kind, key } = reference
    const serial = kind === 'sku' ? undefined : qualifierOf(reference, '21')
    const named = serial === undefined ? [] : selectServed(await candidateSearch.bySerial(key, serial, reader))
    // An unrecorded serial number resolves to its product.
    if (named.length > 0) return named
    return selectServed(await candidateSearch.byKey(key, kind === 'sku' ? undefined : kind, reader))
  }

  function render(view: DoorView, lang: string): Rendered {
    return gatewayPages.render('door', view, lang)
  }
}

interface Found {
  readonly id: string
  readonly unitId: string | null
}

/** Returns one target, or the link at which a person chooses. */
function pathOf(purpose: Purpose, reference: Reference, found: readonly Found[]): string {
  const [{ id, unitId }] = found as readonly [Found]
  const isOne = found.length === 1 || unitId !== null
  if (purpose === 'access' && isOne) return `/request-access?${unitId === null ? `passport=${id}` : `unit=${unitId}`}`
  if (reference.kind === 'uuid' || (reference.kind === 'sku' && isOne)) {
    return unitId === null ? `/passport/${id}` : `/unit/${unitId}`
  }
  const link = digitalLinkUri('', { scheme: reference.kind, value: reference.key })
  if (reference.kind === 'sku') return link
  const qualifiers = reference.qualifiers ?? []
  // GS1 has no batch of an asset.
  const used = reference.kind === 'grai' ? qualifiers.filter(({ ai }) => ai === '21') : qualifiers
  return used.reduce((path, { ai, value }) => `${path}/${ai}/${encodeSegment(value)}`, link)
}

function qualifierOf(
  { qualifiers = [] }: Extract<Reference, { kind: 'gtin' | 'grai' }>,
  ai: string,
): string | undefined {
  return qualifiers.find((one) => one.ai === ai)?.value
}
