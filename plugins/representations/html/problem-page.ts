import type { Problem } from '../../../src/plugin/index.ts'
import { dictionary } from '../../../src/plugin/index.ts'
import type { Texts } from './texts.ts'

/** Everything that `templates/problem.eta` writes. */
interface ProblemPage {
  readonly lang: string
  readonly title: string
  readonly text: string
  readonly hints: readonly string[]
  readonly code: string
}

/** How many hints the locale files have for each status; any other status is answered by `other`. */
const HINTS = dictionary<number>({
  400: 2,
  401: 2,
  403: 2,
  404: 3,
  406: 1,
  410: 1,
  429: 1,
  500: 1,
  503: 1,
  other: 2,
})

/**
 * A problem for people: what it means and what to do. The message of the problem is technical English, may repeat
 * what the visitor sent, and is left out.
 */
export function problemPage({ status, fields }: Problem, texts: Texts): ProblemPage {
  const { t } = texts
  const known = knownAs(status)
  const hints = Array.from({ length: HINTS[known] as number }, (_, index) => t(`problem.${known}.hint${index + 1}`))
  // RFC 9110 §10.2.3: seconds, or a date that only a clock could turn into a waiting time.
  const wait = fields.headers?.['retry-after']
  if (status === 429 && wait !== undefined && /^[1-9]\d{0,4}$/.test(wait)) {
    hints[0] = t('problem.429.retry', { count: Number(wait) })
  }
  return {
    lang: texts.lang,
    title: t(`problem.${known}.title`),
    text: t(`problem.${known}.text`),
    hints,
    code: t('problem.code', { status }),
  }
}

/** Under which of {@link HINTS} a status stands. */
function knownAs(status: number): string {
  if (Object.hasOwn(HINTS, status)) return String(status)
  return status >= 500 ? '500' : 'other'
}
