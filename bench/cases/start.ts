import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '../../src/root.ts'
import type { Case } from '../bench.ts'
import { median } from '../pair.ts'
import { residentMegabytes, startGatewayProcess } from '../processes.ts'

const start: Case = {
  name: 'start',
  figures: [
    { name: 'start-to-health', unit: 's' },
    { name: 'memory-at-rest', unit: 'MB' },
    { name: 'command-without-database', unit: 's' },
  ],
  async run({ database, isQuick, restMs }) {
    const starts = isQuick ? 1 : 3
    const seconds: number[] = []
    const megabytes: number[] = []
    for (let turn = 0; turn < starts; turn += 1) {
      const gateway = await startGatewayProcess(database.url)
      seconds.push(gateway.secondsToHealth)
      await sleep(restMs)
      megabytes.push(residentMegabytes(gateway.pid) ?? Number.NaN)
      await gateway.stop()
    }
    return [median(seconds), median(megabytes), median(Array.from({ length: starts * 5 }, secondsOfCommand))]
  },
}

/** Duration of `dpp --help`. */
function secondsOfCommand(): number {
  const began = performance.now()
  execFileSync(process.execPath, ['src/dpp.js', '--help'], { cwd: ROOT })
  return (performance.now() - began) / 1000
}

export default [start]
