import type { Signer } from '../plugin/contracts.ts'
import type { Counters } from './counters.ts'
import { traced } from './current.ts'

/** Wraps a signer to count and trace its signatures. */
export function instrumentedSigner(signer: Signer, name: string, { signatures }: Pick<Counters, 'signatures'>): Signer {
  return {
    createKey: (label) => signer.createKey(label),
    publicJwk: (keyId) => signer.publicJwk(keyId),
    close: async () => signer.close?.(),
    sign: (keyId, data) =>
      traced(
        'sign',
        'internal',
        () => ({ 'dpp.plugin': name }),
        async () => {
          try {
            const signature = await signer.sign(keyId, data)
            signatures.made += 1
            return signature
          } catch (error) {
            signatures.failed += 1
            throw error
          }
        },
      ),
  }
}
