import { inverseOf, type Rel } from '../domain/links.ts'
import type { PassportPart } from '../domain/passport-part.ts'
import type { LinkView, PassportParts, RegistrationView } from '../domain/view.ts'
import type { Registration } from '../entities/registrations.ts'
import type { Row } from '../entities/row.ts'
import { iso } from '../storage/statement.ts'

/** Fields are null until the registry responds. */
export interface StoredRegistration
  extends Row<Registration, 'registry' | 'identifier' | 'registeredAt' | 'version' | 'hash'> {
  readonly hasProof: boolean
}

interface StoredLink {
  /** Relation stated by the requesting passport. */
  readonly rel: Rel
  /** True for the target of the request. */
  readonly isAsked: boolean
  /** Null if external, at `url`. */
  readonly otherId: string | null
  readonly url: string | null
  readonly identifier: string
  readonly since: string
}

const links: PassportPart<readonly LinkView[], readonly StoredLink[]> = {
  column: `(
        select json_agg(json_build_object('rel', l.rel, 'isAsked', l.target_id is not distinct from p.id,
          'otherId', case when l.passport_id = p.id then l.target_id else l.passport_id end, 'url', l.target_url,
          'identifier', case when l.passport_id = p.id then l.identifier else l.product_id end,
          'since', ${iso('l.accepted_at')}) order by l.accepted_at, l.id)
        from passport_link l where (l.passport_id = p.id or l.target_id = p.id) and l.status = 'ACCEPTED'
      )`,
  view: (stored, { baseUrl }) =>
    (stored ?? []).map(({ rel, isAsked, otherId, url, identifier, since }) => {
      const target = otherId === null ? (url as string) : `${baseUrl}/passport/${otherId}`
      return { rel: isAsked ? inverseOf(rel) : rel, target, identifier, since }
    }),
}

const registration: PassportPart<RegistrationView | null, StoredRegistration> = {
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

export const PARTS: { readonly [Name in keyof PassportParts]?: PassportPart<PassportParts[Name]> } = {
  links,
  registration,
}
