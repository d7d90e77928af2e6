import type { Cradle } from '../cradle.ts'
import { digitalLinkUri, encodeSegment } from '../domain/identifiers.ts'
import { beginningOf } from '../domain/text.ts'
import type { DoorView, Rendered } from '../plugin/contracts.ts'
import type { Candidate } from './candidates.ts'
import { MAX_SOUGHT_CHARACTERS, type Reference, readReference } from './reference.ts'
import type { Caller } from './resolution.ts'
import { selectServed } from './served-passports.ts'

type Opened = { readonly location: string } | { readonly status: 400 | 404; readonly page: Rendered }

declare module '../cradle.ts' {
  interface Cradle {
    frontDoor: ReturnType<typeof frontDoor>
  }
}

export default function frontDoor({ config, plugins, resolution, gatewayPages }: Cradle) {
  const { host } = new URL(config.baseUrl)
  const demoGtin = config.demo ? plugins.demoWorkspace?.gtin : undefined

  return { show, open }

  async function show(purpose: DoorView['purpose'], caller: Caller): Promise<Rendered> {
    const hasDemo = demoGtin !== undefined && (await resolution.byKey(demoGtin, 'gtin', caller)).length > 0
    return render({ purpose, host, demoPath: hasDemo ? `/01/${demoGtin}` : undefined }, caller)
  }

  async function open(purpose: DoorView['purpose'], text: string, caller: Caller): Promise<Opened> {
    const reference = readReference(text, host)
    const view = { purpose, host, sought: beginningOf(text.trim(), MAX_SOUGHT_CHARACTERS) }
    if (typeof reference === 'string') return { status: 400, page: render({ ...view, problem: reference }, caller) }
    const found = await find(reference, caller)
    if (found.length > 0) return { location: pathOf(purpose, reference, found) }
    if ('otherKey' in reference && reference.otherKey !== undefined) {
      const other = { kind: 'gtin', key: reference.otherKey } as const
      const second = await find(other, caller)
      if (second.length > 0) return { location: pathOf(purpose, other, second) }
    }
    const corrected = reference.kind === 'sku' ? reference.corrected : undefined
    if (corrected === undefined) return { status: 404, page: render({ ...view, problem: 'absent' }, caller) }
    return { status: 400, page: render({ ...view, problem: 'checkDigit', corrected }, caller) }
  }

  async function find(reference: Reference, caller: Caller): Promise<readonly Found[]> {
    if (reference.kind === 'uuid') {
      const found = await Promise.all([resolution.byId(reference.id), resolution.byUnitId(reference.id)])
      return found
        .filter((candidate): candidate is Candidate => candidate !== undefined && candidate.status !== 'DRAFT')
        .map((candidate) => ({ id: candidate.id, unitId: candidate.unit?.id ?? null }))
    }
    const { kind, key } = reference
    const serial = kind === 'sku' ? undefined : qualifierOf(reference, '21')
    const named = serial === undefined ? [] : selectServed(await resolution.bySerial(key, serial, caller))
    // An unrecorded serial number resolves to its product.
    if (named.length > 0) return named
    return selectServed(await resolution.byKey(key, kind === 'sku' ? undefined : kind, caller))
  }

  function render(view: DoorView, { lang }: Caller): Rendered {
    return gatewayPages.render('door', view, lang)
  }
}

interface Found {
  readonly id: string
  readonly unitId: string | null
}

/** Returns one target, or the link at which a person chooses. */
function pathOf(purpose: DoorView['purpose'], reference: Reference, found: readonly Found[]): string {
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
