import { expect, test } from 'vitest'
import { earlierVersions, openEarlierVersions } from '../support/earlier-versions.ts'
import { recordRun } from '../support/long-runs.ts'
import { randomOf } from '../support/numbers.ts'

// `npm run upgrade` asks for it: it needs the history, and minutes for each version. `upgrade.test.ts` is what runs always.
const COMMITS = Number(process.env.UPGRADE_COMMITS ?? 0)
const SEED = Number(process.env.UPGRADE_SEED ?? 1)

test.skipIf(COMMITS === 0)(
  'databases of earlier versions are taken over, and serve what they served',
  {
    timeout: 0,
  },
  async () => {
    const random = randomOf(SEED)
    const all = earlierVersions().map((version) => ({ ...version, place: random() - (version.isPromised ? 1 : 0) }))
    const chosen = all.toSorted((one, other) => one.place - other.place).slice(0, COMMITS)
    const counts = { documents: 0, seals: 0 }
    const failed: Record<'promised' | 'others', string[]> = { promised: [], others: [] }
    const versions = await openEarlierVersions()
    try {
      for (const [index, { commit, isPromised }] of chosen.entries()) {
        const { documents, seals, wrong } = await versions.takeOver(commit)
        counts.documents += documents
        counts.seals += seals
        if (wrong.length > 0) failed[isPromised ? 'promised' : 'others'].push(`${commit}: ${wrong.join('\n  ')}`)
        const outcome = wrong.length === 0 ? `${documents} documents, ${seals} seals` : wrong.join('\n  ')
        console.error(
          `upgrade: ${index + 1} of ${chosen.length}, ${commit}${isPromised ? '' : ' (written anew since)'}: ${outcome}`,
        )
      }
    } finally {
      await versions.close()
    }
    expect(failed.promised).toEqual([])
    const [kept, rewritten] = [true, false].map((isMeant) =>
      [chosen, all].map((list) => list.filter(({ isPromised }) => isPromised === isMeant).length).join(' of '),
    )
    recordRun({
      what: 'upgrade',
      tried: `${kept} databases of earlier commits; of ${rewritten} commits with a migration that was written anew before the first release, ${failed.others.length} did not go forward; ${counts.documents} documents and ${counts.seals} seals`,
      seed: SEED,
    })
  },
)
