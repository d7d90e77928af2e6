import { expect, test } from 'vitest'
import { hostsFault, hostsIn, leaveHost, onSomeHost } from '../../../src/storage/hosts.ts'

const listOf = (name: string, query = '') => `postgres://u:p%40@${name}1:5432,${name}2:5433/dpp${query}`

test('an address of one server is used as it is', () => {
  const url = 'postgres://u:p@h:5432/dpp?sslmode=require'
  expect(hostsIn(url)).toMatchObject({ count: 1, url, attributes: 'any' })
})

test('a list is used from its first server, with every other parameter', () => {
  const url = listOf('a', '?sslmode=require&target_session_attrs=standby')
  expect(hostsIn(url)).toEqual({
    list: 'a1:5432,a2:5433',
    count: 2,
    url: 'postgres://u:p%40@a1:5432/dpp?sslmode=require',
    attributes: 'standby',
  })
})

test('by default a server of a list must accept writes', () => {
  expect(hostsIn(listOf('b')).attributes).toBe('read-write')
})

test('after a failure the next server is used, once for all connections that failed', () => {
  const url = listOf('c')
  const [one, other] = [hostsIn(url), hostsIn(url)]
  leaveHost(one, url)
  leaveHost(other, url)
  expect(hostsIn(url).url).toContain('@c2:5433')
  leaveHost(hostsIn(url), url)
  expect(hostsIn(url).url).toContain('@c1:5432')
})

test('each server is tried once', async () => {
  const tried: string[] = []
  const connect = async (url: string) => {
    tried.push(new URL(url).hostname)
    throw new Error(`no ${tried.length}`)
  }
  await expect(onSomeHost(listOf('d'), connect)).rejects.toThrow('no 2')
  expect(tried).toEqual(['d1', 'd2'])
  await expect(onSomeHost(listOf('e'), async (url) => new URL(url).port)).resolves.toBe('5432')
})

test.each([
  ['postgres://h1,h2/dpp?target_session_attrs=writable', 'target_session_attrs=writable is unknown: set one of any,'],
  ['postgres://h1,h2/dpp?target_session_attrs=primary', undefined],
  ['postgres://h1,h2/dpp', undefined],
])('%s', (url, fault) => {
  expect(hostsFault(url)?.slice(0, fault?.length)).toBe(fault)
})
