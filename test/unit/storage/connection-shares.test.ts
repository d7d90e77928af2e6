import { expect, test } from 'vitest'
import { connectionShares } from '../../../src/storage/connection-shares.ts'

test.each([
  [33, 1, { app: 16, lookup: 10, jobs: 4, signer: 2, workspace: 8 }],
  [24, 1, { app: 10, lookup: 7, jobs: 4, signer: 2, workspace: 5 }],
  [48, 4, { app: 4, lookup: 3, jobs: 2, signer: 2, workspace: 2 }],
  [33, 4, { app: 3, lookup: 2, jobs: 1, signer: 1, workspace: 1 }],
  [24, 4, { app: 2, lookup: 1, jobs: 1, signer: 1, workspace: 1 }],
])('%i connections of %i workers', (databaseConnections, workers, shares) => {
  expect(connectionShares({ databaseConnections, workers })).toEqual(shares)
})

test('the workers together never use more than the total', () => {
  for (let workers = 1; workers <= 16; workers += 1) {
    for (let databaseConnections = 6 * workers; databaseConnections <= 200; databaseConnections += 1) {
      const { app, lookup, jobs, signer, workspace } = connectionShares({ databaseConnections, workers })
      const listener = 1
      expect((app + lookup + jobs + signer + listener) * workers).toBeLessThanOrEqual(databaseConnections)
      expect(Math.min(app, lookup, jobs, signer, workspace)).toBeGreaterThan(0)
      expect(workspace).toBeLessThanOrEqual(Math.ceil(app / 2))
    }
  }
})
