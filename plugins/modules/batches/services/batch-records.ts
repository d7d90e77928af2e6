import type { BatchReference, BatchView, Json } from '../../../../src/plugin/index.ts'
import {
  audienceOf,
  encodeSegment,
  isGtin14,
  type LevelRecords,
  type ModuleCradle,
  type PassportRow,
  type Reader,
  type Session,
} from '../../../../src/plugin/module.ts'
import { type BatchRow, loadBatch, loadBatchOfUnit } from '../batch-rows.ts'

export type BatchRecords = ReturnType<typeof batchRecords>

export default function batchRecords({ config, passportViews }: Pick<ModuleCradle, 'config' | 'passportViews'>) {
  const { baseUrl } = config
  const records: LevelRecords<'batch'> = { load, ofUnit }

  return { ...records, link, view }

  /** GS1 has batches only for GTINs (AI 10). */
  function link(productId: string, { id, batchNumber }: Pick<BatchRow, 'id' | 'batchNumber'>): string {
    return isGtin14(productId)
      ? `${passportViews.digitalLink(productId)}/10/${encodeSegment(batchNumber)}`
      : `${baseUrl}/batch/${id}`
  }

  async function load(session: Session, id: string) {
    const batch = await loadBatch(session, id)
    return batch && ((passport: PassportRow, reader: Reader) => view(batch, passport, reader))
  }

  async function ofUnit(session: Session, unitId: string): Promise<BatchReference | undefined> {
    const batch = await loadBatchOfUnit(session, unitId)
    if (batch === undefined) return undefined
    const { id: batchId, batchNumber, productId } = batch
    return { batchId, batchNumber, digitalLinkUri: link(productId, batch) }
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
