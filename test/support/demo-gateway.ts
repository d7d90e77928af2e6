import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareDemo } from '../../src/demo.ts'
import { startDemoTimestamps } from '../../src/demo-timestamps.ts'
import { startTestGateway, type TestGateway } from './gateway.ts'

/** A gateway with the demo of a first start. */
export interface DemoGateway {
  readonly gateway: TestGateway
  /** Headers that carry the demo key. */
  readonly as: { readonly authorization: string }
  /** Path of the battery that its repairer sees, with the token. */
  readonly unitPath: string
  close(): Promise<void>
}

/** Starts a gateway and makes its demo, with seals that the demo's own authority dates. */
export async function startDemoGateway(env: Record<string, string> = {}): Promise<DemoGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'dpp-demo-'))
  const { tsaUrl, tsaCa } = await startDemoTimestamps(folder)
  const caFile = join(folder, 'tsa-ca.pem')
  await writeFile(caFile, tsaCa)
  const gateway = await startTestGateway({ DATA_DIR: folder, TSA_URL: tsaUrl, TSA_CA: caFile, ...env })
  const tour = (await prepareDemo(gateway.container, () => {})).join('\n')
  const [, key = ''] = /export KEY=(\S+)/.exec(tour) ?? []
  const [unitPath = ''] = /\/unit\/\S+/.exec(tour) ?? []
  return {
    gateway,
    as: { authorization: `Bearer ${key}` },
    unitPath,
    close: async () => {
      await gateway.close()
      await rm(folder, { recursive: true })
    },
  }
}
