import type { RewrapAccess } from '../../../src/plugin/index.ts'
import type { Session, Statement } from '../../../src/plugin/module.ts'
import type { LetterJob, MailJob } from './mail-job.ts'

const IS_WITHIN_BUDGET: Statement = {
  name: 'mail-is-within-budget',
  text: 'select mail_is_within_budget($1, $2) as "isWithin"',
}

/** False if the address got `max` messages today. */
export async function isWithinMailBudget(session: Session, hash: Buffer, max: number): Promise<boolean> {
  const [counted] = await session.run<{ isWithin: boolean }>(IS_WITHIN_BUDGET, [hash, max])
  return counted?.isWithin === true
}

export interface SealedMail {
  readonly id: string
  readonly data: (MailJob & { readonly sealed: string }) | LetterJob
}

export async function sealedMails(jobs: RewrapAccess['jobs'], after: string, limit: number): Promise<SealedMail[]> {
  const { rows } = await jobs.executeSql(
    `select id, data from pgboss.job where name = 'mail' and data ->> 'sealed' is not null and id > $1 order by id limit $2`,
    [after, limit],
  )
  return rows
}

/** False if the message is gone. */
export async function replaceSealedMail(
  jobs: RewrapAccess['jobs'],
  { id, data }: SealedMail,
  sealed: string,
): Promise<boolean> {
  const { rows } = await jobs.executeSql(
    `update pgboss.job set data = data || jsonb_build_object('sealed', $3::text)
     where name = 'mail' and id = $1 and data ->> 'sealed' = $2 returning 1`,
    [id, data.sealed, sealed],
  )
  return rows.length > 0
}
