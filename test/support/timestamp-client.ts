import { afterAll } from 'vitest'
import { createWorkspace, startTestGateway } from './gateway.ts'
import { expectStatus, passportClient } from './passport-client.ts'
import { hasOpenssl, startTimestampAuthority } from './timestamp-authority.ts'

/**
 * Starts a timestamp authority and a gateway that uses it; undefined without openssl, so that tests are skipped.
 * @param timestampTimeout milliseconds; the authority starts a process for each token
 */
export async function useTimestamps(timestampTimeout: number) {
  if (!hasOpenssl) return {} as never
  const authority = await startTimestampAuthority()
  const env = { TSA_URL: authority.url, TSA_CA: authority.caFile }
  const gateway = await startTestGateway(env, { bounds: { timestampTimeout } })
  afterAll(async () => {
    await gateway.close()
    await authority.close()
  })
  const passports = passportClient(gateway, (await createWorkspace(gateway)).as)
  return {
    authority,
    gateway,
    /**
     * Seals a new passport.
     * @returns its proof and the duration
     */
    seal: async () => {
      const { id } = await passports.given()
      const begin = performance.now()
      const { passport } = expectStatus(200, await passports.seal(id)).body
      return { proof: passport.proof, took: performance.now() - begin }
    },
  }
}
