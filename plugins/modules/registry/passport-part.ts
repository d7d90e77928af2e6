import type { PassportPart, RegistrationView } from '../../../src/plugin/index.ts'
import { iso, type Row } from '../../../src/plugin/module.ts'
import type { Registration } from './entities.ts'

/** Fields are null until the registry responds. */
export interface StoredRegistration
  extends Row<Registration, 'registry' | 'identifier' | 'registeredAt' | 'version' | 'hash'> {
  readonly hasProof: boolean
}

/** Null if neither the passport nor a unit of it is registered. */
export const registration: PassportPart<RegistrationView | null, StoredRegistration> = {
  column: `(
        select json_build_object('registry', r.registry, 'identifier', r.identifier, 'registeredAt', ${iso('r.registered_at')},
          'version', r.version, 'hash', r.hash, 'hasProof', r.proof_type is not null)
        from (select 1 from registration a where a.passport_id = p.id limit 1) as asked
          left join registration r on r.subject_id = p.id
      )`,
  view(stored, { baseUrl, passportId }) {
    if (stored === null || stored.identifier === null) return null
    const { hasProof, ...given } = stored
    return {
      ...(given as RegistrationView),
      ...(hasProof ? { proof: `${baseUrl}/passport/${passportId}/registration-proof` } : {}),
    }
  },
}
