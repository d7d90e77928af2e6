import { DataIntegrityProof } from '@digitalbazaar/data-integrity'
import { createVerifyCryptosuite } from '@digitalbazaar/ecdsa-jcs-2019-cryptosuite'
import { verifyCredential } from '@digitalbazaar/vc'
import { checkStatus } from '@digitalbazaar/vc-bitstring-status-list'
import type { JsonRecord } from '../../src/domain/record.ts'
import { FORMS, type IssuingGateway } from './credentials.ts'

/** Digital Bazaar's verifier with documents from the gateway, including its status check. */
export function digitalBazaar(issuing: IssuingGateway) {
  const suite = new DataIntegrityProof({ cryptosuite: createVerifyCryptosuite() })
  const documentLoader = async (url: string) => {
    if (!url.startsWith('did:'))
      return { documentUrl: url, document: JSON.parse(await issuing.read(url, FORMS.dataIntegrity)) }
    const controller = await issuing.didDocument()
    const method = (controller.verificationMethod as JsonRecord[]).find(({ id }) => id === url)
    const document =
      url === controller.id ? controller : method && { '@context': 'https://w3id.org/security/multikey/v1', ...method }
    if (document === undefined) throw new Error(`${url} is not there.`)
    return { documentUrl: url, document }
  }
  // The library reads the index as a string (W3C); UNTP 0.7.0 demands a number.
  const status = async ({ credential }: { credential: unknown }) => {
    const { credentialStatus, ...rest } = credential as { credentialStatus: JsonRecord }
    const { verified, error, results } = await checkStatus({
      credential: {
        ...rest,
        credentialStatus: { ...credentialStatus, statusListIndex: String(credentialStatus.statusListIndex) },
      },
      documentLoader,
      suite,
      verifyBitstringStatusListCredential: true,
      verifyMatchingIssuers: true,
    })
    // `verified` states that the list was read; the bit is in the results.
    return { verified: verified && results?.every(({ status: isSet }) => isSet === false) === true, error }
  }
  return {
    /** True if the credential's bit is clear and the list's proof is valid. */
    statusIsClear: async (credential: object) => (await status({ credential })).verified,
    verify: async (credential: object) => {
      const { verified } = await verifyCredential({ credential, suite, documentLoader, checkStatus: status })
      return verified
    },
  }
}
