// Parts of Digital Bazaar's packages that only tests and benchmarks use.

interface VerificationResult {
  readonly verified: boolean
  readonly error?: Error & { readonly errors?: readonly Error[] }
  readonly results?: readonly { readonly error?: Error & { readonly errors?: readonly Error[] } }[]
  readonly statusResult?: { readonly verified: boolean; readonly error?: Error }
}

declare module 'base58-universal' {
  export function encode(bytes: Uint8Array): string
}

declare module 'jsonld-signatures' {
  const jsigs: {
    sign(document: object, options: object): Promise<object>
    verify(document: object, options: object): Promise<VerificationResult>
    readonly purposes: { readonly AssertionProofPurpose: new (options?: object) => object }
  }
  export default jsigs
}

declare module '@digitalbazaar/ecdsa-jcs-2019-cryptosuite' {
  export function createVerifyCryptosuite(): object
}

declare module '@digitalbazaar/eddsa-rdfc-2022-cryptosuite' {
  export const cryptosuite: object
}

declare module '@digitalbazaar/ed25519-multikey' {
  export function from(key: object): Promise<object>
  export function generate(options?: object): Promise<{
    id: string
    readonly publicKeyMultibase: string
    signer(): { id: string; algorithm: string; sign(input: { data: Uint8Array }): Promise<Uint8Array> }
  }>
}

declare module '@digitalbazaar/vc' {
  export function signPresentation(options: object): Promise<object>
  export function verifyCredential(options: {
    credential: object
    suite: object
    documentLoader: DocumentLoader
    checkStatus?: (options: { credential: unknown }) => Promise<{ verified: boolean; error?: Error }>
    now?: Date | string
  }): Promise<VerificationResult>
  export function verify(options: object): Promise<VerificationResult>
}

declare module '@digitalbazaar/vc-bitstring-status-list' {
  export function decodeList(options: {
    encodedList: string
  }): Promise<{ getStatus(index: number): boolean; length: number }>
  export function checkStatus(
    options: object,
  ): Promise<{ verified: boolean; error?: Error; results?: readonly { readonly status: boolean }[] }>
}

declare module 'parse-prometheus-text-format' {
  export default function parsePrometheusTextFormat(text: string): []
}

/** OpenID provider of the tests of single sign-on. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export default class Provider {
    constructor(issuer: string, configuration: object)
    readonly Grant: new (
      of: object,
    ) => { addOIDCScope(scope: string): void; save(): Promise<string> }
    callback(): (req: IncomingMessage, res: ServerResponse) => void
    interactionDetails(
      req: IncomingMessage,
      res: ServerResponse,
    ): Promise<{
      readonly prompt: { readonly name: string }
      readonly params: { readonly client_id: string }
      readonly session: { readonly accountId: string }
    }>
    interactionFinished(req: IncomingMessage, res: ServerResponse, result: object): Promise<void>
  }
}
