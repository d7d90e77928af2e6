import { AccessAudit, AuditEntry, AuditHead, AuditInbox, ResolutionCount } from '../audit/entities.ts'
import { SignedStatusList, StatusChange, StatusEntry } from '../credentials/entities.ts'
import { Facility, FacilityVersion } from '../facilities/entities.ts'
import { AccessGrant, GrantCount } from '../grants/entities.ts'
import { Operator, OperatorBinding, OperatorVersion } from '../operators/entities.ts'
import {
  DeletedPassport,
  Passport,
  PassportCount,
  PassportFacility,
  PassportHistory,
  Rendition,
  Seal,
  SealedVersion,
} from '../passports/entities.ts'
import { SealRevocation, TenantKey } from '../seals/entities.ts'
import { BatteryUnit, BatteryUnitCount, BatteryUnitEvent, UnitRendition } from '../units/entities.ts'
import { WebhookDelivery, WebhookEvent, WebhookListener, WebhookSubscription } from '../webhooks/entities.ts'
import {
  ApiKey,
  CompanyPrefix,
  IdempotencyKey,
  NodeKey,
  Plan,
  Workspace,
  WorkspaceUsage,
} from '../workspaces/entities.ts'

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
