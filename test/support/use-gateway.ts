import { afterAll } from 'vitest'
import { createWorkspace, startTestGateway } from './gateway.ts'
import { passportClient } from './passport-client.ts'

/**
 * What most contract tests begin with: a gateway of their own, which is closed after the last test of the file, a
 * workspace, and the passport operations in its name. Takes what {@link startTestGateway} takes.
 */
export async function useGateway(...options: Parameters<typeof startTestGateway>) {
  const gateway = await startTestGateway(...options)
  afterAll(() => gateway.close())
  const workspace = await createWorkspace(gateway)
  return { gateway, workspace, passports: passportClient(gateway, workspace.as) }
}
