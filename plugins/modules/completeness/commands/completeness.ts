import { existsSync } from 'node:fs'
import {
  type Commands,
  countsLine,
  type Documents,
  isRecord,
  type Outcome,
  printable,
  readRecord,
  remote,
  text,
  Unreadable,
  word,
} from '../../../../src/plugin/command.ts'
import type { Metadata } from '../../../../src/plugin/index.ts'

export default {
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
      const { descriptions, loadPlugins, passportViews, translator } = await import('../../../../src/plugin/module.ts')
      const { default: completenessReports } = await import('../services/completeness-reports.ts')
      const given = await config()
      const plugins = await loadPlugins(given.plugins)
      const reports = completenessReports({
        plugins,
        descriptions: descriptions({ plugins, translator: translator({ plugins }) }),
        passportViews: passportViews({ config: given, plugins }),
      })
      return outcomeOfReport(reports.of(metadata, text(options, 'lang') ?? 'en'))
    },
  },
  'passport completeness': remote('getPassportCompleteness', {
    summary: 'List missing attributes required by law of a passport and its units',
    words: { ID: 'id' },
    options: { lang: { value: 'LANGUAGE', meaning: 'Language of the labels', fills: 'lang' } },
    notes: ['Exit code 1 if a mandatory attribute is missing.'],
    show: outcomeOfReport,
  }),
} satisfies Commands

type Report = Omit<Documents['CompletenessReport'], 'success' | 'passportId' | 'productId'>

const metadataIn = (document: Record<string, unknown>) =>
  (isRecord(document.metadata) ? document.metadata : document) as Metadata

/** Sets exit code 1 if a mandatory attribute is missing. */
function outcomeOfReport(report: Report): Outcome {
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
