import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { faultIn, lineAndColumn } from '../../../src/domain/json-fault.ts'

const isJson = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
const faultOf = (text: string) => {
  const steps = faultIn(text)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

describe('the place where a text stops being JSON', () => {
  it.each([
    ['', 0, 'a value'],
    ['{"a":1,}', 7, 'a key in double quotes'],
    ["{'a':1}", 1, 'a key in double quotes or }'],
    ['{"a" 1}', 5, 'a colon'],
    ['[1 2]', 3, 'a comma or ]'],
    ['{"a":[1}', 7, 'a comma or ]'],
    ['[,]', 1, 'a value or ]'],
    ['{"a":1', 6, 'a comma or }'],
    ['{} {}', 3, 'the end'],
    ['[01]', 1, 'a JSON number such as 0.5'],
    ['["a\nb"]', 3, 'in a string a JSON escape such as \\n'],
    ['["\\x"]', 3, 'a JSON escape such as \\n'],
    ['["\\u00g0"]', 3, 'four hexadecimal digits after \\u'],
    ['"abc', 4, 'a closing double quote'],
    ['NaN', 0, 'a value'],
  ])('of %j is %i', (text, at, expected) => {
    expect(faultOf(text)).toEqual({ at, expected })
  })

  it('is there for every text that JSON.parse refuses, and for no other', () => {
    const sample = '{"a":[1,-2.5e3,true,null,{"b":"\\u00e4\\n"}],"c":{},"d":[]}'
    fc.assert(
      fc.property(fc.nat(sample.length), fc.nat(3), fc.constantFrom(...'{}[],:"\\u0e-1 \n.', ''), (at, cut, insert) => {
        const text = sample.slice(0, at) + insert + sample.slice(at + cut)
        expect(faultOf(text) === undefined, text).toBe(isJson(text))
      }),
      { numRuns: 3_000 },
    )
    fc.assert(fc.property(fc.string(), (text) => (faultOf(text) === undefined) === isJson(text)))
    fc.assert(fc.property(fc.json(), (text) => faultOf(text) === undefined))
  })

  it('is counted in lines and columns', () => {
    expect(lineAndColumn('{\n  "a": 1,\r\n}', 13)).toEqual({ line: 3, column: 1 })
    expect(lineAndColumn('{]', 1)).toEqual({ line: 1, column: 2 })
    expect(lineAndColumn('\n\n', 1)).toEqual({ line: 2, column: 1 })
  })
})
