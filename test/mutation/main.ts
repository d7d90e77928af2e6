import { recordRun } from '../support/long-runs.ts'
import { mutate } from './run.ts'

/** Of the mutants of an area, how many the tests have to notice. */
const LEAST = 0.8

// Names of areas; of one a single file, behind a colon.
for (const word of process.argv.slice(2)) {
  const [area = '', file] = word.split(':')
  const { mutants, noticed, survivors } = await mutate(area, file)
  const share = `${((100 * noticed) / mutants).toFixed(1)} %`
  console.log([...survivors, `${word}: ${noticed} of ${mutants} mutants were noticed, ${share}.`].join('\n'))
  if (noticed < LEAST * mutants) process.exitCode = 1
  recordRun({
    what: 'mutation',
    tried: `${word}: ${mutants} mutants, ${share} noticed`,
    failed: noticed === mutants ? 'nothing' : `${mutants - noticed} were not noticed`,
  })
}
