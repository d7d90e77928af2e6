/** Recipient and text are read when the message is sent. */
export interface MailJob {
  readonly tenantId: string
  readonly grantId: string
  /** `request` goes to the workspace, others to the requester. */
  readonly kind: 'request' | 'receipt' | 'approved' | 'denied'
  /** Secret of the link, encrypted, in Base64; stored nowhere else. */
  readonly sealed?: string | undefined
}

/** Letter of another module, encrypted whole. */
export interface LetterJob {
  readonly tenantId: string
  readonly letterId: string
  readonly kind: 'letter'
  readonly sealed: string
}

export const MAIL = 'mail'

/** Name under which the secret of a link is encrypted. */
export const ownerOf = (job: Omit<MailJob, 'sealed'> | Omit<LetterJob, 'sealed'>) =>
  `${job.kind} ${job.tenantId} ${'letterId' in job ? job.letterId : job.grantId}`
