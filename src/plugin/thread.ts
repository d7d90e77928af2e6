/** Published entry `dpp-gateway/plugin/thread`; loads fast. */

export { drawAddress, openPdf, PDF_FONTS, type PdfDocument } from '../carriers/pdf-document.ts'
export { beginningOf } from '../domain/text.ts'
export { serveThread } from './work-thread.ts'
