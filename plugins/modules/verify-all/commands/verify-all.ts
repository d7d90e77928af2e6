import { type Commands, dictionary, EXIT, printable } from '../../../../src/plugin/command.ts'
import type { Cradle } from '../cradle.ts'

/** Failures in `--json`; all are counted. */
const MAX_LISTED = 1000
const PROGRESS_INTERVAL = 10_000

export default {
  'verify-all': {
    summary: 'Check every key, seal, stored credential, status list and audit trail of this installation',
    notes: [
      'Runs while the gateway runs, and after a restore. Prints each failure with its reason. Exit code 1 if a check fails.',
      'BASE_URL must be set as for the gateway, because credentials contain it.',
    ],
    async run({ open, print, tell, options }) {
      const { installationCheck } = (await open<Cradle>()).cradle
      const { KINDS } = await import('../services/installation-check.ts')
      const checked: Record<string, number> = Object.fromEntries(KINDS.map((kind) => [kind, 0]))
      const failures: object[] = []
      let failed = 0
      let done = 0
      for await (const { kind, workspaceId, id, why } of installationCheck.all()) {
        if (why === undefined) checked[kind] = (checked[kind] ?? 0) + 1
        else {
          failed += 1
          if (failures.length < MAX_LISTED) failures.push({ kind, workspaceId, id, why })
          if (options.json !== true)
            print({}, `FAIL  ${kind} ${printable(id)}, workspace ${workspaceId}: ${printable(why)}`)
        }
        done += 1
        if (done % PROGRESS_INTERVAL === 0) tell(`${done} checked …`)
      }
      const counts = Object.entries(checked).map(([kind, count]) => `${count} ${NAMES[kind] ?? kind}`)
      return {
        json: { valid: failed === 0, checked, failed, failures },
        lines: [`Valid: ${counts.join(', ')}. Failed: ${failed}.`],
        exitCode: failed === 0 ? 0 : EXIT.no,
      }
    },
  },
} satisfies Commands

const NAMES = dictionary<string>({
  key: 'keys',
  seal: 'seals',
  credential: 'credentials',
  status: 'status lists',
  audit: 'audit trails',
})
