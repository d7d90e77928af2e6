import { iso, type Session, type Statement } from '../../../src/plugin/module.ts'

export interface AuditSubject {
  readonly id: string
  /** Folder of its page. */
  readonly page: 'passports' | 'operators' | 'facilities' | 'access' | 'units' | 'webhooks' | 'people' | 'keys'
  readonly name: string
}

const SUBJECTS: Statement = {
  name: 'console-audit-subjects',
  text: `with own as (select array(select id::uuid from unnest($1::text[]) as given(id) where id ~ '^[0-9a-f-]{36}$') as ids)
    select passport_id::text as id, 'passports' as page, title as name from console_passport, own where passport_id = any(own.ids)
    union all select id::text, 'operators', name from operator, own where id = any(own.ids)
    union all select id::text, 'facilities', name from facility, own where id = any(own.ids)
    union all select id::text, 'access', grantee_name from access_grant, own where id = any(own.ids)
    union all select id::text, 'units', serial_number from battery_unit, own where id = any(own.ids)
    union all select id::text, 'webhooks', url from webhook_subscription, own where id = any(own.ids)
    union all select id::text, 'people', name from console_person, own where id = any(own.ids)
    union all select id, 'keys', coalesce(name, id) from api_key where id = any($1::text[])`,
}

/** Names of subjects and actors that still exist, by id. */
export async function auditSubjects(
  session: Session,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AuditSubject>> {
  const rows = await session.run<AuditSubject>(SUBJECTS, [ids])
  return new Map(rows.map((row) => [row.id, row]))
}

interface PassportChange {
  readonly kind: 'created' | 'changed' | 'sealed'
  readonly passportId: string
  readonly title: string
  readonly productId: string
  readonly version: number
  /** Null if the passport does not record it. */
  readonly by: string | null
  readonly reason: string | null
  readonly at: string
}

/** The newest n changes are among the n newest of the n passports that changed last. */
const CHANGES: Statement = {
  name: 'console-passport-changes',
  text: `with recent as materialized (
      select next.* from unnest(array(select b.operator_id from operator_binding b
        where b.tenant_id = app_tenant() and ($1::uuid is null or b.operator_id = $1))) as own(id)
      cross join lateral (select c.passport_id, c.title, c.product_id, c.version, c.created_at, c.updated_at
        from console_passport c where c.operator_id = own.id
        order by c.updated_at desc, c.passport_id limit $2::int + $3::int) as next
    )
    select e.kind, r.passport_id as "passportId", r.title, r.product_id as "productId", e.version, e.by, e.reason, ${iso('e.at')} as at
    from (select * from recent order by updated_at desc limit $2::int + $3::int) r cross join lateral (
      (select 'changed' as kind, h.version + 1 as version, h.changed_by as by, h.change_reason as reason, h.created_at as at
        from passport_history h where h.passport_id = r.passport_id order by h.version desc limit $2::int + $3::int)
      union all select 'sealed', s.passport_version, null, null, s.created_at from seal s where s.passport_id = r.passport_id
      union all select 'created', 1, null, null, r.created_at
    ) e
    order by e.at desc, e.version desc limit $2 offset $3`,
}

/** Changes of passports from their history, newest first. @param operatorId null for all */
export const passportChanges = (
  session: Session,
  operatorId: string | null,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<PassportChange[]> => session.run(CHANGES, [operatorId, limit, offset])
