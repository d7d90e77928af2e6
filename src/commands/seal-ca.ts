import { REVOCATION_REASONS } from '../domain/revocation-reasons.ts'
import { type Commands, required, text, UsageError } from './command.ts'

/** The authority of this installation that says whose seal keys are. */
export const SEAL_CA_COMMANDS: Commands = {
  'seal-ca rotate': {
    summary: 'Make a new seal CA, which certifies seal keys from now on; seals under the earlier ones stay valid',
    notes: [
      'Whoever keeps /.well-known/opendpp-seal-ca.pem fetches it anew: it has all of them, the newest first.',
      'Seal keys get a certificate of the new one when they are rotated, or a month before theirs ends.',
    ],
    async run({ open }) {
      const { subject, fingerprint256, validTo } = await (await open()).cradle.sealCa.rotate()
      const until = new Date(validTo).toISOString()
      return {
        json: { subject, fingerprint256, validTo: until },
        lines: [`${subject} is the seal CA until ${until}, SHA-256 ${fingerprint256}.`],
      }
    },
  },
  'seal-ca revoke': {
    summary: 'Revoke the certificates of a seal key that its workspace does not use any more',
    options: {
      workspace: { value: 'ID', needed: true, meaning: 'Whose key it is' },
      key: { value: 'NUMBER', needed: true, meaning: 'Which key, as in #key-1 of its did.json' },
      reason: { value: 'REASON', needed: true, meaning: 'Why', values: Object.keys(REVOCATION_REASONS) },
      since: { value: 'ISO', meaning: 'From when on the key may have been in other hands', default: 'now' },
    },
    notes: [
      'It cannot be taken back, only dated earlier. Seals by the key stay valid where a trusted timestamp shows that they were there before; the others are to be made anew.',
      'The lists are at /.well-known/opendpp-seal-crl/1, of the second seal CA at …/2, and so on.',
    ],
    async run({ options, open }) {
      const number = required(options, 'key')
      if (!/^[1-9]\d{0,8}$/.test(number)) throw new UsageError('--key must be a number, such as 1.')
      const since = new Date(text(options, 'since') ?? Date.now())
      if (Number.isNaN(since.getTime()) || since.getTime() > Date.now()) {
        throw new UsageError('--since must be a time that has been, in ISO 8601.')
      }
      const reason = required(options, 'reason')
      const { sealCa } = (await open()).cradle
      const revoked = await sealCa.revoke(required(options, 'workspace'), Number(number), { reason, since })
      // A list says whole seconds, and what was revoked from an earlier time on stays so.
      const from = (revoked.since ?? since).toISOString()
      const serials = revoked.serials.join(', ')
      return {
        json: { serials: revoked.serials, reason, since: from },
        lines: [serials === '' ? 'Nothing: the key has no certificate.' : `Revoked from ${from} on: ${serials}.`],
      }
    },
  },
}
