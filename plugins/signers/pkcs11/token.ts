import { createHash, type JsonWebKey, randomUUID } from 'node:crypto'
import type { Graphene, Module, Session, SessionObject } from './graphene.ts'

/** Errors of a lost session (PKCS #11 v2.40, §4.3 errata). */
const SESSION_IS_GONE =
  /CKR_(SESSION_HANDLE_INVALID|SESSION_CLOSED|DEVICE_REMOVED|TOKEN_NOT_PRESENT|USER_NOT_LOGGED_IN|DEVICE_ERROR)/
const PREFIX = 'pkcs11-'

/** Initialized once per process (PKCS #11 §5.4) and shared by signers. */
const libraries = new Map<string, { readonly module: Module; users: number }>()

/** PKCS #11 token; calls are blocking. */
export class Token {
  readonly #graphene: Graphene
  readonly #library: string
  readonly #label: string
  readonly #pin: string
  readonly #privateKeys = new Map<string, unknown>()
  #session: Session | undefined

  constructor(graphene: Graphene, library: string, label: string, pin: string) {
    this.#graphene = graphene
    this.#library = library
    this.#label = label
    this.#pin = pin
  }

  /** @throws Error naming the library, token or PIN */
  connect(): void {
    const used = libraries.get(this.#library)
    const module = used?.module ?? this.#initialise()
    if (used === undefined) libraries.set(this.#library, { module, users: 1 })
    else used.users += 1
    try {
      this.#session = this.#openSession(module)
    } catch (error) {
      this.#release()
      throw error
    }
  }

  createKey(label: string): string {
    const id = randomUUID()
    this.#inSession((session) => {
      const { KeyGenMechanism, NamedCurve } = this.#graphene
      const shared = { token: true, id: bytesOf(id), label }
      session.generateKeyPair(
        KeyGenMechanism.EC,
        { ...shared, verify: true, paramsECDSA: NamedCurve.getByName('secp256r1').value },
        // Sensitive and not extractable (§4.9).
        { ...shared, private: true, sensitive: true, extractable: false, sign: true },
      )
    })
    return PREFIX + id
  }

  publicJwk(keyId: string): JsonWebKey {
    const point = this.#inSession((session) => {
      const key = this.#find(session, this.#graphene.ObjectClass.PUBLIC_KEY, keyId)
      return key.getAttribute({ pointEC: null }).pointEC as Buffer
    })
    // OCTET STRING of the uncompressed point (§2.3.3).
    const raw = point.subarray(-65)
    if (raw.length !== 65 || raw[0] !== 0x04)
      throw new Error(`The token's key ${keyId} is not an uncompressed P-256 point.`)
    return {
      kty: 'EC',
      crv: 'P-256',
      x: raw.subarray(1, 33).toString('base64url'),
      y: raw.subarray(33).toString('base64url'),
    }
  }

  sign(keyId: string, data: Uint8Array): Uint8Array {
    // CKM_ECDSA over a digest is supported by all tokens and returns r‖s (§2.3.1).
    const digest = createHash('sha256').update(data).digest()
    return this.#inSession((session) => {
      let key = this.#privateKeys.get(keyId)
      if (key === undefined) {
        key = this.#find(session, this.#graphene.ObjectClass.PRIVATE_KEY, keyId).toType()
        this.#privateKeys.set(keyId, key)
      }
      return session.createSign('ECDSA', key).once(digest)
    })
  }

  close(): void {
    this.#closeSession()
    this.#release()
  }

  #initialise(): Module {
    try {
      const module = this.#graphene.Module.load(this.#library)
      initialise(module)
      return module
    } catch (cause) {
      throw new Error(`SIGNER_MODULE: ${this.#library} is not a usable PKCS #11 library. Correct the path.`, { cause })
    }
  }

  #openSession(module: Module): Session {
    const slots = module.getSlots(true)
    for (let index = 0; index < slots.length; index += 1) {
      const slot = slots.items(index)
      if (slot.getToken().label.trim() !== this.#label) continue
      const { SessionFlag } = this.#graphene
      const session = slot.open(SessionFlag.SERIAL_SESSION | SessionFlag.RW_SESSION)
      try {
        session.login(this.#pin)
      } catch (cause) {
        // A login covers all sessions of a process.
        if (!String(cause).includes('CKR_USER_ALREADY_LOGGED_IN')) {
          session.close()
          throw new Error(`SIGNER_PIN: the token "${this.#label}" rejects this PIN. Correct it.`, { cause })
        }
      }
      return session
    }
    throw new Error(`SIGNER_TOKEN: token "${this.#label}" not found in ${this.#library}. Correct the label.`)
  }

  /** Runs `work`; retries once in a new session if the session is lost. */
  #inSession<T>(work: (session: Session) => T): T {
    const entry = libraries.get(this.#library)
    if (entry === undefined) throw new Error('The signer "pkcs11" is closed.')
    this.#session ??= this.#openSession(entry.module)
    try {
      return work(this.#session)
    } catch (error) {
      if (!SESSION_IS_GONE.test(String(error))) throw error
      this.#closeSession()
      this.#session = this.#openSession(entry.module)
      return work(this.#session)
    }
  }

  #find(session: Session, objectClass: number, keyId: string): SessionObject {
    const id = keyId.startsWith(PREFIX) ? bytesOf(keyId.slice(PREFIX.length)) : Buffer.alloc(0)
    const found = id.length === 16 ? session.find({ class: objectClass, id }) : undefined
    if (found === undefined || found.length === 0) throw new Error(`The token has no key ${keyId}.`)
    return found.items(0)
  }

  #closeSession(): void {
    this.#privateKeys.clear()
    const session = this.#session
    this.#session = undefined
    try {
      session?.close()
    } catch {
      // Already closed.
    }
  }

  #release(): void {
    const entry = libraries.get(this.#library)
    if (entry === undefined) return
    entry.users -= 1
    if (entry.users > 0) return
    libraries.delete(this.#library)
    entry.module.finalize()
  }
}

/** A terminated thread may have left the library initialized. */
function initialise(module: Module): void {
  try {
    module.initialize()
  } catch (error) {
    if (!String(error).includes('CKR_CRYPTOKI_ALREADY_INITIALIZED')) throw error
  }
}

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')
