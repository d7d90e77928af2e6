import { createRequire } from 'node:module'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { memoiseRouteLookup } from '../../../src/http/validator-shim.ts'

type Compile = (path: unknown, options?: object) => { regexp: RegExp; keys: { name: string }[] }

const fromValidator = createRequire(createRequire(import.meta.url).resolve('express-openapi-validator'))
const library: { pathToRegexp: Compile } = fromValidator('path-to-regexp')
const original = library.pathToRegexp

let compiled: unknown[]

beforeEach(() => {
  compiled = []
  library.pathToRegexp = (path, options) => {
    compiled.push(path)
    return original(path, options)
  }
})
afterEach(() => {
  library.pathToRegexp = original
})

const OPTIONS = { sensitive: true, strict: true }
const refusal = /validator-shim\.ts/

describe('memoiseRouteLookup', () => {
  test('compiles each pattern once for each set of options', () => {
    memoiseRouteLookup()
    compiled = []
    const lookUp = (options: object) => library.pathToRegexp('/x/:y', options)
    const first = lookUp(OPTIONS)
    expect(lookUp({ ...OPTIONS })).toBe(first)
    expect(lookUp({ sensitive: false, strict: true })).not.toBe(first)
    expect(compiled).toEqual(['/x/:y', '/x/:y'])
    expect(first.regexp.exec('/x/1')?.[1]).toBe('1')
  })

  test('leaves calls that it does not know to the library', () => {
    memoiseRouteLookup()
    compiled = []
    for (let count = 0; count < 2; count += 1) {
      library.pathToRegexp('/z', { end: false })
      library.pathToRegexp(['/a', '/b'], OPTIONS)
    }
    expect(compiled).toEqual(['/z', ['/a', '/b'], '/z', ['/a', '/b']])
  })

  test('a second call changes nothing', () => {
    memoiseRouteLookup()
    const memoised = library.pathToRegexp
    memoiseRouteLookup()
    expect(library.pathToRegexp).toBe(memoised)
  })

  test.each<[string, unknown]>([
    ['is missing', undefined],
    ['answers a RegExp alone', () => /a/],
    ['answers other members', () => ({ pattern: /a/, keys: [{ name: 'b' }] })],
    ['names no keys', () => ({ regexp: /a/ })],
    ['answers a RegExp with state', () => ({ regexp: /a/g, keys: [{ name: 'b' }] })],
  ])('fails loudly when the library %s', (_, replacement) => {
    library.pathToRegexp = replacement as Compile
    expect(memoiseRouteLookup).toThrow(refusal)
  })

  test('fails loudly when the library cannot be changed', () => {
    const current = library.pathToRegexp
    Object.defineProperty(library, 'pathToRegexp', { get: () => current, set: () => {}, configurable: true })
    try {
      expect(memoiseRouteLookup).toThrow(refusal)
    } finally {
      Object.defineProperty(library, 'pathToRegexp', {
        value: current,
        writable: true,
        configurable: true,
        enumerable: true,
      })
    }
  })
})
