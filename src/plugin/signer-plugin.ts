import type { JsonWebKey } from 'node:crypto'

/** Custody of P-256 keys, opened at start-up. */
export interface SignerPlugin {
  readonly kind: 'signer'
  readonly name: string
  /**
   * Opens the signer. Options: `databaseUrl` (role `dpp_signer`), `masterKey` (base64), each `SIGNER_<NAME>` as `<name>`. During a change
   * of MASTER_KEY also `masterKeyPrevious`, for older data, and `databaseUrlNext`, for when `databaseUrl` stops working.
   */
  open(options: Readonly<Record<string, string>>): Promise<Signer>
  /**
   * Re-encrypts from `masterKeyPrevious` to `masterKey` while signers are open; required only if data is encrypted with it. Resumable.
   * `databaseUrl` is the table owner's.
   */
  rewrap?(options: Readonly<Record<string, string>>): Promise<Rewrapped>
}

/** Result of re-encryption, in secrets. */
export interface Rewrapped {
  /** Number of all secrets. */
  readonly count: number
  /** Number re-encrypted from the previous key. */
  readonly rewrapped: number
  /** Number not decryptable with either key. */
  readonly shut: number
}

/** Open signer; private keys never leave it. */
export interface Signer {
  /** Creates a key pair and returns its id. `label` is for the operator. */
  createKey(label: string): Promise<string>
  publicJwk(keyId: string): Promise<JsonWebKey>
  /** Signs with ES256; r‖s (IEEE P1363, 64 bytes). */
  sign(keyId: string, data: Uint8Array): Promise<Uint8Array>
  close?(): Promise<void>
}
