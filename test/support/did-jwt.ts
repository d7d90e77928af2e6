import { verifyJWT } from 'did-jwt'
import { type DIDDocument, Resolver } from 'did-resolver'
import type { IssuingGateway } from './credentials.ts'

/** True if did-jwt accepts a JWT, with DID documents from the gateway; throws for most invalid ones. */
export async function didJwt(issuing: Pick<IssuingGateway, 'didDocument'>, compact: string): Promise<boolean> {
  const didDocument = (await issuing.didDocument()) as unknown as DIDDocument
  const resolver = new Resolver({
    web: async (did) => ({
      didResolutionMetadata: did === didDocument.id ? {} : { error: 'notFound' },
      didDocumentMetadata: {},
      didDocument: did === didDocument.id ? didDocument : null,
    }),
  })
  const { verified } = await verifyJWT(compact, { resolver, proofPurpose: 'assertionMethod' })
  return verified
}
