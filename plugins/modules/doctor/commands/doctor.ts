import { type Commands, EXIT, printable } from '../../../../src/plugin/command.ts'

export default {
  doctor: {
    summary: 'Diagnose this installation and suggest fixes',
    notes: [
      'Reads the environment variables of the gateway and changes nothing. Run it as the user of the gateway, running or stopped.',
      'Exit code 1 if a check fails; warnings do not count.',
    ],
    async run({ config }) {
      const { examine } = await import('../examine.ts')
      const findings = await examine(config)
      const count = findings.filter(({ state }) => state === 'wrong').length
      const warnings = findings.filter(({ state }) => state === 'warning').length
      return {
        json: { healthy: count === 0, findings },
        table: {
          headings: ['CHECK', 'STATE', 'RESULT AND REMEDY'],
          rows: findings.map(({ check, state, message }) => [check, state, printable(message)]),
        },
        lines: ['', verdictOf(count, warnings)],
        exitCode: count === 0 ? 0 : EXIT.no,
      }
    },
  },
} satisfies Commands

const counted = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

const verdictOf = (wrongs: number, warnings: number) =>
  wrongs === 0
    ? `No errors, ${counted(warnings, 'warning')}.`
    : `${counted(wrongs, 'error')}, ${counted(warnings, 'warning')}.`
