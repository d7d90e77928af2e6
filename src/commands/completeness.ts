import { existsSync } from 'node:fs'
import type { Documents } from '../client/index.ts'
import type { Metadata } from '../domain/metadata.ts'
import { isRecord } from '../domain/record.ts'
import { Unreadable } from '../outbound/files.ts'
import { type Commands, type Outcome, printable, readRecord, text, word } from './command.ts'

export const COMPLETENESS_COMMANDS: Commands = {
  completeness: {
    summary: 'List missing attributes required by law of a passport in a file',
    words: ['FILE|URL|-'],
    options: { lang: { value: 'LANGUAGE', meaning: 'Language of the labels', default: 'en' } },
    notes: [
      'FILE contains a passport or its metadata. Exit code 1 if a mandatory attribute is missing.',
      'For a passport at a gateway, with its units: dpp passport completeness ID.',
    ],
    async run({ words, options, config }) {
      const subject = word(words, 'FILE, URL or -')
      if (/^[\w.-]+$/.test(subject) && subject !== '-' && !existsSync(subject)) {
        throw new Unreadable(
          `File ${subject} not found. For a passport at a gateway: dpp passport completeness ${subject}`,
        )
      }
      const metadata = metadataIn(await readRecord(subject))
      const { loadPlugins } = await import('../plugin/loader.ts')
      const { default: completenessReports } = await import('../read-model/completeness-reports.ts')
      const { default: descriptionsOf } = await import('../read-model/descriptions.ts')
      const { default: translatorOf } = await import('../read-model/translator.ts')
      const plugins = await loadPlugins((await config()).plugins)
      const descriptions = descriptionsOf({ plugins, translator: translatorOf({ plugins }) })
      return outcomeOfReport(completenessReports({ plugins, descriptions }).of(metadata, text(options, 'lang') ?? 'en'))
    },
  },
}

type Report = Omit<Documents['CompletenessReport'], 'success' | 'passportId' | 'productId'>

const metadataIn = (document: Record<string, unknown>) =>
  (isRecord(document.metadata) ? document.metadata : document) as Metadata

/** Sets exit code 1 if a mandatory attribute is missing. */
export function outcomeOfReport(report: Report): Outcome {
  const { category, kind, counts, units, missing } = report
  return {
    json: report,
    lines: [
      [category, kind]
        .filter((name) => name !== null)
        .map((name) => printable(name))
        .join(', '),
      countsLine(counts),
      ...(units.examined === 0 ? [] : [`${units.incomplete} of ${units.examined} units lack mandatory attributes`]),
      ...missing.map(({ points, due, key, label }) => `  ${due.padEnd(11)} ${points.join(', ')}: ${label} (${key})`),
    ],
    exitCode: report.isComplete ? 0 : 1,
  }
}

export const countsLine = (counts: Report['counts']): string =>
  Object.entries(counts)
    .map(([sort, { due, met }]) => `${met} of ${due} ${sort}`)
    .join(', ')
