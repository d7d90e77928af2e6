export type UploadType = 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf'

const latin1 = (bytes: Uint8Array, from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1')

/** WHATWG MIME Sniffing, 6.1; ISO 32000-2, 7.5.2. */
const BEGINNINGS: readonly { readonly type: UploadType; readonly at: number; readonly bytes: string }[] = [
  { type: 'image/jpeg', at: 0, bytes: '\xff\xd8\xff' },
  { type: 'image/png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/webp', at: 8, bytes: 'WEBPVP' },
  { type: 'application/pdf', at: 0, bytes: '%PDF-' },
]
const MAX_BEGINNING_BYTES = 16
const PDF_END_BYTES = 1024

export function typeOf(file: Uint8Array): UploadType | undefined {
  const beginning = latin1(file, 0, MAX_BEGINNING_BYTES)
  const type = BEGINNINGS.find(({ at, bytes }) => beginning.startsWith(bytes, at))?.type
  if (type === 'image/webp' && !beginning.startsWith('RIFF')) return undefined
  return type
}

/** True if not truncated. Content is not validated: PDFs are only downloaded. */
export const isWholePdf = (file: Uint8Array): boolean => latin1(file, -PDF_END_BYTES, file.length).includes('%%EOF')
