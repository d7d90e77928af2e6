import type { Cradle } from '../cradle.ts'
import { passportDocument } from '../domain/passport-document.ts'
import type { Schema } from '../domain/schema.ts'
import type { PassportEvent } from '../domain/webhooks.ts'
import type { WireRendition } from '../renditions/rendition.ts'
import type { Transaction } from '../storage/transaction.ts'
import type { PassportRow } from './passport-columns.ts'

type Services = Pick<
  Cradle,
  'renditions' | 'renditionStore' | 'moduleHooks' | 'outbox' | 'passportLocks' | 'passportViews'
>

/** Public document, which writes return even to the owner (trap 17). */
export type PublicDocument = Schema<'Passport'>

export interface Changed {
  readonly row: PassportRow
  readonly document: PublicDocument
}

export const isPublished = ({ status }: PassportRow) => status !== 'DRAFT'

/** Renders and announces a changed passport. */
export async function publishState(
  services: Services,
  tx: Transaction,
  row: PassportRow,
  events: readonly PassportEvent[],
): Promise<Changed> {
  const document = await renderState(services, tx, row)
  await services.moduleHooks.changed(tx, { subject: 'passport', kind: 'changed', ids: [row.id], parts: row.parts })
  await announce(services, tx, [row], events)
  services.passportLocks.evict(tx, [row])
  return { row, document }
}

/** Renders and stores the default format, if the passport is published. */
export async function renderState(
  services: Pick<Services, 'renditions' | 'renditionStore' | 'passportViews'>,
  tx: Transaction,
  row: PassportRow,
): Promise<PublicDocument> {
  const rendition = isPublished(row) ? await services.renditions.renderDefault(row) : undefined
  if (rendition !== undefined) services.renditionStore.insertDefault(tx, row, rendition)
  if (row.version > 1) services.renditionStore.deleteEarlier(tx, row, rendition)
  return documentOf(services, row, rendition)
}

export async function announce(
  { outbox }: Pick<Services, 'outbox'>,
  tx: Transaction,
  rows: readonly PassportRow[],
  events: readonly PassportEvent[],
): Promise<void> {
  const named = Map.groupBy(rows, (row) => row.tenantId)
  for (const event of events) {
    for (const [tenantId, passports] of named) {
      await outbox.publish(tx, { event, tenantId, passports: passports.map(({ id, version }) => ({ id, version })) })
    }
  }
}

function documentOf(
  { passportViews }: Pick<Services, 'passportViews'>,
  row: PassportRow,
  rendition: WireRendition | undefined,
): PublicDocument {
  if (rendition !== undefined) return JSON.parse(rendition.body.toString())
  return passportDocument(passportViews.view(row, 'public')) as PublicDocument
}
