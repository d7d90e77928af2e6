// Digital Bazaar's packages have no types of their own; this is what we use of them.

type DocumentLoader = (url: string) => Promise<{ documentUrl: string; document: unknown; contextUrl?: null }>

interface VerificationResult {
  readonly verified: boolean
  readonly error?: Error & { readonly errors?: readonly Error[] }
  readonly results?: readonly { readonly error?: Error & { readonly errors?: readonly Error[] } }[]
  readonly statusResult?: { readonly verified: boolean; readonly error?: Error }
}

declare module 'jsonld-signatures' {
  const jsigs: {
    sign(document: object, options: object): Promise<object>
    verify(document: object, options: object): Promise<VerificationResult>
    readonly purposes: {
      readonly AssertionProofPurpose: new (options?: object) => object
      readonly AuthenticationProofPurpose: new (options?: object) => object
    }
  }
  export default jsigs
}

declare module '@digitalbazaar/data-integrity' {
  export class DataIntegrityProof {
    constructor(options: { signer?: object; date?: string | null; cryptosuite: object })
  }
}

declare module '@digitalbazaar/ecdsa-jcs-2019-cryptosuite' {
  export function createSignCryptosuite(): object
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
  export function issue(options: object): Promise<object>
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
  export function createList(options: { length: number }): Promise<{
    setStatus(index: number, status: boolean): void
    getStatus(index: number): boolean
    encode(): Promise<string>
  }>
  export function decodeList(options: {
    encodedList: string
  }): Promise<{ getStatus(index: number): boolean; length: number }>
  export function checkStatus(
    options: object,
  ): Promise<{ verified: boolean; error?: Error; results?: readonly { readonly status: boolean }[] }>
}

declare module '@digitalbazaar/ecdsa-multikey' {
  interface MultikeyPair {
    readonly id?: string
    export(options: { publicKey?: boolean; includeContext?: boolean }): Promise<Record<string, string>>
    signer(): { id: string; algorithm: string; sign(input: { data: Uint8Array }): Promise<Uint8Array> }
  }
  export function generate(options: {
    curve: 'P-256' | 'P-384'
    id?: string
    controller?: string
  }): Promise<MultikeyPair>
  export function from(key: object): Promise<MultikeyPair>
}

declare module 'jsonld' {
  const jsonld: {
    expand(
      document: object,
      options: { safe: boolean; documentLoader: DocumentLoader; base?: string | null },
    ): Promise<object[]>
  }
  export default jsonld
}

declare module 'base58-universal' {
  export function encode(bytes: Uint8Array): string
  export function decode(text: string): Uint8Array
}
