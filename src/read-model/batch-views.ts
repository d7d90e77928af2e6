import type { Cradle } from '../cradle.ts'
import type { Reader } from '../domain/audience.ts'
import { audienceOf } from '../domain/audience.ts'
import type { BatchView } from '../domain/batch.ts'
import { batchLinkUri, isGtin14 } from '../domain/identifiers.ts'
import type { Json } from '../domain/metadata.ts'
import type { PassportRow } from '../storage/passport-columns.ts'
import type { BatchRow } from '../storage/product-batches.ts'

declare module '../cradle.ts' {
  interface Cradle {
    batchViews: ReturnType<typeof batchViews>
  }
}

export default function batchViews({ config, passportViews }: Pick<Cradle, 'config' | 'passportViews'>) {
  const { baseUrl } = config

  return { link, view }

  /** GS1 has batches only for GTINs. */
  function link(productId: string, { id, batchNumber }: Pick<BatchRow, 'id' | 'batchNumber'>): string {
    return isGtin14(productId)
      ? batchLinkUri(passportViews.digitalLink(productId), batchNumber)
      : `${baseUrl}/batch/${id}`
  }

  function view(batch: BatchRow, passport: PassportRow, reader: Reader): BatchView {
    const { category = null } = passport.metadata
    const { metadata, ...masks } = passportViews.shown({ metadata: { ...batch.metadata, category } }, reader)
    const { category: _, ...differing }: Record<string, Json> = metadata
    return {
      baseUrl,
      id: batch.id,
      audience: audienceOf(reader),
      batchNumber: batch.batchNumber,
      digitalLinkUri: link(passport.productId, batch),
      manufacturedAt: batch.manufacturedAt,
      createdAt: batch.createdAt,
      metadata: differing,
      ...masks,
      ofModel: passportViews.view(passport, reader),
    }
  }
}
