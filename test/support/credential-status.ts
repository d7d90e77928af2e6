import { inflateSync } from 'node:zlib'
import { StatusList } from '@sd-jwt/jwt-status-list'
import { afterAll, expect } from 'vitest'
import { verify } from '../../src/verify/index.ts'
import { CONTEXTS } from './contexts.ts'
import { FORMS, partOf, startIssuingGateway } from './credentials.ts'
import { digitalBazaar } from './digital-bazaar.ts'
import { BASE_URL } from './gateway.ts'

export const holds = (id: string) => ({ id, bitstring: true, token: 0, ours: [true, true, true] })
export const isRevoked = (id: string) => ({ id, bitstring: false, token: 1, ours: [false, false, false] })

/**
 * Starts a gateway that issues credentials, with foreign libraries that read their status. Closed after the last test.
 */
export async function useCredentialStatus() {
  const issuing = await startIssuingGateway()
  afterAll(() => issuing.gateway.close())

  /** Status by Digital Bazaar's library, from the list that the credential specifies. */
  const statusInBitstring = (text: string) => digitalBazaar(issuing).statusIsClear(partOf(text, 1))

  /** Status by the reference library, from the token list. */
  async function statusInToken(text: string): Promise<number> {
    const { idx, uri } = partOf(text, 1).status.status_list
    const { status_list: list } = partOf(await issuing.read(uri), 1)
    expect(inflateSync(Buffer.from(list.lst, 'base64url')).length).toBeGreaterThanOrEqual(131_072 / 8)
    return StatusList.decompressStatusList(list.lst, list.bits).getStatus(idx)
  }

  const ours = async (text: string) =>
    (await verify(text, { documents: issuing.documents, contexts: CONTEXTS, now: new Date() })).valid

  async function statusByAllVerifiers(id: string, texts: Record<keyof typeof FORMS, string>) {
    return {
      bitstring: await statusInBitstring(texts.jwt),
      token: await statusInToken(texts.sdJwt),
      ours: await Promise.all(Object.values(texts).map(ours)),
      id,
    }
  }

  const issued = (id: string) => issuedAt(`/passport/${id}`)

  async function issuedAt(path: string): Promise<Record<keyof typeof FORMS, string>> {
    const [jwt = '', dataIntegrity = '', sdJwt = ''] = await Promise.all(
      Object.values(FORMS).map((accept) => issuing.read(`${BASE_URL}${path}`, accept)),
    )
    return { jwt, dataIntegrity, sdJwt }
  }

  return { issuing, statusByAllVerifiers, issued, issuedAt }
}
