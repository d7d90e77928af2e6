import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareDemo } from '../../plugins/modules/demo/demo.ts'
import { startDemoTimestamps } from '../../plugins/modules/demo/timestamps.ts'
import { startTestGateway, type TestGateway } from './gateway.ts'

export { BATTERY } from '../../plugins/modules/demo/demo.ts'

export interface DemoGateway {
  readonly gateway: TestGateway
  readonly as: { readonly authorization: string }
  /** Path of the battery for its repairer, with token. */
  readonly unitPath: string
  close(): Promise<void>
}

/** Starts a gateway with demo data, sealed with timestamps of the built-in authority. */
export async function startDemoGateway(env: Record<string, string> = {}): Promise<DemoGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'dpp-demo-'))
  const { tsaUrl, tsaCa } = await startDemoTimestamps(folder)
  const caFile = join(folder, 'tsa-ca.pem')
  await writeFile(caFile, tsaCa)
  const gateway = await startTestGateway({ DATA_DIR: folder, TSA_URL: tsaUrl, TSA_CA: caFile, ...env })
  const tour = (await prepareDemo(gateway.container.cradle, () => {})).join('\n')
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
