import ts from 'typescript'
import { expect, test } from 'vitest'
import { faultsIn, paragraphs, scriptComments } from '../support/prose-rules.ts'

test('openings without a subject are found, at the beginning of each sentence', () => {
  for (const text of [
    'What a key may do.',
    'Whether it is sealed.',
    'Passports. Of a draft none.',
    '@returns what it is',
  ]) {
    expect([text, faultsIn(text)]).toEqual([text, [expect.stringContaining('opens with')]])
  }
  for (const text of [
    'True if it is sealed.',
    'What is a passport?',
    '@param entries of `PLUGINS`',
    '`Of` is a name.',
  ]) {
    expect([text, faultsIn(text)]).toEqual([text, []])
  }
})

test('idioms are found with the words to use', () => {
  expect(faultsIn('Encrypts it anew, for whoever asks.')).toEqual([
    '"anew": write again',
    '"whoever": write the operator, the caller; any',
  ])
  expect(faultsIn('Undefined if there is none.')).toEqual([])
  expect(faultsIn('The file is no picture.')).toEqual(['"is no": write is not a …'])
  expect(faultsIn('There is no picture. It is no longer there.')).toEqual([])
})

test('comments of a script are found wherever they are, and no text that looks like one', () => {
  const source = [
    '/** One. */',
    'function f() { // Two',
    '  g()',
    '  // Three',
    '  // goes over two lines.',
    '}',
    `const a = \`\${f() /* Four. */} // none\``,
    "const b = '// none'",
    'if (a) { /* Five. */ }',
    '// Six.',
  ].join('\n')
  const file = ts.createSourceFile('x.ts', source, ts.ScriptTarget.Latest)
  expect(scriptComments(file).map(({ line, text }) => `${line} ${text}`)).toEqual([
    '1 One.',
    '2 Two',
    '4 Three goes over two lines.',
    '7 Four.',
    '9 Five.',
    '10 Six.',
  ])
})

test('paragraphs, items and cells of Markdown are found without code', () => {
  const page = '# A\n\nB [c](d)\ne.\n\n- f\n\n```sh\nwhat\n```\n\n| g | h |\n'
  expect(paragraphs(page).map(({ line, text }) => `${line} ${text}`)).toEqual([
    '1 A',
    '3 B c e.',
    '6 f',
    '12 g',
    '12 h',
  ])
})
