import type { Cradle } from '../cradle.ts'
import { digitalLinkUri, type Identifier, identify } from '../domain/identifiers.ts'
import { mediaUrl, type StoredImage } from '../domain/media.ts'
import { textIn } from '../domain/metadata.ts'
import { maskedKeysFor, redact } from '../domain/redaction.ts'
import { buildProof } from '../domain/seal.ts'
import type {
  BrandView,
  ImageView,
  MediaView,
  PassportOutline,
  PassportView,
  RegistrationView,
  Tier,
  VersionView,
} from '../domain/view.ts'
import type { ListedRow, PassportRow, SealedVersion, StoredMedia } from '../storage/passport-rows.ts'

declare module '../cradle.ts' {
  interface Cradle {
    passportViews: ReturnType<typeof passportViews>
  }
}

/** Builds what one caller may see of a passport: the only place where anything is redacted. */
export default function passportViews({ config, plugins }: Pick<Cradle, 'config' | 'plugins'>) {
  const baseUrl = config.baseUrl
  const categories = plugins.categories

  return { digitalLink, restrictedKeys, maskedKeys, outline, shown, view, ofVersion }

  /** Where the code on a product leads (decisions on digital links). */
  function digitalLink(productId: string): string {
    return digitalLinkUri(baseUrl, identifierOf(productId))
  }

  /** The metadata keys that the public may not read in this category. */
  function restrictedKeys(category: string | null | undefined): readonly string[] {
    return categories.get(category ?? '')?.plugin.restrictedKeys ?? []
  }

  /**
   * The metadata keys of a passport that `tier` may not read.
   * @param further keys that are restricted besides those of its category
   */
  function maskedKeys(
    { metadata }: Pick<PassportRow, 'metadata'>,
    tier: Tier,
    further: readonly string[] = [],
  ): string[] {
    return maskedKeysFor(metadata, tier, [...restrictedKeys(textIn(metadata, 'category')), ...further])
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
      operator: { id: row.operator.id, name: row.operator.name, regId: row.operator.regId, role: row.operator.role },
      seal: seal === null ? null : { signature: seal.signature, publicKeyPem: seal.publicKeyPem },
    }
  }

  /** What it says, as `tier` may see it. */
  function shown(
    row: Pick<PassportRow, 'metadata'>,
    tier: Tier,
    further?: readonly string[],
  ): Pick<PassportView, 'metadata' | 'maskedKeys' | 'privilegedKeys'> {
    const masked = maskedKeys(row, tier, further)
    const hidden = tier === 'public' ? [] : maskedKeys(row, 'public', further)
    return {
      metadata: masked.length === 0 ? row.metadata : redact(row.metadata, masked),
      maskedKeys: masked,
      privilegedKeys: hidden.filter((key) => !masked.includes(key)),
    }
  }

  /** The passport as `tier` may see it; `further` as of {@link maskedKeys}. */
  function view(row: PassportRow, tier: Tier, further?: readonly string[]): PassportView {
    const { metadata, maskedKeys: masked, privilegedKeys } = shown(row, tier, further)
    const { seal } = row
    return {
      ...outline(row),
      tier,
      facility: row.facility === null ? null : facilityFor(row.facility, tier),
      metadata,
      maskedKeys: masked,
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
      media: row.media.map(mediaView),
      brand: row.brand === null ? null : brandView(row.brand),
      recall: row.recall,
      registration: registrationView(row),
    }
  }

  function registrationView({ id, registration }: PassportRow): RegistrationView | null {
    if (registration === null || registration.identifier === null) return null
    const { hasProof, ...given } = registration
    return {
      ...(given as RegistrationView),
      ...(hasProof ? { proof: `${baseUrl}/passport/${id}/registration-proof` } : {}),
    }
  }

  function mediaView({ id, kind, mediaType, title, file, sizes }: StoredMedia): MediaView {
    const images = sizes.map((image) => imageView(id, image))
    return { id, kind, mediaType, title, url: mediaUrl(baseUrl, id, file), sizes: images }
  }

  function imageView(id: string, { file, width, height }: StoredImage): ImageView {
    return { url: mediaUrl(baseUrl, id, file), width, height }
  }

  function brandView({ accent, logo }: NonNullable<PassportRow['brand']>): BrandView {
    return { accent, logo: logo === null ? null : imageView(logo.id, logo) }
  }

  /** A sealed version as everybody may see it: what was masked then or is masked now stays so. */
  function ofVersion({ row, number, supersededAt, masked, statusNow }: SealedVersion): VersionView {
    const currentUrl = `${baseUrl}/passport/${row.id}`
    const url = `${currentUrl}?version=${number}`
    return {
      ...view(row, 'public', masked),
      superseded: supersededAt === null ? null : { number, at: supersededAt, url, currentUrl, statusNow },
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
