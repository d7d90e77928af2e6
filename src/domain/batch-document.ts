import type { BatchView } from './batch.ts'
import { passportDocument } from './passport-document.ts'
import { contextOf } from './unit-document.ts'

const TERMS = ['ProductBatch', 'uniqueProductIdentifier', 'batchNumber', 'ofModel', 'metadata'] as const

export const batchDocument = (view: BatchView) =>
  ({
    '@context': contextOf(view, TERMS),
    '@type': 'ProductBatch',
    '@id': view.digitalLinkUri,
    id: view.id,
    granularity: 'batch',
    batchNumber: view.batchNumber,
    digitalLinkUri: view.digitalLinkUri,
    uniqueProductIdentifier: view.digitalLinkUri,
    manufacturedAt: view.manufacturedAt,
    createdAt: view.createdAt,
    metadata: view.metadata,
    ofModel: passportDocument(view.ofModel),
  }) as const
