/** Recipient and text are read when the message is sent. */
export interface MailJob {
  readonly tenantId: string
  readonly grantId: string
  /** `request` goes to the workspace, others to the requester. */
  readonly kind: 'request' | 'receipt' | 'approved' | 'denied'
  /** Secret of the link, encrypted, in Base64; stored nowhere else. */
  readonly sealed?: string | undefined
}

export const MAIL = 'mail'

/** Name under which the secret of a link is encrypted. */
export const ownerOf = ({ tenantId, grantId, kind }: Omit<MailJob, 'sealed'>) => `${kind} ${tenantId} ${grantId}`
