import { LAYOUTS } from '../carriers/layouts.ts'
import { ERROR_CORRECTIONS, SYMBOLOGIES } from '../carriers/matrix.ts'
import { isUuid } from '../domain/identifiers.ts'
import type { LabelReport, LabelRequest } from '../services/labels.ts'
import { type Commands, type Options, printable, required, text, UsageError, writeWhole } from './command.ts'

/** Codes to print. */
export const LABEL_COMMANDS: Commands = {
  labels: {
    usage:
      '--workspace ID (--passport ID[,ID…] | --unit ID[,ID…] | --units-of ID [--from S --to S]) --out FILE\n' +
      '[--format pdf|png|svg --layout L7160 --symbology qr|datamatrix --ecl M|Q|H --size 128…2048 --hri --caption --lang de]\n' +
      'png and svg are a ZIP with a file of each code and manifest.json',
    summary: 'Print the codes of passports and battery units: sheets of labels, or a file of each',
    options: [
      ...['workspace', 'passport', 'unit', 'units-of', 'from', 'to'],
      ...['out', 'format', 'layout', 'symbology', 'ecl', 'size', 'lang'],
    ],
    flags: ['hri', 'caption'],
    async run({ options, open }) {
      const request = labelRequest(options)
      const workspace = required(options, 'workspace')
      if (!isUuid(workspace)) throw new UsageError('--workspace must be a UUID.')
      const out = required(options, 'out')
      const { labels } = (await open()).cradle
      const report: LabelReport = { included: 0, skipped: [] }
      const pieces = labels.draw({ tenantId: workspace, operatorId: null }, request, report)
      const bytes = await writeWhole(out, withProgress(pieces, report))
      return {
        json: { file: out, bytes, ...report },
        lines: [
          `${report.included} labels: ${out}`,
          ...report.skipped.map(({ id, reason }) => `${reason.padEnd(10)} ${printable(id)}`),
        ],
        exitCode: report.included === 0 ? 1 : 0,
      }
    },
  },
}

/** What the options of `dpp labels` ask for. */
function labelRequest(options: Options): LabelRequest {
  const sources = ['passport', 'unit', 'units-of'].filter((name) => options[name] !== undefined)
  if (sources.length !== 1) throw new UsageError('Give one of --passport, --unit and --units-of.')
  const idsOf = (name: string) => (text(options, name) ?? '').split(',').map((id) => id.trim())
  const size = text(options, 'size')
  if (size !== undefined && !/^\d{1,9}$/.test(size)) throw new UsageError('--size must be a whole number of pixels.')
  const looks = {
    format: choice(options, 'format', ['pdf', 'png', 'svg']) ?? 'pdf',
    symbology: choice(options, 'symbology', SYMBOLOGIES),
    ecl: choice(options, 'ecl', ERROR_CORRECTIONS),
    layout: choice(options, 'layout', Object.keys(LAYOUTS)),
    size: size === undefined ? undefined : Number(size),
    hri: options.hri === true,
    caption: options.caption === true,
    lang: text(options, 'lang'),
  }
  const range = { from: text(options, 'from'), to: text(options, 'to') }
  if (options.passport !== undefined) return { subject: 'passport', ids: idsOf('passport'), ...looks }
  if (options.unit !== undefined) return { subject: 'unit', ids: idsOf('unit'), ...range, ...looks }
  return { subject: 'unit', passportId: text(options, 'units-of'), ...range, ...looks }
}

/** The value of an option that has to be one of these. */
function choice<T extends string>(options: Options, name: string, values: readonly T[]): T | undefined {
  const value = text(options, name)
  const found = values.find((each) => each === value)
  if (value !== undefined && found === undefined) {
    throw new UsageError(`--${name} must be one of: ${values.join(', ')}.`)
  }
  return found
}

/** How many labels are drawn between two words about it. */
const PROGRESS_LABELS = 1000

/** Says beside the output how far it is. */
async function* withProgress(pieces: AsyncIterable<Uint8Array>, report: LabelReport): AsyncGenerator<Uint8Array> {
  let told = 0
  for await (const piece of pieces) {
    yield piece
    if (report.included - told < PROGRESS_LABELS) continue
    told = report.included - (report.included % PROGRESS_LABELS)
    console.error(`${told} labels …`)
  }
}
