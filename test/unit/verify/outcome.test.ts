import { describe, expect, test } from 'vitest'
import {
  conclude,
  failed,
  headline,
  isUnreadable,
  nextStep,
  open,
  passed,
  shown,
  unreadable,
  unsigned,
} from '../../../src/verify/outcome.ts'
import type { Check } from '../../../src/verify/verification.ts'

const NEEDED: readonly Check['name'][] = ['form', 'signature', 'certificate']
const well = (name: Check['name']) => passed(name, 'Well.')
const bad = (name: Check['name'], code?: string) => failed(name, 'Badly.', code)
const unknown = (name: Check['name'], code?: string) => open(name, 'Not known.', code)

describe('results of checks', () => {
  test.each<[string, Check[], string, string]>([
    ['all that is needed passed', NEEDED.map(well), 'valid', 'seal: valid'],
    ['and what is not needed is open', [...NEEDED.map(well), unknown('timestamp')], 'valid', 'seal: valid'],
    ['one failed', [well('form'), well('signature'), bad('certificate')], 'not valid', 'seal: NOT VALID'],
    ['one failed that is not needed', [...NEEDED.map(well), bad('timestamp')], 'not valid', 'seal: NOT VALID'],
    [
      'one failed and one is open',
      [well('form'), bad('signature'), unknown('certificate')],
      'not valid',
      'seal: NOT VALID',
    ],
    ['one is missing', [well('form'), well('signature')], 'undecided', 'seal: fits, but its content is unknown'],
    ['nothing was checked', [], 'undecided', 'seal: fits, but its content is unknown'],
    [
      'whose it is is open',
      [well('form'), well('signature'), unknown('certificate')],
      'undecided',
      'seal: fits, but its owner is unknown',
    ],
    [
      'whose it is and the key are open, which is one question',
      [well('form'), unknown('signature'), unknown('certificate')],
      'undecided',
      'seal: fits, but its owner is unknown',
    ],
    [
      'whose it is and whether it still holds are open',
      [well('form'), unknown('status'), unknown('certificate')],
      'undecided',
      'seal: fits, but its status and its owner are unknown',
    ],
    [
      'what was checked passed, and what is open says nothing of whose it is',
      [well('form'), unknown('content')],
      'undecided',
      'seal: fits, but its content is unknown',
    ],
  ])('%s', (_, checks, verdict, line) => {
    const verification = conclude('seal', checks, NEEDED)
    expect(verification).toEqual({ form: 'seal', verdict, valid: verdict === 'valid', checks })
    expect(headline(verification)).toBe(line)
    expect(isUnreadable(verification)).toBe(false)
  })

  test('unreadable documents are reported as such, in addition to other findings', () => {
    const found = unreadable('There is a comma too many.')
    expect(found).toEqual({
      ...{ form: 'unknown', verdict: 'not valid', valid: false },
      checks: [{ name: 'form', ok: false, detail: 'There is a comma too many.', code: 'unreadable' }],
    })
    expect([isUnreadable(found), headline(found)]).toEqual([true, 'The document cannot be read'])
    const among = conclude('seal', [well('signature'), bad('form', 'unreadable')])
    expect([isUnreadable(among), headline(among)]).toEqual([true, 'The document cannot be read'])
  })
})

describe('the next step', () => {
  test.each<[string, Check, RegExp | undefined]>([
    ['passed', well('form'), undefined],
    ['has expired', bad('validity', 'expired'), /new credential/],
    ['begins later', bad('validity', 'notYetValid'), /after that time/],
    ['is of a bad form', bad('form'), /in a signed format/],
    ['has other content', bad('content'), /Inform its issuer/],
    ['is too large for this verifier', unknown('content'), /a verifier that accepts larger/],
    ['is revoked', bad('revocation', 'revoked'), /its key was revoked/],
    ['may be revoked', unknown('revocation'), /Download a current revocation list/],
    ['has a key that cannot be fetched', unknown('key'), /--offline/],
    ['has a key that is not there', bad('key'), /Ask the issuer for a new credential/],
    ['has a status that cannot be fetched', unknown('status'), /--allow-unknown-status/],
    ['passed by a code that others fail with', { ...well('validity'), code: 'expired' }, undefined],
    ['fails where nothing helps', bad('validity'), undefined],
    ['is open where nothing helps', unknown('schema'), undefined],
    ['is of another kind', bad('another' as Check['name']), undefined],
    ['is of another kind, and open', unknown('another' as Check['name']), undefined],
  ])('if a check %s', (_, check, step) => {
    if (step === undefined) expect(nextStep(check)).toBeUndefined()
    else expect(nextStep(check)).toMatch(step)
  })
})

test('foreign text is shown as text of a bounded length', () => {
  expect([shown('a"b'), shown({ a: [1] }), shown(null), shown(7), shown(undefined)]).toEqual([
    ...['a"b', '{"a":[1]}', 'null', '7', 'undefined'],
  ])
  expect(shown('x'.repeat(200))).toBe('x'.repeat(200))
  expect(shown('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`)
})

test('a document that cannot be read is not valid, one without a signature is undecided, and the headline says so', () => {
  const [broken, plain] = [unreadable('No JSON.'), unsigned('Passport')]
  expect([broken.verdict, plain.verdict]).toEqual(['not valid', 'undecided'])
  expect(plain.checks).toHaveLength(1)
  expect([headline(broken), headline(plain)]).toEqual([
    'The document cannot be read',
    'Passport: not signed, nothing to verify',
  ])
})
