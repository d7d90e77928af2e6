import { REVOCATION_REASONS } from '../domain/revocation-reasons.ts'
import { type Commands, required, text, UsageError } from './command.ts'

export const SEAL_CA_COMMANDS: Commands = {
  'seal-ca rotate': {
    summary: 'Create a new seal CA for future certificates; earlier seals stay valid',
    notes: [
      'Verifiers that store /.well-known/opendpp-seal-ca.pem fetch it again: it has all seal CAs, the newest first.',
      'Seal keys get a certificate of the new seal CA when they are rotated, or a month before theirs expires.',
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
      'Cannot be undone, only dated earlier. Seals of the key with an earlier trusted timestamp stay valid; seal the other passports again.',
      'Revocation lists: /.well-known/opendpp-seal-crl/1, of the second seal CA …/2, and so on.',
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
      // Lists use whole seconds; earlier revocations keep their time.
      const from = (revoked.since ?? since).toISOString()
      const serials = revoked.serials.join(', ')
      return {
        json: { serials: revoked.serials, reason, since: from },
        lines: [serials === '' ? 'Nothing: the key has no certificate.' : `Revoked from ${from} on: ${serials}.`],
      }
    },
  },
}
