import { existsSync, readFileSync } from 'node:fs'
import { folderDocuments, readSubject, webDocuments } from '../outside/documents.ts'
import { loadContexts } from '../plugin/loader.ts'
import { certificatesOf } from '../verify/certificate.ts'
import { verify } from '../verify/index.ts'
import { headline, isUnreadable, nextStep } from '../verify/outcome.ts'
import type { Check, Verdict } from '../verify/verification.ts'
import { type Commands, EXIT, type Options, printable, text, UsageError, word } from './command.ts'

/** Whether a document holds. */
export const VERIFY_COMMANDS: Commands = {
  verify: {
    usage:
      'FILE|URL|- [--offline DIR --seal-ca FILE --tsa-ca FILE --allow-unknown-status --allow-localhost]\n' +
      'Ends with 0: valid; 1: not valid; 2: wrong usage; 3: cannot be read; 4: fits, but owner or status is unknown',
    summary: 'Say what a document is and whether it holds; nothing is fetched with --offline',
    options: ['offline', 'seal-ca', 'tsa-ca'],
    flags: ['allow-unknown-status', 'allow-localhost'],
    words: 1,
    async run({ words, options, config }) {
      const offline = text(options, 'offline')
      if (offline !== undefined && !existsSync(offline))
        throw new UsageError(`--offline: there is no folder ${offline}.`)
      const folder = offline === undefined ? undefined : folderDocuments(offline)
      const seals = { sealCa: pem(options, 'seal-ca'), timestampCa: pem(options, 'tsa-ca') }
      const verification = await verify(await readSubject(word(words, 'FILE, URL or -')), {
        documents: folder ?? webDocuments({ allowLocalhost: options['allow-localhost'] === true }),
        contexts: loadContexts(config.plugins),
        vocabulary: folder,
        now: new Date(),
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
const EXIT_OF: Readonly<Record<Verdict, number>> = { valid: 0, 'not valid': 1, undecided: 4 }

/** A check for people: what was found, and what to do about it. */
function linesOf(check: Check): string[] {
  const mark = { true: 'ok  ', false: 'FAIL', null: '?   ' }[`${check.ok}`]
  const next = nextStep(check)
  return [
    `  ${mark}  ${check.name.padEnd(11)} ${printable(check.detail)}`,
    ...(next === undefined ? [] : [`${' '.repeat(20)}${next}`]),
  ]
}

function pem(options: Options, name: string): string | undefined {
  const file = text(options, name)
  if (file === undefined) return undefined
  try {
    const certificates = readFileSync(file, 'utf8')
    certificatesOf(certificates)
    return certificates
  } catch (error) {
    throw new UsageError(`--${name} must be a file of certificates in PEM: ${(error as Error).message}`)
  }
}
