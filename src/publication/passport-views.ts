import type { Cradle } from '../cradle.ts'
import { digitalLinkUri, type Identifier, identify } from '../domain/identifiers.ts'
import { textIn } from '../domain/metadata.ts'
import { maskedKeysFor, redact } from '../domain/redaction.ts'
import { buildProof } from '../domain/seal.ts'
import type { PassportOutline, PassportView, Tier } from '../domain/view.ts'
import type { ListedRow, PassportRow } from '../storage/passport-rows.ts'

declare module '../cradle.ts' {
  interface Cradle {
    passportViews: ReturnType<typeof passportViews>
  }
}

/** Builds what one caller may see of a passport: the only place where anything is redacted. */
export default function passportViews({ config, plugins }: Pick<Cradle, 'config' | 'plugins'>) {
  const baseUrl = config.baseUrl
  const categories = plugins.categories

  return { digitalLink, maskedKeys, outline, shown, view }

  /** Where the code on a product leads (decisions on digital links). */
  function digitalLink(productId: string): string {
    return digitalLinkUri(baseUrl, identifierOf(productId))
  }

  /** The metadata keys of a passport that `tier` may not read. */
  function maskedKeys({ metadata }: Pick<PassportRow, 'metadata'>, tier: Tier): string[] {
    const restrictedKeys = categories.get(textIn(metadata, 'category') ?? '')?.plugin.restrictedKeys ?? []
    return maskedKeysFor(metadata, tier, restrictedKeys)
  }

  /** What everybody may see of it, without what it says. */
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
      operator: row.operator,
      seal: seal === null ? null : { signature: seal.signature, publicKeyPem: seal.publicKeyPem },
    }
  }

  /** What it says, as `tier` may see it. */
  function shown(row: Pick<PassportRow, 'metadata'>, tier: Tier): Pick<PassportView, 'metadata' | 'maskedKeys'> {
    const masked = maskedKeys(row, tier)
    return { metadata: masked.length === 0 ? row.metadata : redact(row.metadata, masked), maskedKeys: masked }
  }

  /** The passport as `tier` may see it. */
  function view(row: PassportRow, tier: Tier): PassportView {
    const { metadata, maskedKeys: masked } = shown(row, tier)
    const { seal } = row
    return {
      ...outline(row),
      tier,
      facility: row.facility === null ? null : facilityFor(row.facility, tier),
      metadata,
      maskedKeys: masked,
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
    }
  }
}

// A draft may hold an identifier that would be refused on publication; its link is that of a free-form id.
function identifierOf(productId: string): Identifier {
  try {
    return identify(productId)
  } catch {
    return { scheme: 'sku', value: productId }
  }
}

function facilityFor(
  facility: NonNullable<PassportRow['facility']>,
  tier: Tier,
): NonNullable<PassportView['facility']> {
  if (tier === 'owner') return facility
  const { streetAddress: _street, city: _city, postalCode: _code, ...visible } = facility
  return visible
}
