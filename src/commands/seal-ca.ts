import type { Commands } from './command.ts'

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
}
