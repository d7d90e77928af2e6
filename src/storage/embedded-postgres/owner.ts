import { createHmac } from 'node:crypto'
import pg from 'pg'
import { HOST } from './cluster.ts'
import type { Place } from './place.ts'
import type { Presence } from './presence.ts'

const OWNER = 'dpp_owner'

export async function ensureOwner(place: Place, presence: Presence): Promise<void> {
  const [role] = await presence.query('select from pg_roles where rolname = $1', [OWNER])
  // Superuser or BYPASSRLS would disable row-level security; migrations need CREATEROLE.
  if (role === undefined) {
    await presence.query(`create role ${OWNER} login createrole password '${ownerPassword(place)}'`)
  }
}

export async function ensureDatabase(database: string, presence: Presence): Promise<void> {
  const [existing] = await presence.query('select from pg_database where datname = $1', [database])
  if (existing === undefined) {
    // template0 accepts no connections that could block the copy.
    await presence.query(`create database ${pg.escapeIdentifier(database)} owner ${OWNER} template template0`)
  }
}

export const ownerUrl = (place: Place, port: number, database: string): string =>
  `postgres://${OWNER}:${ownerPassword(place)}@${HOST}:${port}/${encodeURIComponent(database)}`

/** Derived, so that only one secret is stored. */
const ownerPassword = ({ password }: Place): string => createHmac('sha256', password).update(OWNER).digest('base64url')
