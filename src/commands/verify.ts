import { existsSync, readFileSync } from 'node:fs'
import { headline, isUnreadable, nextStep } from '../verify/outcome.ts'
import type { Revocations } from '../verify/revocation.ts'
import type { Check, Verdict } from '../verify/verification.ts'
import { type Commands, EXIT, type Options, printable, text, UsageError, word } from './command.ts'

/** Whether a document holds. */
export const VERIFY_COMMANDS: Commands = {
  verify: {
    summary: 'Say what a document is and whether it holds; nothing is fetched with --offline',
    words: ['FILE|URL|-'],
    options: {
      offline: { value: 'FOLDER', meaning: 'Fetch nothing: what is needed is in this folder, as wget -x leaves it' },
      'seal-ca': { value: 'FILE', meaning: 'Certificates that stand for whoever sealed, in PEM' },
      crl: {
        value: 'FILE',
        meaning: 'Lists of revoked certificates of the seal CAs, DER or PEM; without it none is asked for',
      },
      'tsa-ca': { value: 'FILE', meaning: 'Certificates that stand for the timestamp, in PEM' },
      'allow-unknown-status': { meaning: 'A status that cannot be asked for does not matter' },
      'allow-localhost': { meaning: 'This machine itself may be asked, for development' },
    },
    notes: [
      'Ends with 0: valid; 1: not valid; 2: wrong usage; 3: cannot be read; 4: fits, but owner or status is unknown.',
    ],
    async run({ words, options, config }) {
      const { folderDocuments, readSubject, webDocuments } = await import('../outside/documents.ts')
      const { loadContexts } = await import('../plugin/loader.ts')
      const { verify } = await import('../verify/index.ts')
      const offline = text(options, 'offline')
      if (offline !== undefined && !existsSync(offline))
        throw new UsageError(`--offline: there is no folder ${offline}.`)
      const folder = offline === undefined ? undefined : folderDocuments(offline)
      const now = new Date()
      const revocations = await revocationsOf(options, now)
      const seals = {
        sealCa: await pem(options, 'seal-ca'),
        timestampCa: await pem(options, 'tsa-ca'),
        ...(revocations === undefined ? {} : { revocations }),
      }
      const verification = await verify(await readSubject(word(words, 'FILE, URL or -')), {
        documents: folder ?? webDocuments({ allowLocalhost: options['allow-localhost'] === true }),
        contexts: loadContexts((await config()).plugins),
        vocabulary: folder,
        now,
        allowUnknownStatus: options['allow-unknown-status'] === true,
        seals,
      })
      const { verdict, checks } = verification
      return {
        json: verification,
        lines: [headline(verification), ...checks.flatMap(linesOf)],
        exitCode: isUnreadable(verification) ? EXIT.unreadable : EXIT_OF[verdict],
      }
    },
  },
}

/** How `dpp verify` ends. */
const EXIT_OF: Readonly<Record<Verdict, number>> = { valid: 0, 'not valid': EXIT.no, undecided: EXIT.undecided }

/** A check for people: what was found, and what to do about it. */
function linesOf(check: Check): string[] {
  const mark = { true: 'ok  ', false: 'FAIL', null: '?   ' }[`${check.ok}`]
  const next = nextStep(check)
  return [
    `  ${mark}  ${check.name.padEnd(11)} ${printable(check.detail)}`,
    ...(next === undefined ? [] : [`${' '.repeat(20)}${next}`]),
  ]
}

async function revocationsOf(options: Options, now: Date): Promise<Revocations | undefined> {
  const file = text(options, 'crl')
  if (file === undefined) return undefined
  const { revocationsOf: read } = await import('../verify/revocation.ts')
  try {
    return read(readFileSync(file), now)
  } catch (error) {
    throw new UsageError(`--crl must be a file of lists of revoked certificates: ${(error as Error).message}`)
  }
}

async function pem(options: Options, name: string): Promise<string | undefined> {
  const file = text(options, name)
  if (file === undefined) return undefined
  const { certificatesOf } = await import('../verify/certificate.ts')
  try {
    const certificates = readFileSync(file, 'utf8')
    certificatesOf(certificates)
    return certificates
  } catch (error) {
    throw new UsageError(`--${name} must be a file of certificates in PEM: ${(error as Error).message}`)
  }
}
