import {
  type BatchView,
  type PassportStatus,
  type PassportView,
  type UnitStatus,
  type UnitView,
  uniqueProductIdentifier,
} from '../../../../src/plugin/index.ts'
import { facilityIdOf, operatorIdOf } from '../identifiers.ts'

type Granularity = 'model' | 'batch' | 'item'

/** Header (EN 18223, 4.1.2.1, Table 1); equal in both forms. */
export interface Header {
  readonly digitalProductPassportId: string
  readonly uniqueProductIdentifier: string
  readonly granularity: Granularity
  readonly dppSchemaVersion: typeof SCHEMA_VERSION
  readonly dppStatus: string
  readonly lastUpdated: string
  readonly economicOperatorId: string
  readonly facilityId?: string
  readonly contentSpecificationIds?: readonly string[]
}

const SCHEMA_VERSION = 'EN 18223:2026'

/** The standard leaves the values open; examples are active, inactive, archived and invalid. */
const STATUS: Readonly<Record<PassportStatus, string>> = {
  DRAFT: 'draft',
  ACTIVE: 'active',
  RECALLED: 'invalid',
  DECOMMISSIONED: 'inactive',
}

const UNIT_STATUS: Readonly<Record<UnitStatus, string>> = {
  IN_SERVICE: STATUS.ACTIVE,
  DECOMMISSIONED: STATUS.DECOMMISSIONED,
  RECALLED: STATUS.RECALLED,
  REPURPOSED: STATUS.ACTIVE,
  REMANUFACTURED: STATUS.ACTIVE,
  REUSED: STATUS.ACTIVE,
  WASTE: STATUS.DECOMMISSIONED,
  RECYCLED: STATUS.DECOMMISSIONED,
}

export const passportHeader = (view: PassportView): Header =>
  headerOf(view, {
    id: `${view.baseUrl}/passport/${view.id}`,
    product: uniqueProductIdentifier(view.productId, view.digitalLinkUri),
    granularity: levelOf(view),
    status: STATUS[view.status],
    updatedAt: view.updatedAt,
  })

/** Shows what changed last: the unit, or its product. */
export const unitHeader = (unit: UnitView): Header =>
  headerOf(unit.ofModel, {
    id: `${unit.baseUrl}/unit/${unit.id}`,
    product: unit.digitalLinkUri,
    granularity: 'item',
    status: unit.ofModel.status === 'ACTIVE' ? UNIT_STATUS[unit.status] : STATUS[unit.ofModel.status],
    updatedAt: later(unit.updatedAt, unit.ofModel.updatedAt),
  })

export const batchHeader = (batch: BatchView): Header =>
  headerOf(batch.ofModel, {
    id: `${batch.baseUrl}/batch/${batch.id}`,
    product: batch.digitalLinkUri,
    granularity: 'batch',
    status: STATUS[batch.ofModel.status],
    updatedAt: later(batch.createdAt, batch.ofModel.updatedAt),
  })

interface Subject {
  readonly id: string
  readonly product: string
  readonly granularity: Granularity
  readonly status: string
  readonly updatedAt: string
}

function headerOf(
  { archivedAt, operator, facility, metadata, regIdScheme, baseUrl }: PassportView,
  { id, product, granularity, status, updatedAt }: Subject,
): Header {
  const { category } = metadata
  return {
    digitalProductPassportId: id,
    uniqueProductIdentifier: product,
    granularity,
    dppSchemaVersion: SCHEMA_VERSION,
    dppStatus: archivedAt === null ? status : 'archived',
    lastUpdated: updatedAt,
    economicOperatorId: operatorIdOf(operator.regId, regIdScheme),
    ...(facility === null ? {} : { facilityId: facilityIdOf(facility.gln) }),
    ...(typeof category === 'string'
      ? { contentSpecificationIds: [`${baseUrl}/api/v1/schemas/${encodeURIComponent(category)}`] }
      : {}),
  }
}

const LEVELS = ['model', 'batch', 'item'] as const

const levelOf = ({ metadata: { granularity } }: PassportView): Granularity =>
  LEVELS.find((level) => level === granularity) ?? 'model'

const later = (one: string, other: string) => (one > other ? one : other)
