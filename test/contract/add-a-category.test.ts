import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkCategory } from '../../src/testing/index.ts'
import { type GatewayProcess, paste, startProcess } from '../support/process.ts'

/** The section of the README, followed to the letter in a folder outside the repository. */
let folder: string
let gateway: GatewayProcess
let section: string

beforeAll(async () => {
  const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8')
  section = readme.split(/^## /m).find((part) => part.startsWith('Add a category in ten minutes')) ?? ''
  folder = await mkdtemp(join(tmpdir(), 'dpp-category-'))
  for (const [name, text] of filesOf(section)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  const plugins =
    /^PLUGINS=(\S+) npm start$/m.exec(section)?.[1]?.replace('../footwear', join(folder, 'footwear')) ?? ''
  gateway = await startProcess({ DATA_DIR: join(folder, 'data'), PLUGINS: plugins, RATE_LIMITS: 'off' })
  await gateway.printed('Stop with Ctrl-C')
})
afterAll(async () => {
  await gateway.end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

/** Files are named in the sentence before their block; a sentence may name several. */
function filesOf(text: string): Map<string, string> {
  const files = new Map<string, string>()
  let names: string[] = []
  for (const [, sentence, body] of text.matchAll(/([^`]*(?:`[^`\n]+`[^`]*)*?)```(?:json|ts)\n([\s\S]*?)```/g)) {
    names.push(...[...(sentence ?? '').matchAll(/`\.\.\/(footwear\/[^`]+)`/g)].map(([, name]) => name as string))
    const name = names.shift()
    if (name === undefined) break
    files.set(name, body ?? '')
    if (name.endsWith('de.json')) names = []
  }
  return files
}

const key = () => /dpp_key_\S+/.exec(gateway.output())?.[0] ?? ''

test('the files of the README are the whole plugin', () => {
  expect([...filesOf(section).keys()].sort()).toEqual([
    'footwear/index.ts',
    'footwear/locales/de.json',
    'footwear/locales/en.json',
    'footwear/schemas/footwear.json',
  ])
})

test('the command of the README answers what the README shows', async () => {
  const command = /^curl .*footwear.*$/m.exec(section)?.[0] ?? ''
  const shown = /```json\n(\{\s*"success": ?false[\s\S]*?)```/.exec(section)?.[1] ?? ''
  const answer = await paste(command.replace('http://localhost:3000', gateway.url), { KEY: key() })
  expect(JSON.parse(answer)).toEqual(JSON.parse(shown))
})

test('a passport of the new category is created, and its rules speak German', async () => {
  const post = (path: string, metadata: object) =>
    fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key()}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        productId: 'SHOE-2',
        metadata: { category: 'footwear', originCountry: 'IT', ...metadata },
      }),
    })
  const refused = await post('/api/v1/passports?lang=de', { vegan: true, upperMaterial: 'Leather' })
  expect(await refused.json()).toMatchObject({
    errors: [{ path: 'vegan', friendlyMessage: 'Ein Schuh aus Leather ist nicht vegan.' }],
  })
  const wrongType = await post('/api/v1/passports', { heelHeightMm: -1 })
  expect(await wrongType.json()).toMatchObject({ errors: [{ path: 'heelHeightMm' }] })
  expect((await post('/api/v1/passports', { soleMaterial: 'Rubber' })).status).toBe(201)
})

test('its schema is served like ours', async () => {
  const served = await fetch(`${gateway.url}/api/v1/schemas/footwear`)
  expect(served.headers.get('content-type')).toContain('application/schema+json')
  expect(await served.json()).toMatchObject({ title: 'Footwear', properties: { soleMaterial: { type: 'string' } } })
})

test('it passes the contract kit', async () => {
  const footwear = { category: 'footwear', originCountry: 'IT' }
  await checkCategory(join(folder, 'footwear'), {
    valid: [footwear, { ...footwear, vegan: true, upperMaterial: 'Canvas' }],
    invalid: [
      { metadata: { ...footwear, vegan: true, upperMaterial: 'Suede' }, path: 'vegan' },
      { metadata: { ...footwear, heelHeightMm: 'high' }, path: 'heelHeightMm' },
    ],
  })
})
