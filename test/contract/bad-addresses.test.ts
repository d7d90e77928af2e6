import { expect, test } from 'vitest'
import { MAX_TARGET_CHARACTERS } from '../../src/start/bounds.ts'
import { operations, sendAll, useUnchangedGateway } from '../support/odd-requests.ts'

const { gateway, workspace, callOf, expectNothingStored } = await useUnchangedGateway()

const withPath = [...operations.values()].filter(({ path }) => path.includes('{')).map(({ operationId }) => operationId)

const long = (start: string, length: number) => start.repeat(length)

/** Escapes of malformed text, and NUL. */
const BROKEN_SEGMENTS = ['%zz', '%', '%f', '%ff', '%c3%28', '%ed%a0%80', '%00', 'a%00b', '%c0%80']
const NASTY_SEGMENTS = [
  '..%2f..',
  '__proto__',
  'constructor',
  'toString',
  '%F0%9F%92%A9',
  '%27%3B--',
  long('9', 30),
  long('x', 601),
  long('%C3%A4', 201),
  '%20',
  '-1',
  'null',
  '00000000-0000-0000-0000-000000000000',
  '%7B%7D',
  '%0d%0a',
]

test.each(withPath)('%s answers every odd value in its address as the contract says', async (operationId) => {
  const { path, method } = operations.get(operationId) ?? { path: '', method: '' }
  const { json } = callOf(operationId)
  const addressOf = (segment: string) => path.replaceAll(/\{[^}]+\}/g, segment)
  // Longer ones are rejected before any operation. Each operation gets three malformed ones in turn.
  const segments = NASTY_SEGMENTS.filter((segment) => addressOf(segment).length <= MAX_TARGET_CHARACTERS)
  const broken = BROKEN_SEGMENTS.filter((_, at) => at % 3 === withPath.indexOf(operationId) % 3)
  const send = (segment: string) => gateway.request(method, addressOf(segment), { headers: workspace.as, json })
  const answers = await sendAll([...segments, ...broken], send)
  const isRight = ([segment, { status }]: (typeof answers)[number]) =>
    BROKEN_SEGMENTS.includes(segment) ? status === 400 : [400, 403, 404].includes(status)
  expect(answers.filter((answer) => !isRight(answer)).map(([segment, { text }]) => [segment, text])).toEqual([])
  await expectNothingStored()
})
