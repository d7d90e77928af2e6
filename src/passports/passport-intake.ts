import type { Cradle } from '../cradle.ts'
import { createPassport } from './create-passport.ts'
import { admit, ingestPassports, validateAll } from './ingest-passports.ts'
import { upsertPassport } from './upsert-passport.ts'

declare module '../cradle.ts' {
  interface Cradle {
    passportIntake: ReturnType<typeof passportIntake>
  }
}

/** A use case without its first argument, the services. */
type Bound<UseCase> = UseCase extends (cradle: Cradle, ...input: infer Input) => infer Result
  ? (...input: Input) => Result
  : never

interface PassportIntake {
  readonly create: ReturnType<typeof createPassport>
  readonly ingest: Bound<typeof ingestPassports>
  readonly validateAll: Bound<typeof validateAll>
  readonly admit: Bound<typeof admit>
  readonly upsert: Bound<typeof upsertPassport>
}

/** Specification 4.1. */
export default function passportIntake(cradle: Cradle): PassportIntake {
  return {
    create: createPassport(cradle),
    ingest: ingestPassports.bind(null, cradle),
    validateAll: validateAll.bind(null, cradle),
    admit: admit.bind(null, cradle),
    upsert: upsertPassport.bind(null, cradle),
  }
}
