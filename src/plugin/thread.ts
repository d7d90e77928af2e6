/** The published entry `dpp-gateway/plugin/thread`: the few things that a thread of a plugin needs, which load fast. */

export { drawAddress, openPdf, PDF_FONTS, type PdfDocument } from '../carriers/pdf-document.ts'
export { beginningOf } from '../domain/text.ts'
export { serveThread } from './work-thread.ts'
