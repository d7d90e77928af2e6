import { printable } from '../../../src/plugin/command.ts'
import type { Exchange } from './probe.ts'
import type { Result, Run, Verdict } from './run.ts'

const MAX_EXCHANGES = 3
const MAX_BODY_CHARACTERS = 1000
const VERDICTS: readonly Verdict[] = ['pass', 'fail', 'warn', 'skip']

export const countsOf = (results: readonly Result[]): Record<Verdict, number> =>
  Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, results.filter((result) => result.verdict === verdict).length]),
  ) as Record<Verdict, number>

const isFault = ({ verdict }: Result) => verdict === 'fail' || verdict === 'warn'

/** Credentials are secrets, also in a report. */
const hidden = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, /^(?:authorization|set-cookie)$/.test(name) ? '…' : value]),
  )

const cut = (text: string) =>
  text.length > MAX_BODY_CHARACTERS ? `${text.slice(0, MAX_BODY_CHARACTERS)}… (${text.length} characters)` : text

function exchangeJson({ request, reply, error }: Exchange) {
  return {
    request: {
      ...request,
      headers: hidden(request.headers),
      ...(request.body !== undefined && { body: cut(request.body) }),
    },
    ...(reply && { response: { status: reply.status, headers: hidden(reply.headers), body: cut(reply.text) } }),
    ...(error !== undefined && { error }),
  }
}

const lastExchanges = ({ exchanges }: Result) => exchanges.slice(-MAX_EXCHANGES)

export const jsonOf = ({ target, results, requests, exhausted }: Run) => ({
  url: target.passportUrl ?? null,
  api: target.api,
  productId: target.productId ?? null,
  passportId: target.dppId ?? null,
  counts: countsOf(results),
  requests,
  ...(exhausted !== undefined && { exhausted }),
  checks: results.map((result) => {
    const { id, clause, title, should } = result.check
    return {
      ...{ id, clause, title, level: should ? 'should' : 'shall', verdict: result.verdict },
      ...(result.reason !== undefined && { reason: result.reason }),
      ...(isFault(result) && { exchanges: lastExchanges(result).map(exchangeJson) }),
    }
  }),
})

const MARKS: Readonly<Record<Verdict, string>> = { pass: 'ok  ', fail: 'FAIL', warn: 'WARN', skip: 'skip' }

/** Lines of one check; a fault with its last requests and responses. */
export function linesOf(result: Result): string[] {
  const { check, verdict, reason } = result
  const head = `${MARKS[verdict]}  ${check.id}  ${check.title} (${check.clause})`
  const why = reason === undefined ? [] : [`      ${printable(reason)}`]
  return [head, ...why, ...(isFault(result) ? lastExchanges(result).flatMap(exchangeLines) : [])]
}

function exchangeLines({ request, reply, error }: Exchange): string[] {
  const headers = Object.entries(hidden(request.headers)).map(([name, value]) => ` ${name}: ${value}`)
  const body = request.body === undefined ? '' : ` ${cut(request.body)}`
  const response =
    reply === undefined
      ? `no response: ${error}`
      : `${reply.status} ${reply.header('content-type')} ${cut(reply.text).slice(0, 200).replaceAll(/\s+/g, ' ')}`
  return [`      > ${request.method} ${request.url}${headers.join(';')}${body}`, `      < ${response}`].map(printable)
}

/** Skipped checks as one line per reason. */
export function skippedLines(results: readonly Result[]): string[] {
  const byReason = Map.groupBy(
    results.filter(({ verdict }) => verdict === 'skip'),
    ({ reason = '' }) => reason,
  )
  return [...byReason].map(([reason, skipped]) => {
    const groups = [...new Set(skipped.map(({ check }) => check.id.split('.', 1)[0]))]
    return `skip  ${counted(skipped.length, 'check')} of ${groups.join(', ')}: ${printable(reason)}`
  })
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

export function summaryOf({ results, requests, exhausted }: Run): string {
  const { pass, fail, warn, skip } = countsOf(results)
  const counts = `${counted(results.length, 'check')}: ${pass} passed, ${fail} failed, ${counted(warn, 'warning')}, ${skip} skipped`
  return `${counts}; ${counted(requests, 'request')}.${exhausted === undefined ? '' : ` Ended early: ${exhausted}.`}`
}

const xml = (text: string) =>
  printable(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** JUnit: a suite for each group; warnings are passed tests with output. */
export function junitOf({ results }: Run): string[] {
  const groups = Map.groupBy(results, ({ check }) => check.id.split('.', 1)[0] as string)
  const suites = [...groups].flatMap(([name, members]) => {
    const { fail, skip } = countsOf(members)
    return [
      `  <testsuite name="${xml(name)}" tests="${members.length}" failures="${fail}" skipped="${skip}">`,
      ...members.flatMap(testCase),
      '  </testsuite>',
    ]
  })
  const { fail, skip } = countsOf(results)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="dpp conformance" tests="${results.length}" failures="${fail}" skipped="${skip}">`,
    ...suites,
    '</testsuites>',
  ]
}

function testCase(result: Result): string[] {
  const { check, verdict, reason = '', durationMs } = result
  const name = xml(`${check.id}: ${check.title} (${check.clause})`)
  const head = `    <testcase classname="${xml(check.id.split('.', 1)[0] ?? '')}" name="${name}" time="${durationMs / 1000}"`
  const details = lastExchanges(result).flatMap(exchangeLines).map(xml).join('\n')
  if (verdict === 'pass') return [`${head}/>`]
  const inner =
    verdict === 'skip'
      ? `<skipped message="${xml(reason)}"/>`
      : verdict === 'fail'
        ? `<failure message="${xml(reason)}">${details}</failure>`
        : `<system-out>Warning: ${xml(reason)}</system-out>`
  return [`${head}>`, `      ${inner}`, '    </testcase>']
}
