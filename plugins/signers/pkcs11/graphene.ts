// Types of the optional native package graphene-pk11, so that type checks work without it.

export interface Graphene {
  readonly Module: { load(library: string): Module }
  readonly NamedCurve: { getByName(name: string): { readonly value: Buffer } }
  readonly KeyGenMechanism: { readonly EC: number }
  readonly ObjectClass: { readonly PUBLIC_KEY: number; readonly PRIVATE_KEY: number }
  readonly SessionFlag: { readonly SERIAL_SESSION: number; readonly RW_SESSION: number }
}

export interface Module {
  initialize(): void
  finalize(): void
  getSlots(withToken: boolean): List<Slot>
}

interface Slot {
  getToken(): { readonly label: string }
  open(flags?: number): Session
  closeAll(): void
}

export interface Session {
  login(pin: string): void
  close(): void
  find(template: Readonly<Record<string, unknown>>): List<SessionObject>
  generateKeyPair(mechanism: number, publicTemplate: object, privateTemplate: object): unknown
  createSign(mechanism: string, key: unknown): { once(data: Buffer): Buffer }
}

export interface SessionObject {
  getAttribute(template: object): Readonly<Record<string, unknown>>
  toType(): unknown
}

interface List<T> {
  readonly length: number
  items(index: number): T
}

/** @throws Error if the package is not installed */
export async function loadGraphene(): Promise<Graphene> {
  const name = 'graphene-pk11'
  try {
    const loaded = await import(/* @vite-ignore */ name)
    return loaded.default ?? loaded
  } catch (cause) {
    throw new Error('The signer "pkcs11" requires the optional package graphene-pk11: npm install graphene-pk11.', {
      cause,
    })
  }
}
