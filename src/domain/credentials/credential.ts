import type { Issuer } from './issuer.ts'

/** A W3C Verifiable Credential (data model 2.0) before it is signed. */
export type Credential = { readonly [member: string]: unknown }

/** What a credential says beside the passport. */
export interface CredentialContext {
  readonly issuer: Issuer
  /** The passport's place in the status lists of the issuer, allotted when it is first asked for. */
  statusIndex(): Promise<number>
}

/** Address of the bitstring status list of an issuer. */
export const statusListUrl = (issuerUrl: string) => `${issuerUrl}/status/revocation`
/** Address of the token status list of an issuer. */
export const tokenStatusListUrl = (issuerUrl: string) => `${issuerUrl}/status/tokens`
/** Type metadata of our SD-JWT credentials (draft-ietf-oauth-sd-jwt-vc, section 6); the address is their type. */
export const credentialTypeUrl = (baseUrl: string) => `${baseUrl}/vct/digital-product-passport`
