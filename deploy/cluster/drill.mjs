// Restore drill: the last backup and the archive up to now become a copy, which is verified and removed.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dppOn, leaderOf, pgbackrest, psql, serviceUser } from './parts.mjs'
import { freePorts, makeFolder, run, until } from './processes.mjs'

const COUNT = 'select count(*) from passport'

export async function drill(cluster) {
  const { values } = cluster
  const leader = await leaderOf(cluster)
  if (leader === undefined) throw new Error('No PostgreSQL is the leader now. Try again.')
  const began = Date.now()
  const step = (text) => console.log(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`)
  const user = serviceUser()
  const folder = join(values.FOLDER, 'drill')
  const data = join(folder, 'data')
  const { PORT } = await freePorts(['PORT'])
  const pgCtl = (words) => run([join(values.POSTGRES_PROGRAMS, 'pg_ctl'), '-D', data, ...words], { user, folder })
  const ask = (port, text) => psql(cluster, port, ['-d', 'dpp', '-c', text])

  const point = `drill-${began}`
  const before = Number(await ask(leader.port, COUNT))
  const asOf = await ask(
    leader.port,
    `select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  )
  await ask(leader.port, `select pg_create_restore_point('${point}')`)
  const segment = await ask(leader.port, 'select pg_walfile_name(pg_switch_wal())')
  const isArchived = `select coalesce(last_archived_wal >= '${segment}', false) from pg_stat_archiver`
  await until('the archive', async () => (await ask(leader.port, isArchived)) === 't')
  step(`${before} passports at ${asOf}; everything until then is in the archive`)

  rmSync(folder, { recursive: true, force: true })
  makeFolder(folder, user)
  makeFolder(data, user)
  try {
    const target = [
      `--pg1-path=${data}`,
      '--type=name',
      `--target=${point}`,
      '--target-action=promote',
      '--archive-mode=off',
    ]
    await pgbackrest(cluster, leader.name, [...target, 'restore']).catch(({ message }) => {
      throw new Error(`${message}\nThere must be a backup: node deploy/cluster/cluster.mjs backup`)
    })
    step('the base backup is restored')
    const settings = {
      port: PORT,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: folder,
      hba_file: join(data, 'pg_hba.conf'),
      ident_file: join(data, 'pg_ident.conf'),
      // Of the cluster, which Patroni passes to its servers.
      max_connections: 200,
      synchronous_standby_names: '',
    }
    const words = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`)
    await pgCtl(['start', '-w', '-t', '600', '-l', join(folder, 'log'), '-o', words.join(' ')]).catch(({ message }) => {
      const log = join(folder, 'log')
      throw new Error(`${message}\n${existsSync(log) ? readFileSync(log, 'utf8').slice(-2000) : ''}`)
    })
    const isPromoted = async () => (await ask(PORT, 'select pg_is_in_recovery()')) === 'f'
    await until('the archive is replayed', isPromoted)
    step('the archive is replayed up to that moment')
    await dppOn(values, PORT, ['restore', '--as-of', asOf])
    step('the copy is marked as a copy of that moment')
    const verified = await dppOn(values, PORT, ['verify-all'])
    step(`dpp verify-all: ${verified.split('\n').at(-1)}`)
    const after = Number(await ask(PORT, COUNT))
    if (after < before) throw new Error(`The copy has ${after} passports instead of ${before}.`)
    step(`${after} passports are in the copy`)
  } finally {
    await pgCtl(['stop', '-m', 'immediate']).catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  }
}
