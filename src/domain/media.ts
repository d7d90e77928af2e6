import type { Schema } from './schema.ts'

/** A picture is shown, a document is downloaded. */
export type MediaKind = Schema<'Medium'>['kind']

/** A file of a picture, as it is kept. */
export interface StoredImage {
  readonly file: string
  readonly width: number
  readonly height: number
}

/** Where a file is. What it leads to never changes: what is uploaded anew has another id. */
export const mediaUrl = (baseUrl: string, id: string, file: string): string => `${baseUrl}/media/${id}/${file}`

/** What may be uploaded. */
export type UploadType = 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf'

const latin1 = (bytes: Uint8Array, from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1')

/** The first bytes of each type, and where they stand (WHATWG MIME Sniffing, 6.1; ISO 32000-2, 7.5.2). */
const BEGINNINGS: readonly { readonly type: UploadType; readonly at: number; readonly bytes: string }[] = [
  { type: 'image/jpeg', at: 0, bytes: '\xff\xd8\xff' },
  { type: 'image/png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/webp', at: 8, bytes: 'WEBPVP' },
  { type: 'application/pdf', at: 0, bytes: '%PDF-' },
]
const MAX_BEGINNING_BYTES = 16
/** Where readers look for the end of a PDF. */
const PDF_END_BYTES = 1024

/** What a file is by its first bytes, whatever it is called; undefined for what is not taken. */
export function typeOf(file: Uint8Array): UploadType | undefined {
  const beginning = latin1(file, 0, MAX_BEGINNING_BYTES)
  const type = BEGINNINGS.find(({ at, bytes }) => beginning.startsWith(bytes, at))?.type
  if (type === 'image/webp' && !beginning.startsWith('RIFF')) return undefined
  return type
}

/** Whether a PDF is there to its end. What it holds is not looked into: it is only ever downloaded. */
export const isWholePdf = (file: Uint8Array): boolean => latin1(file, -PDF_END_BYTES, file.length).includes('%%EOF')
