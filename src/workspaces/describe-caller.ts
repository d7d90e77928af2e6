import type { Principal } from '../domain/principal.ts'
import { countPublished } from '../passports/published.ts'
import type { Database } from '../storage/database.ts'
import { passportLimitOf } from './quota.ts'

/** Returns the caller's identity (specification 4.5). */
export async function describeCaller(database: Database, principal: Principal) {
  const { workspace } = principal
  return {
    tenant: {
      id: workspace.id,
      name: workspace.name,
      subdomain: workspace.subdomain,
      tier: workspace.plan,
      subscriptionStatus: workspace.subscription,
    },
    auth: {
      role: principal.role,
      permissions: [...principal.permissions],
      isApiKeySession: principal.kind === 'key',
      operatorId: principal.operatorId,
    },
    usage: {
      activePassports: await countPublished(database.batchedFor(principal.tenantId)),
      passportLimit: passportLimitOf(principal),
    },
  }
}
