import { setTimeout as sleep } from 'node:timers/promises'
import type { Case } from '../bench.ts'
import { median } from '../pair.ts'
import { residentMegabytes } from '../processes.ts'

const STARTS = 3

const start: Case = {
  name: 'start',
  figures: [
    { name: 'start-to-health', unit: 's' },
    { name: 'memory-at-rest', unit: 'MB' },
  ],
  async run({ startGateway }) {
    const seconds: number[] = []
    const megabytes: number[] = []
    for (let turn = 0; turn < STARTS; turn += 1) {
      const gateway = await startGateway()
      seconds.push(gateway.secondsToHealth)
      await sleep(2000)
      megabytes.push(residentMegabytes(gateway.pid) ?? Number.NaN)
      await gateway.stop()
    }
    return [median(seconds), median(megabytes)]
  },
}

export default [start]
