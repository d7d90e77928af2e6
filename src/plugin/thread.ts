/** Published entry `dpp-gateway/plugin/thread`; loads fast. */

export { MAX_MODULE_MM, type Matrix, modulesAcross } from '../carriers/matrix.ts'
export { drawAddress, drawCode, openPdf, PDF_FONTS, type PdfDocument, POINT } from '../carriers/pdf-document.ts'
export { type Word, wrapWords } from '../carriers/wrap-text.ts'
export { beginningOf } from '../domain/text.ts'
export { serveThread } from './work-thread.ts'
