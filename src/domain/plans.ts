import { dictionary } from './record.ts'

/** Plan limits (specification 8 and the decisions on plans); null is unlimited. */
interface Plan {
  /** Requests per API key; 0 disables the API. */
  readonly requestsPerMinute: number | null
  readonly passportLimit: number | null
  /** Bytes of metadata and its history, enrichment, seals, master data, grants, and units with events. */
  readonly storageLimit: number | null
  /** Passports including drafts and archived ones, operators, facilities, grants and units. */
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

export const upgradeUrl = (baseUrl: string) => `${baseUrl}/console/billing`
