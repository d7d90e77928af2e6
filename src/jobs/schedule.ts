import type { PgBoss } from 'pg-boss'
import type { Schedule } from '../plugin/contracts.ts'

/** Runs in one process at a time. */
export async function startSchedule(
  boss: PgBoss,
  { name, cron, isOn, run }: Schedule,
  services: object,
): Promise<void> {
  if (isOn?.(services) === false) return
  await boss.createQueue(name, { policy: 'singleton', expireInSeconds: 600, retryLimit: 2 })
  await boss.work(name, { pollingIntervalSeconds: 10 }, () => run(services, boss.getDb()))
  await boss.schedule(name, cron)
}
