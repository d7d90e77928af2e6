import { dictionary } from './record.ts'

/** CRLReason of workspace keys (RFC 5280 §5.3.1). Separate file, so that help loads no certificate library. */
export const REVOCATION_REASONS = dictionary<number>({
  unspecified: 0,
  keyCompromise: 1,
  affiliationChanged: 3,
  superseded: 4,
  cessationOfOperation: 5,
  privilegeWithdrawn: 9,
})
