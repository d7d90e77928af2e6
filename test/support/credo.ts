import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { EventEmitter } from 'node:events'
import {
  Agent,
  type DependencyManager,
  type DidDocument,
  DidDocument as DidDocumentClass,
  DidsModule,
  InjectionSymbols,
  JsonTransformer,
  Kms,
  W3cV2CredentialsModule,
  W3cV2JwtCredentialService,
} from '@credo-ts/core'
import type { IssuingGateway } from './credentials.ts'

/** Verifies ES256 with node:crypto; Credo leaves that to its platform. */
const platform = {
  backend: 'node',
  isOperationSupported: (_context: unknown, { operation }: { operation: string }) =>
    ['verify', 'randomBytes'].includes(operation),
  // biome-ignore lint/suspicious/noExplicitAny: the shape is Credo's.
  verify: async (_context: unknown, { key, algorithm, data, signature }: any) => {
    const publicKey = createPublicKey({ key: key.publicJwk, format: 'jwk' })
    const verified =
      algorithm === 'ES256' && verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)
    return verified ? { verified, publicJwk: key.publicJwk } : { verified: false }
  },
  randomBytes: (_context: unknown, { length }: { length: number }) => randomBytes(length),
}

/** Credo agent (OpenWallet Foundation) that resolves DIDs at the gateway. */
export function credo(issuing: IssuingGateway) {
  const resolver = {
    allowsCaching: false,
    allowsLocalDidRecord: false,
    supportedMethods: ['web'],
    resolve: async (_context: unknown, did: string) => ({
      didResolutionMetadata: {},
      didDocumentMetadata: {},
      didDocument: did === issuing.did ? documentOf(await issuing.didDocument()) : null,
    }),
  }
  const agent = new Agent({
    config: {},
    dependencies: { FileSystem: class {}, EventEmitterClass: EventEmitter, fetch, WebSocketClass: class {} } as never,
    modules: {
      // Required by the agent, although nothing is stored.
      storage: {
        register: (manager: DependencyManager) => manager.registerInstance(InjectionSymbols.StorageService, {}),
      } as never,
      kms: new Kms.KeyManagementModule({ backends: [platform as never], defaultBackend: 'node' }),
      dids: new DidsModule({ resolvers: [resolver as never], registrars: [] }),
      w3cV2Credentials: new W3cV2CredentialsModule(),
    },
  })
  const jwt = agent.context.dependencyManager.resolve(W3cV2JwtCredentialService)
  return {
    verifyJwt: async (compact: string) => jwt.verifyCredential(agent.context, { credential: compact }),
  }
}

const documentOf = (document: object): DidDocument => JsonTransformer.fromJSON(document, DidDocumentClass)
