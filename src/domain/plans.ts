import { dictionary } from './record.ts'

/** What a plan includes (specification 8 and the decisions on plans). */
interface Plan {
  /** Requests per key and minute; null is unlimited, 0 is no API access. */
  readonly requestsPerMinute: number | null
  /** Published passports; null is unlimited. */
  readonly passportLimit: number | null
  /** Bytes of metadata, their history, enrichment, seals, master data, grants, and units with their events; null is unlimited. */
  readonly storageLimit: number | null
  /** Passports, drafts and archived ones included, operators, facilities, grants and units together; null is unlimited. */
  readonly rowLimit: number | null
}

const MIB = 1024 * 1024
const SMALL = { requestsPerMinute: 0, passportLimit: 25, storageLimit: 256 * MIB, rowLimit: 10_000 }

export const PLANS = dictionary<Plan>({
  pilot: SMALL,
  micro: SMALL,
  starter: SMALL,
  growth: { requestsPerMinute: 120, passportLimit: 250, storageLimit: 1024 * MIB, rowLimit: 50_000 },
  scale: { requestsPerMinute: 600, passportLimit: 2500, storageLimit: 8192 * MIB, rowLimit: 200_000 },
  enterprise: { requestsPerMinute: null, passportLimit: null, storageLimit: null, rowLimit: null },
})

/** Where a workspace changes its plan. */
export const upgradeUrl = (baseUrl: string) => `${baseUrl}/console/billing`
