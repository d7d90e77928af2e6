import type { BrandView, ImageView, MediaView, PassportPart } from '../../../src/plugin/index.ts'
import { isOpenTo } from '../../../src/plugin/module.ts'
import { documentIssues } from './documents.ts'
import type { StoredBrand, StoredImage, StoredMedia } from './entities.ts'

export const media: PassportPart<readonly MediaView[], readonly StoredMedia[]> = {
  column: `(
        select json_agg(json_build_object('id', m.id, 'kind', m.kind, 'mediaType', m.media_type, 'title', m.title,
          'file', m.file, 'sizes', m.sizes, 'bytes', m.bytes, 'documentType', m.document_type, 'language', m.language,
          'audience', m.audience, 'sha256', case when m.kind = 'document' then (
            select encode(f.sha256, 'hex') from media_file f where f.media_id = m.id and f.name = m.file
          ) end) order by m.kind desc, m.position)
        from media m where m.passport_id = p.id
      )`,
  view: (stored, { baseUrl, reader }) =>
    (stored ?? []).filter(({ audience }) => isOpenTo(audience, reader)).map((medium) => mediumView(medium, baseUrl)),
  check: (metadata, stored, { baseUrl, audiencesOf }) =>
    documentIssues(metadata, stored ?? [], audiencesOf, (document) => mediumView(document, baseUrl).url),
}

export const brand: PassportPart<BrandView | null, StoredBrand> = {
  column: `(
        select json_build_object('accent', b.accent, 'logo', case when l.id is not null then json_build_object('id', l.id,
          'file', l.file, 'width', l.sizes -> 0 -> 'width', 'height', l.sizes -> 0 -> 'height') end)
        from brand b left join media l on l.id = b.logo_id
        where b.tenant_id = p.tenant_id and (b.accent is not null or b.logo_id is not null)
      )`,
  isInVersions: true,
  view: (stored, { baseUrl }) =>
    stored && { accent: stored.accent, logo: stored.logo && imageView(baseUrl, stored.logo.id, stored.logo) },
}

/** Pictures in order, then documents. */
export const storedMedia = ({ parts }: { readonly parts: Readonly<Record<string, unknown>> }) =>
  (parts.media ?? []) as readonly StoredMedia[]

export function mediumView(
  { id, kind, mediaType, title, file, sizes, bytes, ...rest }: StoredMedia,
  baseUrl: string,
): MediaView {
  return {
    id,
    kind,
    mediaType,
    title,
    url: mediaUrl(baseUrl, id, file),
    sizes: sizes.map((image) => imageView(baseUrl, id, image)),
    documentType: rest.documentType ?? undefined,
    language: rest.language ?? undefined,
    sha256: rest.sha256 ?? undefined,
    bytes,
  }
}

function imageView(baseUrl: string, id: string, { file, width, height }: StoredImage): ImageView {
  return { url: mediaUrl(baseUrl, id, file), width, height }
}

/** URL of an immutable file. */
const mediaUrl = (baseUrl: string, id: string, file: string): string => `${baseUrl}/media/${id}/${file}`
