import { expect, test } from 'vitest'
import type { Operation } from '../../src/http/contract.ts'
import { operations, sendAll, useUnchangedGateway } from '../support/odd-requests.ts'

const { gateway, workspace, callOf, allowChanges, expectNothingStored } = await useUnchangedGateway()

const long = (start: string, length: number) => start.repeat(length)

/** Parameter values, which are rejected if they contain NUL. */
const NASTY_VALUES = [
  '%00',
  '%zz',
  '__proto__',
  long('9', 30),
  '%ff',
  long('x', 4000),
  'a%00b',
  '%ed%a0%80',
  '',
  '%27',
  '%5B%5D',
  '+',
]
/** Operations that return long documents for any query. */
const WHOLE_DOCUMENTS = new Set(['getImportTemplate', 'exportPassports', 'getOpenapiJson', 'getOpenapiYaml'])
const SELECTING = new Set(['page', 'category', 'archived'])
const NASTY_NAMES = ['x', 'page', 'category', 'lang', 'archived', '__proto__', 'x[]', '%00', '%zz']

test.each([...operations.keys()])('%s answers every odd query as the contract says', async (operationId) => {
  const place = [...operations.keys()].indexOf(operationId)
  const { parameters } = operations.get(operationId) as Operation
  const { method, path } = callOf(operationId)
  const isRead = method === 'GET'
  const own = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  const names = [...new Set([...NASTY_NAMES, ...own])]
  const pairs = names.flatMap((name, index) => {
    // All values of selecting parameters; a varying part for the others.
    const isSelecting = own.includes(name) && SELECTING.has(name)
    const some = WHOLE_DOCUMENTS.has(operationId) ? 12 : 6
    const values = NASTY_VALUES.filter((_, at) => isSelecting || at % some === (place + index) % some)
    return values.map((value) => ({ name, value, isGuarded: value.includes('%00') || name === '%00' }))
  })
  // A write would succeed with an ignored query.
  const sent = pairs.filter(({ isGuarded }) => isRead || isGuarded)
  const glue = path.includes('?') ? '&' : '?'
  const send = ({ name, value }: { name: string; value: string }) =>
    gateway.request(method, `${path}${glue}${name}=${value}`, { headers: workspace.as })
  const answers = await sendAll(sent, send)
  const isRight = ([{ isGuarded }, { status }]: (typeof answers)[number]) => (isGuarded ? status === 400 : status < 500)
  expect(answers.filter((answer) => !isRight(answer)).map(([pair, { text }]) => [pair, text])).toEqual([])
  if (isRead) await allowChanges()
  else await expectNothingStored()
})
