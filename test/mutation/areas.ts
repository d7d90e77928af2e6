/** A mutated part of the product, and its tests. */
export interface Area {
  /** Files relative to the root. */
  readonly mutate: readonly string[]
  /** Files and patterns relative to the root. */
  readonly tests: readonly string[]
}

/** Areas in which a wrong line is most harmful and least visible. */
export const AREAS: Readonly<Record<string, Area>> = {
  redaction: {
    mutate: ['src/domain/redaction.ts', 'src/domain/audience.ts'],
    tests: ['test/unit/domain/redaction.test.ts', 'test/unit/domain/audience.test.ts'],
  },
  seal: {
    mutate: ['src/domain/merkle.ts', 'src/domain/seal.ts'],
    tests: ['test/unit/domain/merkle.test.ts', 'test/unit/domain/seal.test.ts'],
  },
  verification: {
    mutate: [
      'src/verify/certificate.ts',
      'src/verify/outcome.ts',
      'src/verify/revocation.ts',
      'src/verify/seal.ts',
      'src/verify/seal-form.ts',
    ],
    tests: ['test/unit/verify/**/*.test.ts'],
  },
  browser: {
    mutate: ['plugins/modules/verifier/browser/seal.js'],
    tests: ['test/unit/browser/*.test.ts'],
  },
  auth: {
    mutate: ['src/http/security.ts', 'src/http/security-rules.ts', 'src/workspaces/identity.ts'],
    tests: ['test/contract/{pipeline,sessions}.test.ts', 'test/unit/http/security-rules.test.ts'],
  },
  storage: {
    mutate: [
      'src/storage/database-errors.ts',
      'src/storage/secret-box.ts',
      'src/storage/statement.ts',
      'src/domain/keyed-semaphore.ts',
    ],
    tests: [
      'test/unit/storage/{call-queue,database-errors,secret-box}.test.ts',
      'test/unit/domain/keyed-semaphore.test.ts',
    ],
  },
}
