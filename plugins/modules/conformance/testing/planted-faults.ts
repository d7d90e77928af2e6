import type { PlantedFault } from './fault.ts'
import { ACCESS_FAULTS, DOCUMENT_FAULTS, FORMAT_FAULTS, RESOLVER_FAULTS } from './planted-documents.ts'
import { HTTP_FAULTS, IDENTIFIER_FAULTS, SERVICE_FAULTS } from './planted-service.ts'

/** Each changes one thing of the clean service. */
export const PLANTED: readonly PlantedFault[] = [
  ...HTTP_FAULTS,
  ...IDENTIFIER_FAULTS,
  ...SERVICE_FAULTS,
  ...DOCUMENT_FAULTS,
  ...RESOLVER_FAULTS,
  ...FORMAT_FAULTS,
  ...ACCESS_FAULTS,
]
