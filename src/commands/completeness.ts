import { isUuid } from '../domain/identifiers.ts'
import type { Metadata } from '../domain/metadata.ts'
import { isRecord } from '../domain/record.ts'
import { readSubject, Unreadable } from '../outside/documents.ts'
import { loadPlugins } from '../plugin/loader.ts'
import completenessReports, { type CompletenessReport } from '../publication/completeness-reports.ts'
import descriptionsOf from '../publication/descriptions.ts'
import translatorOf from '../publication/translator.ts'
import { type Commands, printable, required, text, UsageError, word } from './command.ts'

/** What the law asks of a passport, and what of it is missing. */
export const COMPLETENESS_COMMANDS: Commands = {
  completeness: {
    usage:
      '(FILE|URL|- | --workspace ID --passport ID) [--lang de]\n' +
      'A file has a passport, or its metadata. Ends with 0: nothing mandatory is missing; 1: something is',
    summary: 'Say what the law asks of a passport and its units, and what of it is missing',
    options: ['workspace', 'passport', 'lang'],
    words: 1,
    async run({ words, options, config, open }) {
      const lang = text(options, 'lang') ?? 'en'
      const passport = text(options, 'passport')
      if ((passport === undefined) === (words.length === 0)) throw new UsageError('Give a file, or --passport.')
      if (passport === undefined) {
        const metadata = metadataIn(await readSubject(word(words, 'FILE, URL or -')))
        const plugins = await loadPlugins(config.plugins)
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

/** @throws Unreadable for what is neither a passport nor its metadata */
function metadataIn(document: string): Metadata {
  let parsed: unknown
  try {
    parsed = JSON.parse(document)
  } catch (error) {
    throw new Unreadable(`It is not JSON: ${(error as Error).message}`)
  }
  const metadata = isRecord(parsed) && isRecord(parsed.metadata) ? parsed.metadata : parsed
  if (!isRecord(metadata)) throw new Unreadable('It is neither a passport nor its metadata.')
  return metadata as Metadata
}

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
