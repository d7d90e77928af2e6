import { defineEntity, type InferEntity } from '@mikro-orm/core'
import type { BrandView, MediaView, Words } from '../../../src/plugin/index.ts'
import type { Audiences, Row } from '../../../src/plugin/module.ts'

/** Pictures are displayed, documents downloaded. */
export type MediaKind = MediaView['kind']
export type DocumentType = NonNullable<MediaView['documentType']>

export interface StoredImage {
  readonly file: string
  readonly width: number
  readonly height: number
}

/** An empty audience is public. A logo has no passport. */
export const Media = defineEntity({
  name: 'Media',
  tableName: 'media',
  properties: (p) => ({
    id: p.uuid().primary(),
    passportId: p.uuid().nullable(),
    tenantId: p.uuid(),
    kind: p.text().$type<MediaKind>(),
    mediaType: p.text(),
    title: p.json().columnType('json').$type<Words>().nullable(),
    file: p.text(),
    sizes: p.json().columnType('json').$type<readonly StoredImage[]>(),
    bytes: p.integer(),
    position: p.integer(),
    createdAt: p.string().columnType('timestamptz(3)'),
    documentType: p.text().$type<DocumentType>().nullable(),
    language: p.text().nullable(),
    audience: p.array().$type<Audiences>(),
  }),
})
export type Media = InferEntity<typeof Media>

export interface StoredMedia
  extends Row<
    Media,
    'id' | 'kind' | 'mediaType' | 'title' | 'file' | 'sizes' | 'bytes' | 'documentType' | 'language' | 'audience'
  > {
  /** Hex, of a document's file. */
  readonly sha256: string | null
}

/** Content in media_piece, or in the object store (isObject). */
export const MediaFile = defineEntity({
  name: 'MediaFile',
  tableName: 'media_file',
  properties: (p) => ({
    mediaId: p.uuid().primary(),
    name: p.text().primary(),
    tenantId: p.uuid(),
    mediaType: p.text(),
    bytes: p.integer(),
    sha256: p.blob(),
    isObject: p.boolean(),
  }),
})
export type MediaFile = InferEntity<typeof MediaFile>

export const MediaPiece = defineEntity({
  name: 'MediaPiece',
  tableName: 'media_piece',
  properties: (p) => ({
    mediaId: p.uuid().primary(),
    name: p.text().primary(),
    place: p.integer().primary(),
    tenantId: p.uuid(),
    bytes: p.blob(),
  }),
})
export type MediaPiece = InferEntity<typeof MediaPiece>

export const MediaGone = defineEntity({
  name: 'MediaGone',
  tableName: 'media_gone',
  properties: (p) => ({
    key: p.text().primary(),
    goneAt: p.string().columnType('timestamptz(3)'),
  }),
})
export type MediaGone = InferEntity<typeof MediaGone>

/** Logo and accent colour of a workspace. */
export const Brand = defineEntity({
  name: 'Brand',
  tableName: 'brand',
  properties: (p) => ({
    tenantId: p.uuid().primary(),
    accent: p.text().nullable(),
    logoId: p.uuid().nullable(),
  }),
})
export type Brand = InferEntity<typeof Brand>

export interface StoredBrand {
  readonly accent: BrandView['accent']
  readonly logo: (StoredImage & { readonly id: string }) | null
}
