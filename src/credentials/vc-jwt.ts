import type { Issuer } from '../domain/issuer.ts'
import type { Credential } from './credential.ts'

/** Signs a credential (W3C VC-JOSE-COSE, section 3.1.1). `iss` repeats the issuer, because JWT verifiers reject tokens without it. */
export function signVcJwt(credential: Credential, issuer: Issuer): Promise<string> {
  return signCompact(
    { alg: 'ES256', typ: 'vc+jwt', cty: 'vc', kid: issuer.verificationMethod },
    { ...credential, iss: issuer.did },
    issuer,
  )
}

/** Returns a compact JWS (RFC 7515, section 7.1). */
export async function signCompact(header: object, payload: object, issuer: Issuer): Promise<string> {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${encode(header)}.${encode(payload)}`
  return `${signed}.${Buffer.from(await issuer.sign(Buffer.from(signed))).toString('base64url')}`
}
