import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12 // NIST SP 800-38D, 8.2.2: 96 random bits
const TAG_BYTES = 16

/**
 * Keeps secrets of workspaces in the database, encrypted with AES-256-GCM under a key derived from MASTER_KEY. What is
 * kept is nonce, ciphertext and tag, and opens only as what it was kept as.
 */
export class SecretBox {
  readonly #key: Buffer
  readonly #formerKey: Buffer | undefined

  /**
   * @param masterKey Base64 of 32 bytes
   * @param formerKey the one that it replaces: what was sealed under that opens too
   */
  constructor(masterKey: string, formerKey?: string) {
    this.#key = derived(masterKey)
    this.#formerKey = formerKey === undefined ? undefined : derived(formerKey)
  }

  /** @param owner what it is a secret of */
  seal(secret: string, owner: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: TAG_BYTES })
    cipher.setAAD(Buffer.from(owner))
    return Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  }

  /** @throws Error where it was sealed under another MASTER_KEY, for another owner, or has been altered */
  open(sealed: Buffer, owner: string): string {
    try {
      return openUnder(this.#key, sealed, owner)
    } catch (error) {
      if (this.#formerKey === undefined) throw error
      return openUnder(this.#formerKey, sealed, owner)
    }
  }

  /**
   * The same secret under the key of today.
   * @returns undefined where it is under that already
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

// RFC 5869. A key of its own, so that MASTER_KEY can serve other secrets as well; webhooks and mail are told apart by `owner`.
const derived = (masterKey: string): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(masterKey, 'base64'), '', 'dpp-gateway webhook secrets', 32))

function openUnder(key: Buffer, sealed: Buffer, owner: string): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(owner))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  return decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}
