import { existsSync } from 'node:fs'
import { type Commands, momentOf, text, UsageError, word, writeWhole } from '../../../../src/plugin/command.ts'

/** Owner only: the file and MASTER_KEY reveal everything. */
const MODE = 0o600

export default {
  backup: {
    summary: 'Back up the database to one encrypted file while the gateway runs',
    words: ['FILE|-'],
    options: { force: { meaning: 'Overwrite an existing file' } },
    notes: [
      'Contains all data acknowledged before it started. Only the MASTER_KEY of this installation decrypts it: store the key separately.',
      'Media in an object store (MEDIA_S3_ENDPOINT) is not included. "-" is standard output.',
    ],
    async run({ words, options, config, tell }) {
      const file = word(words, 'FILE or -')
      if (file !== '-' && options.force !== true && existsSync(file)) {
        throw new UsageError(`${file} already exists. Choose another file, or add --force.`)
      }
      const { backUp } = await import('../backup.ts')
      const made = await backUp(
        await config(),
        (pieces) => (file === '-' ? toOutput(pieces) : writeWhole(file, pieces, { option: 'FILE', mode: MODE })),
        tell,
      )
      const line = `${made.rows} rows of ${made.tables} tables are in ${file}: ${made.bytes} bytes, as of ${made.createdAt}.`
      if (file !== '-') return { json: { file, ...made }, lines: [line] }
      tell(line)
      return undefined
    },
  },
  restore: {
    summary: 'Restore a backup into an empty database, completely or not at all',
    words: ['FILE'],
    options: {
      'as-of': {
        value: 'ISO',
        meaning:
          'Time of a database copy restored by other means, without FILE; numbers assigned since then are not reused',
      },
    },
    notes: [
      'Set DATABASE_URL to an empty database, or DATA_DIR to an empty folder, and MASTER_KEY or DATA_DIR/master.key to the key of the backup. Stop all gateways on it.',
      'After a failed restore the database is empty: run it again. Migrates the schema. Then run dpp verify-all.',
    ],
    async run({ words, options, config, tell }) {
      const asOf = text(options, 'as-of')
      if (asOf !== undefined) {
        if (words.length > 0)
          throw new UsageError('--as-of must not be combined with FILE: a backup contains its time.')
        const { markRestored } = await import('../backup.ts')
        const moment = await momentBefore(asOf)
        await markRestored(await config(), moment)
        const line = `Status-list entries, key numbers and row numbers continue after a gap. ${NEXT}`
        return { json: { asOf: moment.toISOString() }, lines: [line] }
      }
      const file = word(words, 'FILE')
      const { restore } = await import('../backup.ts')
      const restored = await restore(await config(), file, tell)
      const { tables, rows, createdAt, migrated } = restored
      return {
        json: { file, ...restored },
        lines: [
          `${rows} rows of ${tables} tables are restored, as of ${createdAt}. ${NEXT}`,
          ...migrated.map((name) => `Migrated: ${name}`),
        ],
      }
    },
  },
} satisfies Commands

const NEXT = 'Run dpp verify-all, then start the gateway.'

async function momentBefore(asOf: string): Promise<Date> {
  const moment = new Date(momentOf(asOf) ?? Number.NaN)
  if (moment.getTime() <= Date.now()) return moment
  throw new UsageError('--as-of must be an ISO 8601 timestamp of the past, such as 2026-11-23T10:00:00Z.')
}

/** @throws UsageError if the reader closed the pipe, or the disk is full */
async function toOutput(pieces: AsyncIterable<Buffer>): Promise<number> {
  process.stdout.on('error', () => {})
  let bytes = 0
  for await (const piece of pieces) {
    const error = await new Promise<Error | null | undefined>((written) => process.stdout.write(piece, written))
    if (error) throw new UsageError(`standard output: ${error.message}`)
    bytes += piece.length
  }
  return bytes
}
