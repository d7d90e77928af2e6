import {
  type Commands,
  isUuid,
  type Options,
  printable,
  required,
  text,
  UsageError,
  writeWhole,
} from '../../../../src/plugin/command.ts'
import type { Cradle } from '../cradle.ts'
import type { LabelRequest } from '../label-request.ts'
import { LAYOUT_NAMES } from '../layout-names.ts'
import type { LabelReport } from '../select-labels.ts'

// Written out, because a command must not load the code that draws.
const FORMATS = ['pdf', 'png', 'svg'] as const
const SYMBOLOGIES = ['qr', 'datamatrix'] as const
const ERROR_CORRECTIONS = ['M', 'Q', 'H'] as const

export default {
  labels: {
    summary: 'Create labels with codes of passports or units',
    options: {
      workspace: { value: 'ID', needed: true, meaning: 'The workspace' },
      out: { value: 'FILE', needed: true, meaning: 'Output file' },
      passport: { value: 'ID,…', meaning: 'Passports to label' },
      unit: { value: 'ID,…', meaning: 'Battery units to label' },
      'units-of': { value: 'ID', meaning: 'Passport whose units to label' },
      from: { value: 'SERIAL', meaning: 'First serial number' },
      to: { value: 'SERIAL', meaning: 'Last serial number' },
      format: {
        value: 'FORMAT',
        meaning: 'Sheets (PDF), or a ZIP with one file per code and manifest.json',
        values: FORMATS,
        default: 'pdf',
      },
      layout: { value: 'NAME', meaning: 'Layout of the sheet', values: LAYOUT_NAMES, default: 'L7160' },
      symbology: { value: 'NAME', meaning: 'Kind of code', values: SYMBOLOGIES, default: 'qr' },
      ecl: { value: 'LEVEL', meaning: 'Error correction of QR codes', values: ERROR_CORRECTIONS, default: 'M' },
      size: { value: 'PIXELS', meaning: 'Width of a picture, 128 to 2048' },
      hri: { meaning: 'Print the content of the code as text' },
      caption: { meaning: 'Print a caption' },
      lang: { value: 'LANGUAGE', meaning: 'Language of texts', default: 'en' },
    },
    async run({ options, open, tell }) {
      const request = labelRequest(options)
      const workspace = required(options, 'workspace')
      if (!isUuid(workspace)) throw new UsageError('--workspace must be a UUID.')
      const out = required(options, 'out')
      const { labels } = (await open<Cradle>()).cradle
      const report: LabelReport = { included: 0, skipped: [] }
      const pieces = labels.draw({ tenantId: workspace, operatorId: null }, request, report)
      const bytes = await writeWhole(out, withProgress(pieces, report, tell))
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
} satisfies Commands

function labelRequest(options: Options): LabelRequest {
  const sources = ['passport', 'unit', 'units-of'].filter((name) => options[name] !== undefined)
  if (sources.length !== 1) throw new UsageError('Set exactly one of --passport, --unit and --units-of.')
  const idsOf = (name: string) => (text(options, name) ?? '').split(',').map((id) => id.trim())
  const size = text(options, 'size')
  if (size !== undefined && !/^\d{1,9}$/.test(size)) throw new UsageError('--size must be an integer number of pixels.')
  const looks = {
    format: choice(options, 'format', FORMATS) ?? 'pdf',
    symbology: choice(options, 'symbology', SYMBOLOGIES),
    ecl: choice(options, 'ecl', ERROR_CORRECTIONS),
    layout: choice(options, 'layout', LAYOUT_NAMES),
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

function choice<T extends string>(options: Options, name: string, values: readonly T[]): T | undefined {
  const value = text(options, name)
  const found = values.find((each) => each === value)
  if (value !== undefined && found === undefined) {
    throw new UsageError(`--${name} must be one of: ${values.join(', ')}.`)
  }
  return found
}

const PROGRESS_LABELS = 1000

async function* withProgress(
  pieces: AsyncIterable<Uint8Array>,
  report: LabelReport,
  tell: (message: string) => void,
): AsyncGenerator<Uint8Array> {
  let reported = 0
  for await (const piece of pieces) {
    yield piece
    if (report.included - reported < PROGRESS_LABELS) continue
    reported = report.included - (report.included % PROGRESS_LABELS)
    tell(`${reported} labels …`)
  }
}
