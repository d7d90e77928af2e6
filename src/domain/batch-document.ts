import type { BatchView } from './batch.ts'
import { passportDocument } from './passport-document.ts'
import type { Schema } from './schema.ts'
import { contextOf } from './unit-document.ts'

const TERMS = ['ProductBatch', 'batchNumber', 'ofModel', 'metadata'] as const

/** The batch as JSON-LD, as the view's audience may see it. What it does not say itself is what its model says. */
export function batchDocument(view: BatchView): Schema<'BatchDocument'> {
  return {
    '@context': contextOf(view, TERMS),
    '@type': 'ProductBatch',
    '@id': view.digitalLinkUri,
    id: view.id,
    granularity: 'batch',
    batchNumber: view.batchNumber,
    digitalLinkUri: view.digitalLinkUri,
    manufacturedAt: view.manufacturedAt,
    createdAt: view.createdAt,
    metadata: view.metadata,
    ofModel: passportDocument(view.ofModel),
  }
}
