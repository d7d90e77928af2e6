import { createHash, createHmac, hkdfSync, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import { ConfigError } from '../config.ts'

/**
 * The roles that work is done in. Each logs in by itself, none is a member of another or of the owner, and none owns a
 * table of ours: whoever gets hold of a statement of one reaches what that one may do, and nothing else.
 * - `app`: the work of one workspace, in transactions that name it;
 * - `lookup`: what must be known before a workspace is known, and what is public;
 * - `signer`: the keys of the node and, with the local signer, the private keys;
 * - `jobs`: the queues, which it owns.
 */
export const ROLES = ['app', 'lookup', 'signer', 'jobs'] as const
export type Role = (typeof ROLES)[number]

/** A connection URL for each role. */
export type RoleUrls = Readonly<Record<Role, string>>

/** What an installation's secrets are under, each Base64 of 32 bytes. */
export interface MasterKeys {
  readonly masterKey: string
  /** The one that it replaces, for as long as something may be under it. */
  readonly formerKey: string | undefined
}

interface Login {
  readonly name: string
  readonly password: string
}

/** PostgreSQL cuts identifiers at 63 bytes. */
const MAX_BYTES = 63
const SCRAM_ITERATIONS = 4096 // RFC 7677, section 4
const INSUFFICIENT_PRIVILEGE = '42501'
const WRONG_PASSWORD = '28P01'
const NOT_ADMITTED = '28000' // invalid_authorization_specification

/**
 * What holds for every connection of a role, and so needs no statement of its own and no start-up option, which a pooler
 * such as PgBouncer refuses. Nothing that a request does takes half as long.
 */
const SETTINGS: Readonly<Partial<Record<Role, Readonly<Record<string, string>>>>> = {
  app: { statement_timeout: '30s', idle_in_transaction_session_timeout: '30s' },
  lookup: { statement_timeout: '30s', idle_in_transaction_session_timeout: '30s' },
  signer: { statement_timeout: '10s', idle_in_transaction_session_timeout: '10s' },
}

/**
 * The name of a role. It carries the database's name, because roles belong to the whole cluster; one that PostgreSQL
 * would cut is cut here, and told from others by a hash.
 */
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

/**
 * The text of a migration, in which `dpp_app`, `dpp_lookup`, `dpp_signer` and `dpp_jobs`, as identifiers or whole
 * literals, stand for the roles of this database.
 */
export function withRoleNames(sql: string, database: string): string {
  return sql.replace(/'dpp_(app|lookup|signer|jobs)'|\bdpp_(app|lookup|signer|jobs)\b/g, (_, literal, identifier) =>
    literal === undefined
      ? pg.escapeIdentifier(roleName(identifier, database))
      : pg.escapeLiteral(roleName(literal, database)),
  )
}

/** Of an address: the password that its login will have, once `dpp key rewrap` has replaced it. */
const NEXT_PASSWORD = 'next_password'

/** `url` with another login. As parameters, because an address without a host has no place for a user. */
export function urlAs(url: string, { name, password }: Login, more: Readonly<Record<string, string>> = {}): string {
  const [address = '', query = ''] = url.split(/\?(.*)/s)
  const parameters = new URLSearchParams(query)
  for (const [key, value] of Object.entries({ user: name, password, ...more })) parameters.set(key, value)
  return `${address.replace(/^(\w+:\/\/)[^/]*@/, '$1')}?${parameters}`
}

/** The logins that an address of {@link RoleUrls} knows: that of now, and that which is to replace it. */
export function loginsIn(url: string): { readonly now: Login; readonly next: Login | undefined } {
  const parameters = new URLSearchParams(url.slice(url.indexOf('?')))
  const [name, password] = [parameters.get('user') ?? '', parameters.get('password') ?? '']
  const next = parameters.get(NEXT_PASSWORD)
  return { now: { name, password }, next: next === null ? undefined : { name, password: next } }
}

/** The password of a role: RFC 5869 with an info string of its own, so that it says nothing of MASTER_KEY or of another. */
export function rolePassword(masterKey: string, role: Role, database: string): string {
  const info = `dpp-gateway database role ${role} of ${database}`
  return Buffer.from(hkdfSync('sha256', Buffer.from(masterKey, 'base64'), '', info, 32)).toString('base64url')
}

/** How each role logs in to a database. */
export const loginsOf = (masterKey: string, database: string): Readonly<Record<Role, Login>> =>
  Object.fromEntries(
    ROLES.map((role) => [
      role,
      { name: roleName(role, database), password: rolePassword(masterKey, role, database) } satisfies Login,
    ]),
  ) as Record<Role, Login>

/**
 * What PostgreSQL stores of a password (RFC 5803). Made here, so that no statement, and no log of statements, has the
 * password itself.
 */
function scramVerifier(password: string, salt = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256')
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64')
  const serverKey = hmac('Server Key').toString('base64')
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}

/**
 * Makes the roles of this database where they are missing and gives them the passwords of `masterKey`; those that have the
 * passwords of `formerKey` keep them until {@link replacePasswords}, since processes may be at work that know no other. To be
 * called by one process at a time, with the owner's connection.
 * @throws ConfigError when the owner may not do so, or when other processes work with another MASTER_KEY
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
 * Gives the roles the passwords of `masterKey` while processes work on that know it and its predecessor. From then on whoever
 * knows the predecessor alone gets no new connection. To be called as {@link ensureRoles}.
 * @returns whether they had others
 * @throws ConfigError where processes are at work that write under another key, or the owner may not do so
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
 * What connections of the job queue, which every process has that writes, are called: by this it is seen which key a process
 * writes under. RFC 5869 with an info string of its own; four bytes say nothing of the key.
 */
function applicationName(masterKey: string): string {
  const id = hkdfSync('sha256', Buffer.from(masterKey, 'base64'), '', 'dpp-gateway name of the key', 4)
  return `dpp-gateway jobs ${Buffer.from(id).toString('hex')}`
}

/** What a process writes that does not know the new key, nobody could read any more. */
async function assertSameKey(owner: pg.Client, jobs: string, masterKey: string): Promise<void> {
  const { rowCount } = await owner.query(
    `select 1 from pg_stat_activity
     where usename = $1 and application_name like 'dpp-gateway%' and application_name <> $2 limit 1`,
    [jobs, applicationName(masterKey)],
  )
  if (rowCount === 0) return
  throw new ConfigError(
    'A process is at work on this database that does not write under this MASTER_KEY yet. Start all of them anew with the ' +
      'new key in MASTER_KEY and the former one in MASTER_KEY_PREVIOUS, let back-ups end, and run this again.',
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

/** False for a wrong password. @throws ConfigError where the server does not let the role in at all */
export async function logsIn(url: string, login: Login): Promise<boolean> {
  const client = new pg.Client({ connectionString: urlAs(url, login), connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code === WRONG_PASSWORD) return false
    if (code !== NOT_ADMITTED) throw error
    throw new ConfigError(
      `PostgreSQL does not admit the role ${login.name}: ${message}. Let the roles dpp_… in by password in pg_hba.conf.`,
    )
  } finally {
    await client.end().catch(() => {})
  }
}

/** A changed password would shut out who is at work with the old one, such as a gateway beside a command line. */
async function assertUnused(owner: pg.Client, names: readonly string[]): Promise<void> {
  const { rows } = await owner.query('select 1 from pg_stat_activity where usename = any($1) limit 1', [names])
  if (rows.length === 0) return
  throw new ConfigError(
    'MASTER_KEY is not the one that other processes use on this database. Use theirs, or stop them first; where it is to ' +
      'replace theirs, set theirs as MASTER_KEY_PREVIOUS until dpp key rewrap has ended.',
  )
}

/** The name of the role that a URL logs in as. */
export const roleOf = (url: string): string => new URLSearchParams(url.slice(url.indexOf('?'))).get('user') ?? ''
