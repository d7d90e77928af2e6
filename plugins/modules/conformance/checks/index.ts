import type { Check } from '../check.ts'
import { AAS_CHECKS } from './aas.ts'
import { ACCESS_CHECKS } from './access.ts'
import { CACHING_CHECKS } from './caching.ts'
import { CREDENTIAL_CHECKS, DATA_INTEGRITY_CHECKS, SD_JWT_CHECKS } from './credentials.ts'
import { EN18216_CHECKS } from './en18216.ts'
import { EN18219_CHECKS } from './en18219.ts'
import { EN18222_CHECKS } from './en18222.ts'
import { ELEMENT_CHECKS } from './en18222-elements.ts'
import { ERROR_CHECKS } from './en18222-errors.ts'
import { SEARCH_CHECKS } from './en18222-search.ts'
import { VERSION_CHECKS } from './en18222-versions.ts'
import { WRITE_CHECKS } from './en18222-writes.ts'
import { EN18223_CHECKS } from './en18223.ts'
import { GS1_CHECKS } from './gs1.ts'
import { HTTP_CHECKS } from './http.ts'
import { SEAL_CHECKS } from './seals.ts'

/** All checks, in the order in which they run: reads first, writes last. */
export const CHECKS: readonly Check[] = [
  ...HTTP_CHECKS,
  ...CACHING_CHECKS,
  ...EN18216_CHECKS,
  ...EN18219_CHECKS,
  ...EN18222_CHECKS,
  ...SEARCH_CHECKS,
  ...ELEMENT_CHECKS,
  ...VERSION_CHECKS,
  ...ERROR_CHECKS,
  ...EN18223_CHECKS,
  ...GS1_CHECKS,
  ...AAS_CHECKS,
  ...CREDENTIAL_CHECKS,
  ...DATA_INTEGRITY_CHECKS,
  ...SD_JWT_CHECKS,
  ...SEAL_CHECKS,
  ...ACCESS_CHECKS,
  ...WRITE_CHECKS,
]
