import type pg from 'pg'
import { secretOwner } from '../domain/webhooks.ts'
import type { Rewrapped } from '../plugin/contracts.ts'
import { type LoadedPlugins, loadPlugins } from '../plugin/loader.ts'
import { connectionShares } from '../storage/connection-shares.ts'
import { Database } from '../storage/database.ts'
import { replacePasswords } from '../storage/database-roles.ts'
import { prepareDatabase } from '../storage/prepare-database.ts'
import { RoleClient } from '../storage/role-client.ts'
import { replaceSealed, type SealedSecrets, webhookSecrets } from '../storage/sealed-secrets.ts'
import { SecretBox } from '../storage/secret-box.ts'
import { allWorkspaces } from '../workspaces/credential-statements.ts'
import { type Config, ConfigError } from './config.ts'
import { allMigrations, signerOptionsOf } from './gateway.ts'
import { withDatabase } from './installation.ts'
import { createLog } from './log.ts'

interface Report {
  readonly signingKeys: Rewrapped
  readonly webhookSecrets: Rewrapped
  /** By name of the module. */
  readonly modules: Readonly<Record<string, Rewrapped>>
  readonly passwordsReplaced: boolean
}

/**
 * Re-encrypts from MASTER_KEY_PREVIOUS to MASTER_KEY while gateways that know both keys run. Resumable. Secrets that neither key decrypts
 * are counted and unchanged.
 * @throws ConfigError without a former key, or if a process still writes with it
 */
export async function rewrap(config: Config, report: (message: string) => void): Promise<Report> {
  return withDatabase(config, report, async ({ url, masterKey, formerKey }) => {
    if (formerKey === undefined) {
      throw new ConfigError(
        'The previous key is missing. Set MASTER_KEY to the new key and MASTER_KEY_PREVIOUS to the previous one; ' +
          'without DATABASE_URL, rename master.key in DATA_DIR to master.key.previous; a new one is created.',
      )
    }
    const plugins = await loadPlugins(config.plugins)
    const migrations = await allMigrations(plugins)
    let passwordsReplaced = false
    const replace = async (owner: pg.Client) => {
      passwordsReplaced = await replacePasswords(owner, url, masterKey)
    }
    const { urls } = await prepareDatabase(url, masterKey, migrations, { finish: replace, formerKey, report })
    // From here on, no process writes with the former key.
    if (passwordsReplaced) report('The roles of the database have the passwords of the new key.')
    const box = new SecretBox(masterKey, formerKey)
    const database = new Database({
      ...{ urls, log: createLog(config), connectionWait: config.bounds.connectionWait },
      connections: connectionShares(config),
    })
    const jobs = new RoleClient({ connectionString: urls.jobs })
    try {
      const signerOptions = { ...config.signerOptions, ...signerOptionsOf(urls, { masterKey, formerKey }) }
      const signingKeys = await rewrapSigningKeys(plugins, config.signer, { ...signerOptions, databaseUrl: url })
      report(toSummary('signing keys', signingKeys))
      const secrets = await untilAllAre(() => rewrapWebhooks(database, box))
      report(toSummary('webhooks', secrets))
      await jobs.connect()
      const access = {
        jobs: { executeSql: (text: string, values?: unknown[]) => jobs.query(text, values) },
        secretBox: box,
      }
      const modules: Record<string, Rewrapped> = {}
      for (const { name, rewrap: rewrapModule } of plugins.modules) {
        if (rewrapModule === undefined) continue
        const rewrapped = await untilAllAre(() => rewrapModule(access))
        report(toSummary(name, rewrapped))
        modules[name] = rewrapped
      }
      return { signingKeys, webhookSecrets: secrets, modules, passwordsReplaced }
    } finally {
      await Promise.all([database.close(), jobs.end().catch(() => {})])
    }
  })
}

const toSummary = (what: string, { count, rewrapped, shut }: Rewrapped) =>
  `${what}: ${count}, of which ${rewrapped} were under the former key${shut === 0 ? '' : `, and ${shut} open with neither`}`

async function rewrapSigningKeys(
  { signers }: LoadedPlugins,
  name: string,
  options: Readonly<Record<string, string>>,
): Promise<Rewrapped> {
  const signer = signers.get(name)
  if (signer === undefined) throw new ConfigError(`SIGNER: unknown signer "${name}". Add its plugin to PLUGINS.`)
  return (await signer.rewrap?.(options)) ?? { count: 0, rewrapped: 0, shut: 0 }
}

/** Repeats until a pass finds nothing: rows change concurrently. */
async function untilAllAre(look: () => Promise<Rewrapped>): Promise<Rewrapped> {
  for (let rewrapped = 0; ; ) {
    const looked = await look()
    rewrapped += looked.rewrapped
    if (looked.rewrapped === 0) return { ...looked, rewrapped }
  }
}

async function rewrapWebhooks(database: Database, box: SecretBox): Promise<Rewrapped> {
  const counted = { count: 0, rewrapped: 0, shut: 0 }
  for (const { id: workspaceId } of await allWorkspaces(database)) {
    const session = database.forTenant(workspaceId)
    for (const stored of await webhookSecrets(session)) {
      counted.count += 1
      const now = rewrapSecrets(stored, box, secretOwner(workspaceId, stored.id))
      if (now === undefined) counted.shut += 1
      else if (now !== stored && (await replaceSealed(session, stored, now))) counted.rewrapped += 1
    }
  }
  return counted
}

/** Re-encrypts if needed; undefined if neither key decrypts it. */
function rewrapSecrets(stored: SealedSecrets, box: SecretBox, owner: string): SealedSecrets | undefined {
  try {
    const secret = box.rewrapped(stored.secret, owner)
    const formerSecret = stored.formerSecret === null ? undefined : box.rewrapped(stored.formerSecret, owner)
    if (secret === undefined && formerSecret === undefined) return stored
    return { ...stored, secret: secret ?? stored.secret, formerSecret: formerSecret ?? stored.formerSecret }
  } catch {
    return undefined
  }
}
