import { defineEntity, type InferEntity } from '@mikro-orm/core'

/** No claimed prefix starts with another. */
export const CompanyPrefix = defineEntity({
  name: 'CompanyPrefix',
  tableName: 'company_prefix',
  properties: (p) => ({
    prefix: p.text().primary(),
    tenantId: p.uuid(),
    claimedAt: p.string().columnType('timestamptz(3)'),
  }),
})
export type CompanyPrefix = InferEntity<typeof CompanyPrefix>
