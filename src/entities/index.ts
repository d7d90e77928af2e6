import { AccessAudit, AuditEntry, AuditHead, AuditInbox, ResolutionCount } from './audit.ts'
import { SignedStatusList, StatusChange, StatusEntry } from './credentials.ts'
import { AccessGrant, GrantCount } from './grants.ts'
import { SealRevocation, TenantKey } from './keys.ts'
import { Facility, FacilityVersion, Operator, OperatorBinding, OperatorVersion } from './master-data.ts'
import {
  DeletedPassport,
  Passport,
  PassportCount,
  PassportFacility,
  PassportHistory,
  Rendition,
  Seal,
  SealedVersion,
} from './passports.ts'
import { CompanyPrefix } from './prefixes.ts'
import { BatteryUnit, BatteryUnitCount, BatteryUnitEvent, UnitRendition } from './units.ts'
import { WebhookDelivery, WebhookEvent, WebhookListener, WebhookSubscription } from './webhooks.ts'
import { ApiKey, IdempotencyKey, NodeKey, Plan, Workspace, WorkspaceUsage } from './workspace.ts'

/** Statements read timestamps as ISO 8601 text, the EntityManager as Date. */
export const ENTITIES = [
  AuditEntry,
  AuditHead,
  AuditInbox,
  AccessAudit,
  ResolutionCount,
  StatusEntry,
  StatusChange,
  SignedStatusList,
  AccessGrant,
  GrantCount,
  TenantKey,
  SealRevocation,
  Facility,
  Operator,
  OperatorBinding,
  OperatorVersion,
  FacilityVersion,
  Seal,
  Passport,
  PassportHistory,
  PassportFacility,
  DeletedPassport,
  PassportCount,
  Rendition,
  SealedVersion,
  CompanyPrefix,
  BatteryUnit,
  BatteryUnitEvent,
  BatteryUnitCount,
  UnitRendition,
  WebhookSubscription,
  WebhookListener,
  WebhookEvent,
  WebhookDelivery,
  ApiKey,
  Workspace,
  NodeKey,
  Plan,
  IdempotencyKey,
  WorkspaceUsage,
]
