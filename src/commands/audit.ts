import type { AuditEntry, ChainPlace } from '../audit/audit-chain.ts'
import type { ChainVerdict } from '../audit/audit-trail.ts'
import { type Commands, type Options, printable, required, text, UsageError, writeWhole } from './command.ts'

export const AUDIT_COMMANDS: Commands = {
  'audit verify': {
    summary: 'Verify the audit trail against changed, removed, inserted or moved entries',
    options: {
      workspace: { value: 'ID', meaning: 'The workspace', default: 'all workspaces' },
      head: {
        value: 'SEQUENCE:HASH',
        meaning: 'Earlier head that the chain must contain',
      },
    },
    notes: ['Prints the head of each trail: store it elsewhere. Exit code 1 if a trail is not intact.'],
    async run({ options, open }) {
      const workspace = text(options, 'workspace')
      const noted = headOf(options)
      if (noted !== undefined && workspace === undefined) throw new UsageError('--head needs --workspace.')
      const { auditTrail } = (await open()).cradle
      const verdicts: ChainVerdict[] = []
      for await (const verdict of auditTrail.verify(workspace, noted && [noted])) verdicts.push(verdict)
      const isWhole = verdicts.every(({ faults }) => faults.length === 0)
      return {
        json: { whole: isWhole, workspaces: verdicts.map((verdict) => ({ ...verdict, head: textOf(verdict.head) })) },
        lines: verdicts.flatMap(linesOf),
        exitCode: isWhole ? 0 : 1,
      }
    },
  },
  'audit export': {
    summary: 'Export the audit trail of a workspace as JSON Lines with hashes',
    options: {
      workspace: { value: 'ID', needed: true, meaning: 'The workspace' },
      out: { value: 'FILE', meaning: 'Output file', default: 'standard output' },
      from: { value: 'ISO', meaning: 'Start of the period' },
      to: { value: 'ISO', meaning: 'End of the period' },
    },
    async run({ options, open, print }) {
      const span = { from: text(options, 'from'), to: text(options, 'to') }
      const out = text(options, 'out')
      const workspace = required(options, 'workspace')
      const { auditTrail } = (await open()).cradle
      const entries = auditTrail.entries(workspace, span)
      if (out === undefined) {
        for await (const entry of entries) print(entry, JSON.stringify(entry))
        return undefined
      }
      const bytes = await writeWhole(out, jsonLines(entries))
      return { json: { file: out, bytes }, lines: [`${out}: ${bytes} bytes.`] }
    },
  },
}

const textOf = ({ sequence, hash }: ChainPlace): string => `${sequence}:${hash}`

function headOf(options: Options): ChainPlace | undefined {
  const given = text(options, 'head')
  if (given === undefined) return undefined
  const [, sequence, hash] = /^([0-9]{1,15}):([0-9a-f]{64})$/.exec(given) ?? []
  if (sequence === undefined || hash === undefined)
    throw new UsageError('--head must be in the format that "dpp audit verify" prints.')
  return { sequence: Number(sequence), hash }
}

function linesOf({ workspaceId, workspace, entries, head, faults }: ChainVerdict): string[] {
  const mark = faults.length === 0 ? 'ok  ' : 'FAIL'
  return [
    `${mark}  ${workspaceId}  ${printable(workspace)}: ${entries} entries, head ${textOf(head)}`,
    ...faults.map(({ fault }) => `      ${fault}`),
  ]
}

async function* jsonLines(entries: AsyncIterable<AuditEntry>): AsyncGenerator<Buffer> {
  for await (const entry of entries) yield Buffer.from(`${JSON.stringify(entry)}\n`)
}
