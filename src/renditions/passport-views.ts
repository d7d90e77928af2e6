import type { Cradle } from '../cradle.ts'
import {
  type AudienceRules,
  type Audiences,
  audienceOf,
  audienceRules,
  forBoth,
  isOpenTo,
  type Reader,
} from '../domain/audience.ts'
import { availableUntil } from '../domain/availability.ts'
import { digitalLinkUri, type Identifier, identify } from '../domain/identifiers.ts'
import { textIn } from '../domain/metadata.ts'
import { maskedKeysFor, redact } from '../domain/redaction.ts'
import { buildProof } from '../domain/seal.ts'
import {
  NO_PARTS,
  type PageSection,
  type PassportOutline,
  type PassportParts,
  type PassportView,
  type Superseded,
  type VersionView,
} from '../domain/view.ts'
import type { ListedRow } from '../passports/listed-passports.ts'
import type { PassportRow } from '../passports/passport-columns.ts'
import type { SealedVersion } from '../passports/passport-versions.ts'
import { COMMON_SCHEMA } from '../plugin/common-schema.ts'

declare module '../cradle.ts' {
  interface Cradle {
    passportViews: ReturnType<typeof passportViews>
  }
}

type Redactable = Pick<PassportRow, 'metadata'> & Partial<Pick<PassportRow, 'seal'>>

/** Only this module redacts. */
export default function passportViews({ config, plugins }: Pick<Cradle, 'config' | 'plugins'>) {
  const baseUrl = config.baseUrl
  const rules = new Map(
    [...plugins.categories].map(([name, { plugin, schema }]) => [
      name,
      audienceRules([COMMON_SCHEMA, schema], plugin.restrictedKeys),
    ]),
  )
  const commonRules = audienceRules([COMMON_SCHEMA])

  return { digitalLink, hiddenKeys, maskedKeys, outline, shown, view, audiencesOf, viewVersion, viewArchived }

  function digitalLink(productId: string): string {
    return digitalLinkUri(baseUrl, identifierOf(productId))
  }

  function hiddenKeys(category: string | null | undefined): readonly string[] {
    return [...rulesOf(category).keys()]
  }

  function rulesOf(category: string | null | undefined): AudienceRules {
    return rules.get(category ?? '') ?? commonRules
  }

  /** @param further additional restricted keys */
  function maskedKeys({ metadata, seal }: Redactable, reader: Reader, further: readonly string[] = []): string[] {
    const known = rulesOf(textIn(metadata, 'category'))
    const all = further.length === 0 ? known : new Map([...forBoth(further), ...known])
    return maskedKeysFor(metadata, reader, all).filter((key) => further.includes(key) || !isLeftOpen(seal, key))
  }

  /** Undefined if public. */
  function audiencesOf(category: string, key: string): Audiences | undefined {
    return rulesOf(category).get(key)
  }

  function outline(row: ListedRow | PassportRow): PassportOutline {
    const identifier = identifierOf(row.productId)
    const { seal } = row
    return {
      baseUrl,
      id: row.id,
      productId: row.productId,
      identifier,
      digitalLinkUri: digitalLinkUri(baseUrl, identifier),
      status: row.status,
      archivedAt: row.archivedAt,
      retentionUntil: row.retentionUntil,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      version: row.version,
      operator: { id: row.operator.id, name: row.operator.name, regId: row.operator.regId, role: row.operator.role },
      seal: seal === null ? null : { signature: seal.signature, publicKeyPem: seal.publicKeyPem },
    }
  }

  function shown(
    row: Redactable,
    reader: Reader,
    further?: readonly string[],
  ): Pick<PassportView, 'metadata' | 'maskedKeys' | 'grantableKeys' | 'privilegedKeys'> {
    const masked = maskedKeys(row, reader, further)
    const closed = reader === 'public' ? maskedKeys(row, 'legitimateInterest', further) : masked
    const hidden = reader === 'public' ? [] : maskedKeys(row, 'public', further)
    return {
      metadata: masked.length === 0 ? row.metadata : redact(row.metadata, masked),
      maskedKeys: masked,
      grantableKeys: masked.filter((key) => !closed.includes(key)),
      privilegedKeys: hidden.filter((key) => !masked.includes(key)),
    }
  }

  function view(row: PassportRow, reader: Reader, further?: readonly string[]): PassportView {
    const { metadata, maskedKeys: masked, grantableKeys, privilegedKeys } = shown(row, reader, further)
    const { seal } = row
    return {
      ...outline(row),
      audience: audienceOf(reader),
      facility: row.facility === null ? null : facilityFor(row.facility, reader),
      metadata,
      maskedKeys: masked,
      grantableKeys,
      privilegedKeys,
      seal:
        seal === null
          ? null
          : {
              signature: seal.signature,
              publicKeyPem: seal.publicKeyPem,
              proof: buildProof(
                { ...seal, created: seal.createdAt },
                { metadata, maskedKeys: masked, passportUrl: `${baseUrl}/passport/${row.id}` },
              ),
            },
      enrichment: row.enrichment,
      operator: row.operator,
      ...partsOf(row, reader),
      availableUntil: availableUntil(
        row.metadata,
        plugins.categories.get(textIn(row.metadata, 'category') ?? '')?.availability,
      ),
      recall: row.recall,
      journey: row.journey !== null && isOpenTo(row.journey.audience, reader) ? row.journey : null,
    }
  }

  function partsOf({ id, parts }: PassportRow, reader: Reader): PassportParts & Pick<PassportView, 'sections'> {
    const context = { baseUrl, passportId: id, reader }
    const views: Record<string, unknown> = {}
    const sections: PageSection[] = []
    for (const [name, part] of plugins.passportParts) {
      const stored = parts[name] ?? null
      views[name] = part.view(stored, context)
      const section = part.section?.(stored, context)
      if (section !== undefined) sections.push(section)
    }
    return { ...NO_PARTS, ...views, sections }
  }

  /** Masks the keys that were masked then or are masked now. */
  function viewVersion(version: SealedVersion): VersionView {
    const query = `?version=${version.number}`
    return {
      ...view(version.row, 'public', version.masked),
      superseded: supersededOf(version, query),
      versions: { shown: version.number, earlier: [] },
    }
  }

  /** Masks by the present rights of the reader. */
  function viewArchived(version: SealedVersion, reader: Reader, time: string): VersionView {
    return {
      ...view(version.row, reader),
      superseded: supersededOf(version, `?asOf=${time}`),
      versions: { shown: version.row.seal === null ? null : version.number, earlier: [] },
    }
  }

  function supersededOf({ row, number, supersededAt, statusNow }: SealedVersion, query: string): Superseded | null {
    if (supersededAt === null) return null
    const currentUrl = `${baseUrl}/passport/${row.id}`
    return { number, at: supersededAt, url: currentUrl + query, currentUrl, statusNow }
  }
}

// A draft may have an invalid identifier.
function identifierOf(productId: string): Identifier {
  try {
    return identify(productId)
  } catch {
    return { scheme: 'sku', value: productId }
  }
}

/** True if the key was public at sealing. Masking it would break the seal and hide nothing; the next seal allows it. */
const isLeftOpen = (seal: Redactable['seal'], key: string): boolean =>
  seal?.subject != null && Object.hasOwn(seal.leaves, key) && !seal.subject.maskable.includes(key)

function facilityFor(
  facility: NonNullable<PassportRow['facility']>,
  reader: Reader,
): NonNullable<PassportView['facility']> {
  if (reader === 'owner') return facility
  const { streetAddress: _street, city: _city, postalCode: _code, ...visible } = facility
  return visible
}
