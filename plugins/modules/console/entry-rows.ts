import { iso, type Session, type Statement } from '../../../src/plugin/module.ts'
import type { FormValues } from './editor/form-values.ts'

export interface EntryName {
  readonly personId: string
  readonly passportId: string
  readonly section: string
}

export interface SectionEntry {
  readonly section: string
  readonly values: FormValues
  readonly at: string
}

const PUT: Statement = {
  name: 'console-put-entry',
  text: `insert into console_entry (person_id, passport_id, section, tenant_id, version, entered)
    values ($1, $2, $3, app_tenant(), $4, $5)
    on conflict (person_id, passport_id, section) do update set version = excluded.version, entered = excluded.entered, created_at = now()`,
}

/** Keeps what a person typed and did not save. */
export const putEntry = (session: Session, name: EntryName, version: number, values: FormValues): Promise<unknown> =>
  session.run(PUT, [name.personId, name.passportId, name.section, version, JSON.stringify(values)])

const LIST: Statement = {
  name: 'console-list-entries',
  text: `select section, entered as values, ${iso('created_at')} as at from console_entry
    where person_id = $1 and passport_id = $2 and tenant_id = app_tenant()`,
}

/** Entries of a person in the sections of a passport. */
export const listEntries = (session: Session, personId: string, passportId: string): Promise<SectionEntry[]> =>
  session.run<SectionEntry>(LIST, [personId, passportId])

const DROP: Statement = {
  name: 'console-drop-entry',
  text: `delete from console_entry where person_id = $1 and passport_id = $2 and section = $3 and tenant_id = app_tenant()
    and ($4::timestamptz is null or created_at = $4)`,
}

/** @param at deletes no later entry */
export const dropEntry = (session: Session, name: EntryName, at: string | null = null): Promise<unknown> =>
  session.run(DROP, [name.personId, name.passportId, name.section, at])
