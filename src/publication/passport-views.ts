import type { Config } from '../config.ts'
import { digitalLinkUri, type Identifier, identify } from '../domain/identifiers.ts'
import { textIn } from '../domain/metadata.ts'
import { maskedKeysFor, redact } from '../domain/redaction.ts'
import { buildProof } from '../domain/seal.ts'
import type { PassportView, Tier } from '../domain/view.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'
import type { PassportRow } from '../storage/passport-rows.ts'

/** Builds what one caller may see of a passport: the only place where anything is redacted. */
export class PassportViews {
  readonly #baseUrl: string
  readonly #categories: LoadedPlugins['categories']

  constructor({ config, plugins }: { config: Config; plugins: LoadedPlugins }) {
    this.#baseUrl = config.baseUrl
    this.#categories = plugins.categories
  }

  /** Where the code on a product leads (decisions on digital links). */
  digitalLink(productId: string): string {
    return digitalLinkUri(this.#baseUrl, identifierOf(productId))
  }

  /** The metadata keys of a passport that `tier` may not read. */
  maskedKeys({ metadata }: Pick<PassportRow, 'metadata'>, tier: Tier): string[] {
    const restrictedKeys = this.#categories.get(textIn(metadata, 'category') ?? '')?.plugin.restrictedKeys ?? []
    return maskedKeysFor(metadata, tier, restrictedKeys)
  }

  /** The passport as `tier` may see it. */
  view(row: PassportRow, tier: Tier): PassportView {
    const maskedKeys = this.maskedKeys(row, tier)
    const metadata = redact(row.metadata, maskedKeys)
    const identifier = identifierOf(row.productId)
    const { seal } = row
    return {
      baseUrl: this.#baseUrl,
      tier,
      id: row.id,
      productId: row.productId,
      identifier,
      digitalLinkUri: digitalLinkUri(this.#baseUrl, identifier),
      status: row.status,
      archivedAt: row.archivedAt,
      retentionUntil: row.retentionUntil,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      version: row.version,
      operator: row.operator,
      facility: row.facility === null ? null : facilityFor(row.facility, tier),
      metadata,
      maskedKeys,
      seal:
        seal === null
          ? null
          : {
              signature: seal.signature,
              publicKeyPem: seal.publicKeyPem,
              proof: buildProof(
                { ...seal, created: seal.createdAt },
                { metadata, maskedKeys, passportUrl: `${this.#baseUrl}/passport/${row.id}` },
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
