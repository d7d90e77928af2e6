import { afterAll } from 'vitest'
import { createWorkspace, startTestGateway } from './gateway.ts'
import { passportClient } from './passport-client.ts'

/**
 * Starts a gateway with a workspace and its passport operations. Closed after the last test. Takes the arguments of
 * {@link startTestGateway}.
 */
export async function useGateway(...options: Parameters<typeof startTestGateway>) {
  const gateway = await startTestGateway(...options)
  afterAll(() => gateway.close())
  const workspace = await createWorkspace(gateway)
  return { gateway, workspace, passports: passportClient(gateway, workspace.as) }
}
