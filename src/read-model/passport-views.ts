import type { Cradle } from '../cradle.ts'
import {
  type AudienceRules,
  type Audiences,
  audienceOf,
  audienceRules,
  forBoth,
  opensTo,
  type Reader,
} from '../domain/audience.ts'
import { availableUntil } from '../domain/availability.ts'
import { digitalLinkUri, type Identifier, identify } from '../domain/identifiers.ts'
import { inverseOf } from '../domain/links.ts'
import { mediaUrl, type StoredImage } from '../domain/media.ts'
import { textIn } from '../domain/metadata.ts'
import { maskedKeysFor, redact } from '../domain/redaction.ts'
import { buildProof } from '../domain/seal.ts'
import type {
  BrandView,
  ImageView,
  LinkView,
  MediaView,
  PassportOutline,
  PassportView,
  RegistrationView,
  Superseded,
  VersionView,
} from '../domain/view.ts'
import { COMMON_SCHEMA } from '../plugin/common-schema.ts'
import type { ListedRow, PassportRow, SealedVersion, StoredLink, StoredMedia } from '../storage/passport-rows.ts'

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

  return { digitalLink, hiddenKeys, maskedKeys, outline, shown, view, medium, audiencesOf, viewVersion, viewArchived }

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
      links: row.links.map(linkView),
      media: row.media.filter((stored) => isOpen(stored, reader)).map(medium),
      availableUntil: availableUntil(
        row.metadata,
        plugins.categories.get(textIn(row.metadata, 'category') ?? '')?.availability,
      ),
      brand: row.brand === null ? null : brandView(row.brand),
      recall: row.recall,
      registration: registrationView(row),
      journey: row.journey !== null && isOpen(row.journey, reader) ? row.journey : null,
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

  function linkView({ rel, isAsked, otherId, url, identifier, since }: StoredLink): LinkView {
    const target = otherId === null ? (url as string) : `${baseUrl}/passport/${otherId}`
    return { rel: isAsked ? inverseOf(rel) : rel, target, identifier, since }
  }

  function medium({ id, kind, mediaType, title, file, sizes, bytes, ...rest }: StoredMedia): MediaView {
    return {
      id,
      kind,
      mediaType,
      title,
      url: mediaUrl(baseUrl, id, file),
      sizes: sizes.map((image) => imageView(id, image)),
      documentType: rest.documentType ?? undefined,
      language: rest.language ?? undefined,
      sha256: rest.sha256 ?? undefined,
      bytes,
    }
  }

  function imageView(id: string, { file, width, height }: StoredImage): ImageView {
    return { url: mediaUrl(baseUrl, id, file), width, height }
  }

  function brandView({ accent, logo }: NonNullable<PassportRow['brand']>): BrandView {
    return { accent, logo: logo === null ? null : imageView(logo.id, logo) }
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

/** True if the audience includes the reader; an empty one is public. */
const isOpen = ({ audience }: { readonly audience: Audiences }, reader: Reader): boolean =>
  audience.length === 0 || opensTo(audience, reader)

function facilityFor(
  facility: NonNullable<PassportRow['facility']>,
  reader: Reader,
): NonNullable<PassportView['facility']> {
  if (reader === 'owner') return facility
  const { streetAddress: _street, city: _city, postalCode: _code, ...visible } = facility
  return visible
}
