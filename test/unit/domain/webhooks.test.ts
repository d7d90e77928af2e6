import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import {
  derivedUuid,
  envelopeOf,
  isSubscribed,
  newSecret,
  nextAttempt,
  signedHeaders,
} from '../../../src/domain/webhooks.ts'

const NOW = new Date('2027-01-31T12:00:00.000Z')
const HOUR = 3_600_000

describe('which events a subscription receives', () => {
  test.each([
    [['*'], 'passport.status_updated', true],
    [['*'], 'passport.updated', true],
    [['*'], 'access.requested', false],
    [['*'], 'access.decided', false],
    [['*', 'access.decided'], 'access.decided', true],
    [['passport.sealed'], 'passport.sealed', true],
    [['passport.sealed'], 'passport.recalled', false],
    [['passport.recalled'], 'passport.status_updated', false],
    [[], 'passport.sealed', false],
  ] as const)('%j, %s: %s', (filters, event, expected) => {
    expect(isSubscribed(filters, event)).toBe(expected)
  })
})

describe('a signature', () => {
  const message = { id: 'evt', body: envelopeOf('passport.sealed', NOW, '{"name":"Käse 🧀"}') }

  test('is taken by the published library, whichever of two secrets it knows', () => {
    const [one, other] = [newSecret(), newSecret()]
    const headers = signedHeaders(message, [one, other], new Date())
    for (const secret of [one, other]) {
      expect(new Webhook(secret).verify(message.body, headers)).toEqual({
        type: 'passport.sealed',
        timestamp: NOW.toISOString(),
        data: { name: 'Käse 🧀' },
      })
    }
    expect(() => new Webhook(newSecret()).verify(message.body, headers)).toThrow('No matching signature')
  })

  test('covers the id, the time and the body', () => {
    const secret = newSecret()
    const headers = signedHeaders(message, [secret], new Date())
    const library = new Webhook(secret)
    expect(() => library.verify(`${message.body} `, headers)).toThrow()
    expect(() => library.verify(message.body, { ...headers, 'webhook-id': 'other' })).toThrow()
    expect(() =>
      library.verify(message.body, {
        ...headers,
        'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1),
      }),
    ).toThrow()
  })

  test('has the form that the library makes itself', () => {
    const secret = newSecret()
    const at = new Date()
    expect(signedHeaders(message, [secret], at)['webhook-signature']).toBe(
      new Webhook(secret).sign(message.id, at, message.body),
    )
  })
})

test('secrets have 24 random bytes', () => {
  const secrets = Array.from({ length: 100 }, newSecret)
  for (const secret of secrets) expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(24)
  expect(new Set(secrets).size).toBe(100)
})

describe('the plan of attempts', () => {
  const waits = (chance: number) => {
    const found: number[] = []
    for (let made = 1; ; made += 1) {
      const next = nextAttempt(made, NOW, chance, undefined)
      if (next === undefined) return found
      found.push(next.getTime() - NOW.getTime())
    }
  }

  test('has ten attempts in about three days', () => {
    const middle = waits(0.5)
    expect(middle).toEqual([5000, 300_000, HOUR / 2, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR])
    expect(middle.reduce((sum, wait) => sum + wait, 0) / HOUR).toBeCloseTo(75.6, 1)
  })

  test('spreads what failed together by a tenth to both sides', () => {
    for (const [index, wait] of waits(0.5).slice(0, -1).entries()) {
      expect(waits(0)[index]).toBeCloseTo(wait * 0.9)
      expect(waits(1)[index]).toBeCloseTo(wait * 1.1)
    }
  })

  test.each([
    ['60', 60_000],
    ['2', 5000],
    ['0', 5000],
    ['999999999', 24 * HOUR],
    ['9'.repeat(400), 5000],
    ['Sun, 31 Jan 2027 12:10:00 GMT', 600_000],
    ['Sun, 31 Jan 2027 11:00:00 GMT', 5000],
    ['Sun, 31 Jan 2090 11:00:00 GMT', 24 * HOUR],
    ['soon', 5000],
    ['-5', 5000],
    ['', 5000],
  ])('Retry-After %j puts the first retry off by %i ms', (retryAfter, wait) => {
    expect(nextAttempt(1, NOW, 0.5, retryAfter)?.getTime()).toBe(NOW.getTime() + wait)
  })

  test('is not prolonged by Retry-After', () => {
    expect(nextAttempt(10, NOW, 0.5, '60')).toBeUndefined()
  })
})

test('a derived UUID follows from its parts, and from where one ends', () => {
  expect(derivedUuid('a', 'b')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(derivedUuid('a', 'b')).toBe(derivedUuid('a', 'b'))
  expect(derivedUuid('a', 'b')).not.toBe(derivedUuid('ab'))
  expect(derivedUuid('a', 'b')).not.toBe(derivedUuid('ab', ''))
})
