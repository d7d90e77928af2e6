import { describe, expect, test } from 'vitest'
import { roleName, roleOf, urlAs, withRoleNames } from '../../../src/storage/database-roles.ts'

describe('a URL with another login', () => {
  const login = { name: 'dpp_app_x', password: 'p/w' }

  test.each([
    ['postgres://owner:secret@db.example:5432/x', 'postgres://db.example:5432/x?user=dpp_app_x&password=p%2Fw'],
    [
      'postgresql://owner:a%40b@c@[::1]/x?sslmode=require',
      'postgresql://[::1]/x?sslmode=require&user=dpp_app_x&password=p%2Fw',
    ],
    [
      'postgres:///x?host=/run/postgresql&user=owner&password=secret',
      'postgres:///x?host=%2Frun%2Fpostgresql&user=dpp_app_x&password=p%2Fw',
    ],
    ['postgres://db.example/x', 'postgres://db.example/x?user=dpp_app_x&password=p%2Fw'],
  ])('%s', (url, expected) => {
    expect(urlAs(url, login)).toBe(expected)
    expect(roleOf(urlAs(url, login))).toBe(login.name)
    expect(urlAs(url, login)).not.toContain('secret')
  })
})

describe('the name of a role', () => {
  test('carries that of the database', () => {
    expect(roleName('app', 'dpp')).toBe('dpp_app_dpp')
    expect(roleName('lookup', 'My Base')).toBe('dpp_lookup_My Base')
  })

  test('is cut between characters, at 63 bytes, and still tells databases apart', () => {
    const [one, two] = ['a', 'b'].map((end) => roleName('signer', `${'ü'.repeat(29)}${end}`))
    expect(one).not.toBe(two)
    for (const name of [one, two]) {
      expect(Buffer.byteLength(name ?? '')).toBeLessThanOrEqual(63)
      expect(name).toMatch(/^dpp_signer_ü+_[0-9a-f]{16}$/)
    }
  })
})

test('migrations speak of roles by names that stand for those of the database', () => {
  const text = `grant select on t to dpp_app, dpp_lookup; select 'dpp_signer', 'about dpp_jobs', dpp_app_old, dpp_migration`
  expect(withRoleNames(text, `it's "x"`)).toBe(
    `grant select on t to "dpp_app_it's ""x""", "dpp_lookup_it's ""x"""; ` +
      `select 'dpp_signer_it''s "x"', 'about "dpp_jobs_it's ""x"""', dpp_app_old, dpp_migration`,
  )
})
