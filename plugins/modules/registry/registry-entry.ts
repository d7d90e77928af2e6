import { isDeepStrictEqual } from 'node:util'
import { isRecord, type PassportView, textIn } from '../../../src/plugin/index.ts'
import { identifierRules, isIdentifierScheme, parseGuardedJson, type UnitOutline } from '../../../src/plugin/module.ts'
import type { components } from './generated.ts'

type Schemas = components['schemas']

/** Members of the exploratory CIRPASS-2 registry. */
export type RegistryEntry = Schemas['RegistryEntry']

export type RegistrationCheck = Schemas['RegistrationCheck']

export interface RegistrySubject {
  readonly view: PassportView
  readonly regIdScheme: string | null
  readonly findings: readonly { readonly path: string; readonly message: string }[]
  /** Subject of the seal. */
  readonly sealed: { readonly productId: string; readonly operator: { readonly regId: string } } | null
  readonly unit?: UnitOutline | undefined
}

/** Registry user guide, v1.02 (24 August 2026). The CIRPASS-2 registry itself rejects more than 200. */
const MAX_UPI_CHARACTERS = 2000
const MAX_OPERATOR_CHARACTERS = 50
const COMMODITY_CODE = /^[0-9]{4,10}$/

const ENDED: readonly string[] = ['DECOMMISSIONED', 'WASTE', 'RECYCLED']

/** Builds an entry, complete only if all {@link registryChecks} pass. */
export function registryEntry({ view, regIdScheme, unit }: RegistrySubject): RegistryEntry {
  const { baseUrl, metadata, operator, facility } = view
  return {
    upi: (unit ?? view).digitalLinkUri,
    reoId: `${regIdScheme}-${operator.regId}`,
    liveURL: unit === undefined ? `${baseUrl}/passport/${view.id}` : `${baseUrl}/unit/${unit.id}`,
    backupURL: backupOf(view) ?? '',
    commodityCode: textIn(metadata, 'commodityCode') ?? '',
    facilitiesId: facility === null ? [] : [`GLN-${facility.gln}`],
    granularityLevel: unit === undefined ? 'MODEL' : 'ITEM',
    // The registry rejects the member except for items.
    ...(unit === undefined ? {} : { deactivated: unit.ceasedAt !== null || ENDED.includes(unit.status) }),
  }
}

export const isSameEntry = (one: RegistryEntry, other: RegistryEntry): boolean => isDeepStrictEqual(one, other)

interface RegistryRule {
  readonly code: RegistrationCheck['code']
  readonly clause: string
  readonly met: string
  readonly ask: (subject: RegistrySubject) => string | undefined
}

const REGISTRY_ACT = 'Regulation (EU) 2026/1778'
const ESPR = 'Regulation (EU) 2024/1781'

/** Checks of Regulation (EU) 2026/1778, Article 8(7), and others. */
const REGISTRY_RULES: readonly RegistryRule[] = [
  {
    code: 'SEALED',
    clause: `${REGISTRY_ACT}, Article 8(9)(d)`,
    met: 'The passport is sealed; the hash of the version is the Merkle root of its seal.',
    ask: ({ view }) =>
      view.seal === null ? 'The registry stores a hash of the sealed version: seal the passport first.' : undefined,
  },
  {
    code: 'MEANING',
    clause: `${REGISTRY_ACT}, Article 8(7)(a)`,
    met: 'The metadata is valid against its schema.',
    ask: ({ findings: [first, ...others] }) =>
      first &&
      `Correct the metadata: ${first.path} ${first.message}${others.length > 0 ? ` (and ${others.length} more)` : ''}.`,
  },
  {
    code: 'COHERENCE',
    clause: `${REGISTRY_ACT}, Article 8(7)(b)`,
    met: 'Document, link, operator and seal identify the same product, and the passport is public.',
    ask: incoherence,
  },
  {
    code: 'LEVEL',
    clause: `${REGISTRY_ACT}, Article 8(3) to (5) and (7)(c)`,
    met: 'The passport is of a model; a unit is registered as an item of its model.',
    ask: ({ view: { metadata } }) =>
      Object.hasOwn(metadata, 'granularity') && metadata.granularity !== 'model'
        ? 'Passports are registered as models: remove metadata.granularity. Register items as units.'
        : undefined,
  },
  {
    code: 'COMMODITY_CODE',
    clause: `${REGISTRY_ACT}, Article 8(7)(d)`,
    met: 'The commodity code has 4 to 10 digits.',
    ask: ({ view: { metadata } }) =>
      typeof metadata.commodityCode === 'string' && COMMODITY_CODE.test(metadata.commodityCode)
        ? undefined
        : 'Add the commodity code (HS, CN or TARIC, 4 to 10 digits without spaces) as metadata.commodityCode.',
  },
  {
    code: 'BACKUP',
    clause: `${REGISTRY_ACT}, Article 8(7)(e)`,
    met: 'The passport has a link to its backup copy.',
    ask: ({ view }) =>
      backupOf(view) === undefined
        ? 'Add the backup provider: metadata.backup with provider and url (http or https), or a party with the role backupProvider and a website.'
        : undefined,
  },
  {
    code: 'OPERATOR',
    clause: `${ESPR}, Article 12(1) and Annex III, points (g) to (k)`,
    met: 'The operator has an identifier of a known scheme.',
    ask: operatorProblem,
  },
  {
    code: 'FACILITY',
    clause: `${ESPR}, Annex III, point (i)`,
    met: 'The facility has a GLN.',
    ask: ({ view }) =>
      view.facility === null ? 'Link the facility where the product is made to the passport (facilityId).' : undefined,
  },
]

export const registryChecks = (subject: RegistrySubject): RegistrationCheck[] =>
  REGISTRY_RULES.map(({ code, clause, met, ask }) => {
    const problem = ask(subject)
    return { code, passed: problem === undefined, message: problem ?? met, clause }
  })

function incoherence({ view, sealed, unit }: RegistrySubject): string | undefined {
  const { status, productId, operator, metadata, identifier } = view
  const { digitalLinkUri } = unit ?? view
  if (status === 'DRAFT') return 'Publish the passport: a draft is not public.'
  if (!digitalLinkUri.startsWith('https://')) {
    return 'The link of the product must begin with https://. Contact the operator of the gateway to correct BASE_URL.'
  }
  if (digitalLinkUri.length > MAX_UPI_CHARACTERS) {
    return `The link of the product has more than ${MAX_UPI_CHARACTERS} characters: use a shorter product id${unit === undefined ? '' : ' or serial number'}.`
  }
  const [issue] = identifierRules(metadata, identifier)
  if (issue !== undefined) return `metadata.${issue.path} ${issue.message}.`
  if (sealed !== null && (sealed.productId !== productId || sealed.operator.regId !== operator.regId)) {
    return 'The seal was made for another product or operator: seal the passport again.'
  }
  return undefined
}

function operatorProblem({ view: { operator }, regIdScheme }: RegistrySubject): string | undefined {
  if (!isIdentifierScheme(regIdScheme)) {
    return 'The operator has no registration id in a scheme of the registry, such as EORI: register the operator with regIdScheme.'
  }
  const length = `${regIdScheme}-${operator.regId}`.length
  return length > MAX_OPERATOR_CHARACTERS
    ? `Scheme and registration id of the operator have ${length} characters. The maximum is ${MAX_OPERATOR_CHARACTERS}.`
    : undefined
}

/** Returns the address of the back-up copy, else its provider's website. */
function backupOf({ metadata: { backup, parties } }: PassportView): string | undefined {
  const keepers = (Array.isArray(parties) ? parties : [])
    .filter(isRecord)
    .filter(({ role }) => role === 'backupProvider')
  const places: unknown[] = [isRecord(backup) ? backup.url : undefined, ...keepers.map(({ website }) => website)]
  return places.find(isWebAddress)
}

const isWebAddress = (url: unknown): url is string =>
  typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

export function registryXml(entries: readonly RegistryEntry[]): string {
  const rows = entries.map((entry) => {
    const members = Object.entries(entry).flatMap(([name, value]) =>
      [value].flat().map((one) => `    <${name}>${escaped(String(one))}</${name}>\n`),
    )
    return `  <registration>\n${members.join('')}  </registration>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<registrations>\n${rows.join('')}</registrations>\n`
}

/** Escapes markup and removes characters forbidden by XML 1.0, 2.2. */
const escaped = (text: string) =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out.
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')

export type ProofType = 'application/pdf' | 'application/xml' | 'application/json'

export function proofTypeOf(bytes: Uint8Array): ProofType | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
  if (text.startsWith('%PDF-')) return 'application/pdf'
  const start = text.replace(/^\uFEFF/, '').trimStart()
  if (/^<(?:\?xml\s|[A-Za-z_])/.test(start) && !/^<(?:!doctype\s+)?html/i.test(start)) return 'application/xml'
  try {
    return isRecord(parseGuardedJson(bytes)) ? 'application/json' : undefined
  } catch {
    return undefined
  }
}
