import type { Cradle } from '../cradle.ts'
import { createPassport } from './create-passport.ts'
import { admit, ingestPassports, validateAll } from './ingest-passports.ts'
import { upsertPassport } from './upsert-passport.ts'

declare module '../cradle.ts' {
  interface Cradle {
    passportIntake: ReturnType<typeof passportIntake>
  }
}

/** Specification 4.1. */
export default function passportIntake(cradle: Cradle) {
  return {
    create: createPassport.bind(null, cradle),
    ingest: ingestPassports.bind(null, cradle),
    validateAll: validateAll.bind(null, cradle),
    admit: admit.bind(null, cradle),
    upsert: upsertPassport.bind(null, cradle),
  }
}
