import type { Issuer } from '../domain/issuer.ts'

/** Unsigned W3C Verifiable Credential (data model 2.0). */
export type Credential = { readonly [member: string]: unknown }

export interface CredentialContext {
  readonly issuer: Issuer
  /** Allocates the status-list entry on first use. */
  statusPlace(): Promise<StatusPlace>
}

export interface StatusPlace {
  readonly list: number
  readonly index: number
}

const numbered = (url: string, list: number) => (list === 0 ? url : `${url}?list=${list}`)
export const statusListUrl = (issuerUrl: string, list: number) => numbered(`${issuerUrl}/status/revocation`, list)
export const tokenStatusListUrl = (issuerUrl: string, list: number) => numbered(`${issuerUrl}/status/tokens`, list)
/** Type of SD-JWT credentials and URL of its metadata (draft-ietf-oauth-sd-jwt-vc, section 6). */
export const credentialTypeUrl = (baseUrl: string) => `${baseUrl}/vct/digital-product-passport`
