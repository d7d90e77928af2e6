import { dictionary } from './record.ts'

/** What a plan includes (specification 8 and the decisions on plans). */
export interface Plan {
  /** Requests per key and minute; null is unlimited, 0 is no API access. */
  readonly requestsPerMinute: number | null
  /** Published passports; null is unlimited. */
  readonly passportLimit: number | null
}

export const PLANS = dictionary<Plan>({
  pilot: { requestsPerMinute: 0, passportLimit: 25 },
  micro: { requestsPerMinute: 0, passportLimit: 25 },
  starter: { requestsPerMinute: 0, passportLimit: 25 },
  growth: { requestsPerMinute: 120, passportLimit: 250 },
  scale: { requestsPerMinute: 600, passportLimit: 2500 },
  enterprise: { requestsPerMinute: null, passportLimit: null },
})

/** Where a workspace changes its plan. */
export const upgradeUrl = (baseUrl: string) => `${baseUrl}/console/billing`
