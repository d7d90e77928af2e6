import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12 // NIST SP 800-38D, 8.2.2: 96 random bits
const TAG_BYTES = 16

/** AES-256-GCM under a key derived from MASTER_KEY. Stores nonce, ciphertext and tag; opens only for the same owner. */
export class SecretBox {
  readonly #key: Buffer
  readonly #formerKey: Buffer | undefined

  /**
   * @param masterKey Base64 of 32 bytes
   * @param formerKey still accepted for opening
   */
  constructor(masterKey: string, formerKey?: string) {
    this.#key = derived(masterKey)
    this.#formerKey = formerKey === undefined ? undefined : derived(formerKey)
  }

  seal(secret: string, owner: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: TAG_BYTES })
    cipher.setAAD(Buffer.from(owner))
    return Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  }

  /** @throws Error if sealed under another MASTER_KEY or for another owner, or altered */
  open(sealed: Uint8Array, owner: string): string {
    try {
      return openUnder(this.#key, sealed, owner)
    } catch (error) {
      if (this.#formerKey === undefined) throw error
      return openUnder(this.#formerKey, sealed, owner)
    }
  }

  /**
   * Re-encrypts under the current key.
   * @returns undefined if already under it
   * @throws Error as {@link open}
   */
  rewrapped(sealed: Buffer, owner: string): Buffer | undefined {
    try {
      openUnder(this.#key, sealed, owner)
      return undefined
    } catch {
      return this.seal(this.open(sealed, owner), owner)
    }
  }
}

// RFC 5869. A separate key, so that MASTER_KEY can protect other secrets; `owner` distinguishes webhooks and mail.
const derived = (masterKey: string): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(masterKey, 'base64'), '', 'dpp-gateway webhook secrets', 32))

function openUnder(key: Buffer, sealed: Uint8Array, owner: string): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(owner))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  return decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}
