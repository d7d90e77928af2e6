import { createHash, createHmac, hkdfSync, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import { ConfigError } from '../start/config.ts'
import { onSomeHost } from './hosts.ts'

/**
 * Database roles. A role is not a member of another or of the owner and owns no gateway table, so that a hijacked statement reaches only
 * what its role may do.
 * - `app`: the work of one workspace, in transactions that set it;
 * - `lookup`: data needed before a workspace is known, and public data;
 * - `signer`: keys of the node and, with the local signer, private keys;
 * - `jobs`: the queues, which it owns.
 */
export const ROLES = ['app', 'lookup', 'signer', 'jobs'] as const
export type Role = (typeof ROLES)[number]

export type RoleUrls = Readonly<Record<Role, string>>

/** Base64 of 32 bytes each. */
export interface MasterKeys {
  readonly masterKey: string
  /** Replaced key, while data may still be encrypted under it. */
  readonly formerKey: string | undefined
}

interface Login {
  readonly name: string
  readonly password: string
}

/** PostgreSQL truncates longer identifiers. */
const MAX_BYTES = 63
const SCRAM_ITERATIONS = 4096 // RFC 7677, section 4
const INSUFFICIENT_PRIVILEGE = '42501'
const WRONG_PASSWORD = '28P01'
const NOT_ADMITTED = '28000' // invalid_authorization_specification

/** Settings of the role, because poolers such as PgBouncer reject start-up options. No request takes half as long. */
const SETTINGS: Readonly<Partial<Record<Role, Readonly<Record<string, string>>>>> = {
  app: { statement_timeout: '30s', idle_in_transaction_session_timeout: '30s' },
  lookup: { statement_timeout: '30s', idle_in_transaction_session_timeout: '30s' },
  signer: { statement_timeout: '10s', idle_in_transaction_session_timeout: '10s' },
}

/** Roles belong to the cluster, so the name contains the database. A long name is truncated and hashed. */
export function roleName(role: Role, database: string): string {
  const name = `dpp_${role}_${database}`
  if (Buffer.byteLength(name) <= MAX_BYTES) return name
  const hash = createHash('sha256').update(database).digest('hex').slice(0, 16)
  let start = ''
  for (const character of name) {
    if (Buffer.byteLength(`${start}${character}_${hash}`) > MAX_BYTES) break
    start += character
  }
  return `${start}_${hash}`
}

/** Replaces `dpp_app`, `dpp_lookup`, `dpp_signer` and `dpp_jobs` in a migration. */
export function withRoleNames(sql: string, database: string): string {
  return sql.replace(/'dpp_(app|lookup|signer|jobs)'|\bdpp_(app|lookup|signer|jobs)\b/g, (_, literal, identifier) =>
    literal === undefined
      ? pg.escapeIdentifier(roleName(identifier, database))
      : pg.escapeLiteral(roleName(literal, database)),
  )
}

const NEXT_PASSWORD = 'next_password'

/** Sets parameters: an address without a host cannot hold a user. */
export function urlAs(url: string, { name, password }: Login, more: Readonly<Record<string, string>> = {}): string {
  const [address = '', query = ''] = url.split(/\?(.*)/s)
  const parameters = new URLSearchParams(query)
  for (const [key, value] of Object.entries({ user: name, password, ...more })) parameters.set(key, value)
  return `${address.replace(/^(\w+:\/\/)[^/]*@/, '$1')}?${parameters}`
}

export function loginsIn(url: string): { readonly now: Login; readonly next: Login | undefined } {
  const parameters = new URLSearchParams(url.slice(url.indexOf('?')))
  const [name, password] = [parameters.get('user') ?? '', parameters.get('password') ?? '']
  const next = parameters.get(NEXT_PASSWORD)
  return { now: { name, password }, next: next === null ? undefined : { name, password: next } }
}

/** RFC 5869 with a separate info string: discloses neither MASTER_KEY nor another password. */
export function rolePassword(masterKey: string, role: Role, database: string): string {
  const info = `dpp-gateway database role ${role} of ${database}`
  return Buffer.from(hkdfSync('sha256', Buffer.from(masterKey, 'base64'), '', info, 32)).toString('base64url')
}

export const loginsOf = (masterKey: string, database: string): Readonly<Record<Role, Login>> =>
  Object.fromEntries(
    ROLES.map((role) => [
      role,
      { name: roleName(role, database), password: rolePassword(masterKey, role, database) } satisfies Login,
    ]),
  ) as Record<Role, Login>

/** Computed here, so that no statement or log contains the password (RFC 5803). */
function scramVerifier(password: string, salt = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256')
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64')
  const serverKey = hmac('Server Key').toString('base64')
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}

/**
 * Creates missing roles. Roles with the passwords of `formerKey` keep them until {@link replacePasswords}, because running processes may
 * know no other. Call from one process at a time, with the owner's connection.
 * @throws ConfigError if the owner lacks privileges or other processes use another MASTER_KEY
 */
export async function ensureRoles(
  owner: pg.Client,
  url: string,
  { masterKey, formerKey }: MasterKeys,
): Promise<RoleUrls> {
  const database = await databaseOf(owner)
  const next = loginsOf(masterKey, database)
  const former = formerKey === undefined ? undefined : loginsOf(formerKey, database)
  const { rows: found } = await owner.query<{ name: string; settings: string[] | null }>(
    'select rolname as name, rolconfig as settings from pg_roles where rolname = any($1)',
    [ROLES.map((role) => next[role].name)],
  )
  const existing = new Map(found.map(({ name, settings }) => [name, settings ?? []]))
  const older = ROLES.find((role) => existing.has(next[role].name))
  let logins = next
  if (older !== undefined && !(await logsIn(url, next[older]))) {
    if (former !== undefined && (await logsIn(url, former[older]))) logins = former
    else {
      await assertUnused(owner, [...existing.keys()])
      for (const role of ROLES) if (existing.has(next[role].name)) await setPassword(owner, 'alter', next[role])
    }
  }
  for (const role of ROLES) if (!existing.has(next[role].name)) await setPassword(owner, 'create', logins[role])
  for (const role of ROLES) await setLimits(owner, next[role].name, SETTINGS[role], existing.get(next[role].name))
  const urlOf = (role: Role) =>
    urlAs(url, logins[role], {
      ...(logins === next ? {} : { [NEXT_PASSWORD]: next[role].password }),
      ...(role === 'jobs' ? { application_name: applicationName(masterKey) } : {}),
    })
  return Object.fromEntries(ROLES.map((role) => [role, urlOf(role)])) as Record<Role, string>
}

/**
 * Processes with only the former key get no new connection afterwards. Call as {@link ensureRoles}.
 * @returns true if the passwords changed
 * @throws ConfigError if a process writes under another key or the owner lacks privileges
 */
export async function replacePasswords(owner: pg.Client, url: string, masterKey: string): Promise<boolean> {
  const logins = loginsOf(masterKey, await databaseOf(owner))
  await assertSameKey(owner, logins.jobs.name, masterKey)
  if (await logsIn(url, logins.app)) return false
  await owner.query('begin')
  try {
    for (const role of ROLES) await setPassword(owner, 'alter', logins[role])
    await owner.query('commit')
    return true
  } catch (error) {
    await owner.query('rollback').catch(() => {})
    throw error
  }
}

/**
 * Every writing process has connections to the job queue, whose name shows its key. RFC 5869 with a separate info string; four bytes
 * disclose nothing of the key.
 */
function applicationName(masterKey: string): string {
  const id = hkdfSync('sha256', Buffer.from(masterKey, 'base64'), '', 'dpp-gateway name of the key', 4)
  return `dpp-gateway jobs ${Buffer.from(id).toString('hex')}`
}

/** Data of a process without the new key would become unreadable. */
async function assertSameKey(owner: pg.Client, jobs: string, masterKey: string): Promise<void> {
  const { rowCount } = await owner.query(
    `select 1 from pg_stat_activity
     where usename = $1 and application_name like 'dpp-gateway%' and application_name <> $2 limit 1`,
    [jobs, applicationName(masterKey)],
  )
  if (rowCount === 0) return
  throw new ConfigError(
    'Another process still uses the previous MASTER_KEY. Restart all processes with the ' +
      'new key in MASTER_KEY and the previous one in MASTER_KEY_PREVIOUS, wait for running backups, then retry.',
  )
}

async function databaseOf(owner: pg.Client): Promise<string> {
  const { rows } = await owner.query<{ database: string }>('select current_database() as database')
  return rows[0]?.database ?? ''
}

async function setPassword(owner: pg.Client, verb: 'create' | 'alter', { name, password }: Login): Promise<void> {
  const quoted = pg.escapeIdentifier(name)
  try {
    await owner.query(`${verb} role ${quoted} login noinherit password ${pg.escapeLiteral(scramVerifier(password))}`)
  } catch (error) {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error
    throw new ConfigError(
      `The user of DATABASE_URL may not ${verb} the role ${name}. As a superuser run: alter role <that user> createrole` +
        (verb === 'create' ? '' : `; grant ${quoted} to <that user> with admin option`),
    )
  }
}

async function setLimits(
  owner: pg.Client,
  name: string,
  settings: Readonly<Record<string, string>> = {},
  present: readonly string[] = [],
): Promise<void> {
  for (const [setting, value] of Object.entries(settings)) {
    if (present.includes(`${setting}=${value}`)) continue
    await owner.query(`alter role ${pg.escapeIdentifier(name)} set ${setting} = '${value}'`)
  }
}

/** @throws ConfigError if the server does not admit the role */
export async function logsIn(url: string, login: Login): Promise<boolean> {
  return onSomeHost(urlAs(url, login), (address) => admits(address, login))
}

async function admits(connectionString: string, login: Login): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code === WRONG_PASSWORD) return false
    if (code !== NOT_ADMITTED) throw error
    throw new ConfigError(
      `PostgreSQL does not admit the role ${login.name}: ${message}. Allow password login for the roles dpp_… in pg_hba.conf.`,
    )
  } finally {
    await client.end().catch(() => {})
  }
}

/** A changed password would lock out running processes. */
async function assertUnused(owner: pg.Client, names: readonly string[]): Promise<void> {
  const { rows } = await owner.query('select 1 from pg_stat_activity where usename = any($1) limit 1', [names])
  if (rows.length === 0) return
  throw new ConfigError(
    'MASTER_KEY differs from the key of other processes on this database. Set their key, or stop them first. To replace ' +
      'their key, set it as MASTER_KEY_PREVIOUS until dpp key rewrap has finished.',
  )
}

export const roleOf = (url: string): string => new URLSearchParams(url.slice(url.indexOf('?'))).get('user') ?? ''
