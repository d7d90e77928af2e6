import { REVOCATION_REASONS } from '../domain/revocation-reasons.ts'
import { type Commands, required, text, UsageError } from './command.ts'

export const SEAL_CA_COMMANDS: Commands = {
  'seal-ca rotate': {
    summary: 'Create a new seal CA for future certificates; earlier seals stay valid',
    notes: [
      'Verifiers that store /.well-known/opendpp-seal-ca.pem must fetch it again. It contains all seal CAs, newest first.',
      'A seal key gets a certificate of the new seal CA when it is rotated, or one month before its certificate expires.',
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
    summary: 'Revoke the certificates of a seal key that is no longer in use',
    options: {
      workspace: { value: 'ID', needed: true, meaning: 'Workspace of the key' },
      key: { value: 'NUMBER', needed: true, meaning: 'Number of the key, as in #key-1 of its did.json' },
      reason: { value: 'REASON', needed: true, meaning: 'Reason', values: Object.keys(REVOCATION_REASONS) },
      since: { value: 'ISO', meaning: 'Time from which the key may have been compromised', default: 'now' },
    },
    notes: [
      'Cannot be undone; the date can only be set earlier. Seals with an earlier trusted timestamp stay valid. Seal all other passports again.',
      'Revocation lists: /.well-known/opendpp-seal-crl/1 for the first seal CA, …/2 for the second.',
    ],
    async run({ options, open }) {
      const number = required(options, 'key')
      if (!/^[1-9]\d{0,8}$/.test(number)) throw new UsageError('--key must be a number, such as 1.')
      const since = new Date(text(options, 'since') ?? Date.now())
      if (Number.isNaN(since.getTime()) || since.getTime() > Date.now()) {
        throw new UsageError('--since must be an ISO 8601 timestamp of the past.')
      }
      const reason = required(options, 'reason')
      const { sealCa } = (await open()).cradle
      const revoked = await sealCa.revoke(required(options, 'workspace'), Number(number), { reason, since })
      // Lists use whole seconds; earlier revocations keep their time.
      const from = (revoked.since ?? since).toISOString()
      const serials = revoked.serials.join(', ')
      return {
        json: { serials: revoked.serials, reason, since: from },
        lines: [
          serials === '' ? 'Nothing was revoked: the key has no certificate.' : `Revoked from ${from}: ${serials}.`,
        ],
      }
    },
  },
}
