import { isUuid } from '../domain/identifiers.ts'
import type { Metadata } from '../domain/metadata.ts'
import { isRecord } from '../domain/record.ts'
import type { CompletenessReport } from '../publication/completeness-reports.ts'
import { type Commands, printable, readRecord, required, text, UsageError, word } from './command.ts'

/** What the law asks of a passport, and what of it is missing. */
export const COMPLETENESS_COMMANDS: Commands = {
  completeness: {
    summary: 'Say what the law asks of a passport and its units, and what of it is missing',
    words: ['[FILE|URL|-]'],
    options: {
      passport: { value: 'ID', meaning: 'A passport of this installation, in place of a file' },
      workspace: { value: 'ID', meaning: 'Whose passport it is' },
      lang: { value: 'LANGUAGE', meaning: 'Language of the labels', default: 'en' },
    },
    notes: ['A file has a passport, or its metadata. Ends with 0: nothing mandatory is missing; 1: something is.'],
    async run({ words, options, config, open }) {
      const lang = text(options, 'lang') ?? 'en'
      const passport = text(options, 'passport')
      if ((passport === undefined) === (words.length === 0)) throw new UsageError('Give a file, or --passport.')
      if (passport === undefined) {
        const metadata = metadataIn(await readRecord(word(words, 'FILE, URL or -')))
        const { loadPlugins } = await import('../plugin/loader.ts')
        const { default: completenessReports } = await import('../publication/completeness-reports.ts')
        const { default: descriptionsOf } = await import('../publication/descriptions.ts')
        const { default: translatorOf } = await import('../publication/translator.ts')
        const plugins = await loadPlugins((await config()).plugins)
        const descriptions = descriptionsOf({ plugins, translator: translatorOf({ plugins }) })
        return outcome(completenessReports({ plugins, descriptions }).of(metadata, lang))
      }
      const tenantId = required(options, 'workspace')
      if (!isUuid(tenantId)) throw new UsageError('--workspace must be a UUID.')
      const { completeness } = (await open()).cradle
      return outcome(await completeness.ofPassport({ tenantId, operatorId: null }, passport, lang))
    },
  },
}

/** Of a passport, or of its metadata alone. */
const metadataIn = (document: Record<string, unknown>) =>
  (isRecord(document.metadata) ? document.metadata : document) as Metadata

function outcome(report: CompletenessReport) {
  const { category, kind, counts, units, missing } = report
  const sorts = Object.entries(counts).map(([sort, { due, met }]) => `${met} of ${due} ${sort}`)
  return {
    json: report,
    lines: [
      [category, kind]
        .filter((name) => name !== null)
        .map((name) => printable(name))
        .join(', '),
      sorts.join(', '),
      ...(units.examined === 0 ? [] : [`${units.incomplete} of ${units.examined} units lack something mandatory`]),
      ...missing.map(({ points, due, key, label }) => `  ${due.padEnd(11)} ${points.join(', ')}: ${label} (${key})`),
    ],
    exitCode: report.isComplete ? 0 : 1,
  }
}
