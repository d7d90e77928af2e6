import { dictionary } from './record.ts'

/**
 * CRLReason (RFC 5280 §5.3.1), those that a key of a workspace can have, by name. It stands apart from the lists themselves,
 * because the help of a command names them and is printed without a library of certificates.
 */
export const REVOCATION_REASONS = dictionary<number>({
  unspecified: 0,
  keyCompromise: 1,
  affiliationChanged: 3,
  superseded: 4,
  cessationOfOperation: 5,
  privilegeWithdrawn: 9,
})
