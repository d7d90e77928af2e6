import type { Issuer } from './issuer.ts'

/** A W3C Verifiable Credential (data model 2.0) before it is signed. */
export type Credential = { readonly [member: string]: unknown }

/** What a credential says beside the passport. */
export interface CredentialContext {
  readonly issuer: Issuer
  /** The place of the passport or unit in the status lists of the issuer, allotted when it is first asked for. */
  statusPlace(): Promise<StatusPlace>
}

/** A place in one of the status lists of an issuer, counted from 0 like the lists. */
export interface StatusPlace {
  readonly list: number
  readonly index: number
}

const numbered = (url: string, list: number) => (list === 0 ? url : `${url}?list=${list}`)
/** Address of a bitstring status list of an issuer. */
export const statusListUrl = (issuerUrl: string, list: number) => numbered(`${issuerUrl}/status/revocation`, list)
/** Address of a token status list of an issuer. */
export const tokenStatusListUrl = (issuerUrl: string, list: number) => numbered(`${issuerUrl}/status/tokens`, list)
/** Type metadata of our SD-JWT credentials (draft-ietf-oauth-sd-jwt-vc, section 6); the address is their type. */
export const credentialTypeUrl = (baseUrl: string) => `${baseUrl}/vct/digital-product-passport`
