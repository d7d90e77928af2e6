import type { LinkView, PassportPart } from '../../../src/plugin/index.ts'
import { iso } from '../../../src/plugin/module.ts'
import { inverseOf, type Rel } from './rel.ts'

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

/** Accepted links, oldest first. */
export const passportPart: PassportPart<readonly LinkView[]> = {
  column: `(
        select json_agg(json_build_object('rel', l.rel, 'isAsked', l.target_id is not distinct from p.id,
          'otherId', case when l.passport_id = p.id then l.target_id else l.passport_id end, 'url', l.target_url,
          'identifier', case when l.passport_id = p.id then l.identifier else l.product_id end,
          'since', ${iso('l.accepted_at')}) order by l.accepted_at, l.id)
        from passport_link l where (l.passport_id = p.id or l.target_id = p.id) and l.status = 'ACCEPTED'
      )`,
  view: (stored: readonly StoredLink[] | null, { baseUrl }) =>
    (stored ?? []).map(({ rel, isAsked, otherId, url, identifier, since }) => {
      const target = otherId === null ? (url as string) : `${baseUrl}/passport/${otherId}`
      return { rel: isAsked ? inverseOf(rel) : rel, target, identifier, since }
    }),
}
