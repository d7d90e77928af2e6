import type { JobWithMetadata, PgBoss } from 'pg-boss'

/** A message about a request for access. Who gets it and what it says is read when it is sent. */
export interface MailJob {
  readonly tenantId: string
  readonly grantId: string
  /** To the workspace: `request`; to whoever asked: the others. */
  readonly kind: 'request' | 'receipt' | 'approved' | 'denied'
  /** What opens the link of the message and is stored nowhere else, encrypted, in Base64. */
  readonly sealed?: string
}

/** One attempt to send a message. */
export interface MailAttempt {
  readonly id: string
  readonly createdOn: Date
  readonly job: MailJob
  readonly isFirst: boolean
  readonly isLast: boolean
}

export const MAIL = 'mail'
/** Messages of one process at a time. */
const AT_ONCE = 2

/** Sends what waits; what throws is tried again after a while. */
export async function startMail(boss: PgBoss, send: (attempt: MailAttempt) => Promise<void>): Promise<void> {
  const options = { includeMetadata: true, localConcurrency: AT_ONCE } as const
  await boss.work(MAIL, options, async ([job]: JobWithMetadata<MailJob>[]) => {
    if (job === undefined) return
    const { id, createdOn, data, retryCount, retryLimit } = job
    await send({ id, createdOn, job: data, isFirst: retryCount === 0, isLast: retryCount >= retryLimit })
  })
}
