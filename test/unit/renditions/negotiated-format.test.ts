import { expect, test } from 'vitest'
import type { PlainRepresentation, SignedRepresentation } from '../../../src/plugin/contracts.ts'
import { choose, variantOf } from '../../../src/renditions/negotiated-format.ts'

const render = () => ({ body: '' })
const page: PlainRepresentation = {
  kind: 'representation',
  name: 'page',
  mediaTypes: ['text/html'],
  localised: true,
  render,
}
const data: PlainRepresentation = { kind: 'representation', name: 'data', mediaTypes: ['application/data'], render }
const token: SignedRepresentation = {
  kind: 'representation',
  name: 'token',
  mediaTypes: ['application/token'],
  isSigned: true,
  profiles: ['new', 'old'],
  render,
}
const choice = (accept: string | undefined) => choose(accept, [token, page, data], data)

test('the requested format, or else the default', () => {
  for (const [accept, plugin] of [
    ['text/html', page],
    ['application/token', token],
    [undefined, data],
    ['*/*', data],
    ['image/png', data],
  ] as const)
    expect(choice(accept)?.plugin).toBe(plugin)
  expect(choose(undefined, [page], undefined)).toBeUndefined()
})

test('a choice of what is signed has a profile, unless another is asked for', () => {
  expect(choice('application/token')).toEqual({ isSigned: true, plugin: token, profile: 'new' })
  expect(choice('application/token;profile=old')).toEqual({ isSigned: true, plugin: token, profile: 'old' })
  expect(choice('application/token;profile=older')).toEqual({ isSigned: true, plugin: token, profile: undefined })
  expect(choose(undefined, [token], token)).toEqual({ isSigned: true, plugin: token, profile: 'new' })
})

test('a variant is a profile, a language where the text depends on one, or the only one there is', () => {
  const variants = ['application/token;profile=old', 'application/token;profile=older', 'text/html', 'application/data']
  expect(variants.map((accept) => variantOf(choice(accept) as never, () => 'pt'))).toEqual(['old', undefined, 'pt', ''])
  const never = () => expect.unreachable('The language does not matter.')
  expect(variantOf(choice('application/data') as never, never)).toBe('')
})
