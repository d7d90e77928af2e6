import type { RewrapAccess, Rewrapped } from '../../../src/plugin/index.ts'
import { ownerOf } from './mail-job.ts'
import { replaceSealedMail, type SealedMail, sealedMails } from './mail-rows.ts'

const READ_AT_ONCE = 200
const FIRST = '00000000-0000-0000-0000-000000000000'

/** Re-encrypts the secrets of queued messages. */
export async function rewrapMails({ jobs, secretBox }: RewrapAccess): Promise<Rewrapped> {
  const counted = { count: 0, rewrapped: 0, shut: 0 }
  for (let after = FIRST; ; ) {
    const mails = await sealedMails(jobs, after, READ_AT_ONCE)
    const last = mails.at(-1)
    if (last === undefined) return counted
    after = last.id
    for (const mail of mails) {
      counted.count += 1
      const sealed = rewrapped(mail, secretBox)
      if (sealed === null) counted.shut += 1
      else if (sealed !== undefined && (await replaceSealedMail(jobs, mail, sealed))) counted.rewrapped += 1
    }
  }
}

/** Undefined if already re-encrypted; null if neither key decrypts it. */
function rewrapped({ data }: SealedMail, secretBox: RewrapAccess['secretBox']): string | undefined | null {
  try {
    return secretBox.rewrapped(Buffer.from(data.sealed, 'base64'), ownerOf(data))?.toString('base64')
  } catch {
    return null
  }
}
