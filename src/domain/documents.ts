import type { Schema } from './schema.ts'

export type DocumentType = Schema<'DocumentType'>

export const DOCUMENT_KEYS = ['documents', 'restrictedDocuments', 'complianceDocuments'] as const
