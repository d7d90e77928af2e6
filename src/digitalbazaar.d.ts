// The packages have no types.

type DocumentLoader = (url: string) => Promise<{ documentUrl: string; document: unknown; contextUrl?: null }>

declare module '@digitalbazaar/vc' {
  export function issue(options: {
    credential: object
    suite: object
    documentLoader: (url: string) => Promise<unknown>
  }): Promise<object>
}

declare module '@digitalbazaar/data-integrity' {
  export class DataIntegrityProof {
    constructor(options: { signer?: object; date?: string | null; cryptosuite: object })
  }
}

declare module '@digitalbazaar/ecdsa-jcs-2019-cryptosuite' {
  export function createSignCryptosuite(): object
}

declare module '@digitalbazaar/ecdsa-multikey' {
  export function fromJwk(options: { jwk: object }): Promise<{ readonly publicKeyMultibase: string }>
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
  export function decode(text: string): Uint8Array
}
