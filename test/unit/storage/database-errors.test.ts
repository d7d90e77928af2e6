import { expect, test } from 'vitest'
import { isDiskFull, isPassing, isRefused, isUndone } from '../../../src/storage/database-errors.ts'

const coded = (code: string) => Object.assign(new Error('x'), { code })

test.each([
  ['a terminated connection', coded('57P01')],
  ['a server that starts', coded('57P03')],
  ['too many connections', coded('53300')],
  ['a full disk', coded('53100')],
  ['a statement that took too long', coded('57014')],
  ['a deadlock', coded('40P01')],
  ['a standby', coded('25006')],
  ['an idle transaction', coded('25P03')],
  ['nobody who listens', coded('ECONNREFUSED')],
  ['a connection that ends', new Error('Connection terminated unexpectedly')],
  ['no connection in time', new Error('timeout exceeded when trying to connect')],
  ['no answer in time', new Error('Query read timeout')],
  ['the cause of another error', new Error('The signer cannot reach its keys', { cause: coded('08006') })],
])('%s passes', (_, error) => {
  expect(isPassing(error)).toBe(true)
})

test.each([
  ['a duplicate', coded('23505')],
  ['a missing table', coded('42P01')],
  ['a missing right', coded('42501')],
  ['a missing file', coded('ENOENT')],
  ['a defect', new TypeError('Cannot read properties of undefined')],
  ['no error', 'Connection terminated'],
  ['nothing', undefined],
])('%s does not', (_, error) => {
  expect(isPassing(error)).toBe(false)
})

test('a full disk is distinguished from other temporary failures, for any cause', () => {
  expect(isDiskFull(coded('53100'))).toBe(true)
  expect(isDiskFull(new Error('The audit trail could not be written', { cause: coded('53100') }))).toBe(true)
  for (const other of [coded('53200'), coded('57P01'), new Error('53100'), undefined]) {
    expect(isDiskFull(other)).toBe(false)
  }
})

test('eight errors deep is looked, and no deeper', () => {
  const within = (depth: number): Error => (depth === 1 ? coded('08006') : new Error('x', { cause: within(depth - 1) }))
  expect([isPassing(within(8)), isPassing(within(9))]).toEqual([true, false])
})

test.each([
  ['numbers', Object.assign(new Error('x'), { code: 57014 })],
  ['what begins alike and is longer', coded('57P01x')],
  ['what begins alike and is shorter', coded('57P')],
])('%s are no code of a passing error', (_, error) => {
  expect(isPassing(error)).toBe(false)
})

test('a circle of causes ends', () => {
  const error = new Error('a')
  error.cause = error
  expect(isPassing(error)).toBe(false)
})

test.each([
  ['a duplicate', coded('23505'), true],
  ['its cause', new Error('x', { cause: coded('42P01') }), true],
  ['a deadlock, which passes', coded('40P01'), false],
  ['a longer code', coded('23505X'), false],
  ['a longer beginning', coded('X23505'), false],
  ['a code in small letters', coded('2350a'), false],
  ['a code of a socket', coded('ENOENT'), false],
  ['a number', Object.assign(new Error('x'), { code: 23505 }), false],
  ['an error without a code', new Error('23505'), false],
])('the statement itself is refused: %s', (_, error, expected) => {
  expect(isRefused(error)).toBe(expected)
})

test.each([
  ['a deadlock', coded('40P01'), true],
  ['a serialization failure', coded('40001'), true],
  ['a duplicate, which does not pass', coded('23505'), true],
  ['a lost connection', coded('08006'), false],
  ['a terminated connection', coded('57P01'), false],
])('nothing has been done: %s', (_, error, expected) => {
  expect(isUndone(error)).toBe(expected)
})
