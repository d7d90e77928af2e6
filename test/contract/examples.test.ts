import { readFileSync, writeFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { EXAMPLES } from '../../src/http/contract.ts'
import { BYTES, recordExamples } from '../support/example-recorder.ts'
import { NO_REGISTRY } from '../support/registrable.ts'
import { servedContract } from '../support/served-contract.ts'
import { useGateway } from '../support/use-gateway.ts'

// `npm run examples` records the examples again from a gateway.

const { gateway, workspace } = await useGateway(NO_REGISTRY)

const recorded = await recordExamples(gateway, workspace)
if (process.env.RECORD_EXAMPLES !== undefined) {
  writeFileSync(
    EXAMPLES,
    `# Recorded by \`npm run examples\`; never edited.\n${stringify(recorded, { lineWidth: 0, aliasDuplicateObjects: false })}`,
  )
}

const { document } = await servedContract()

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its own rules.
type Document = any

const follow = (node: Document): Document => {
  const [, , kind, name] = node?.$ref?.split('/') ?? []
  return name === undefined ? node : document.components[kind][name]
}
const operations: Document[] = Object.values<Document>(document.paths).flatMap((item) =>
  ['get', 'put', 'post', 'delete', 'patch'].flatMap((method) => item[method] ?? []),
)

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  code: { optimize: false },
  formats: { gln: true, 'iso-8601': true },
})
addFormats.default(ajv)
ajv.addSchema({ $id: 'urn:dpp:contract', components: document.components })

function misfit(schema: object, value: unknown): string | undefined {
  const named = JSON.stringify(schema).replaceAll('"#/components/', '"urn:dpp:contract#/components/')
  const validate = ajv.compile(JSON.parse(named))
  return validate(value) ? undefined : ajv.errorsText(validate.errors)
}

const media = operations.flatMap(({ operationId, requestBody, responses }) => {
  const [status = ''] = Object.keys(responses)
    .filter((name) => name.startsWith('2') && Object.keys(follow(responses[name]).content ?? {}).length > 0)
    .filter((name, _, all) => all.length === 1 || follow(responses[name]).content['application/json']?.examples)
  const request = Object.entries<Document>(follow(requestBody ?? {}).content ?? {}).slice(0, 1)
  const answers = Object.entries<Document>(follow(responses[status] ?? {}).content ?? {})
  return [
    ...request
      .filter(([mediaType]) => !BYTES.test(mediaType))
      .map(([mediaType, content]) => ({ place: `${operationId} request ${mediaType}`, operationId, content })),
    ...answers
      .filter(([mediaType]) => !BYTES.test(mediaType))
      .map(([mediaType, content]) => ({ place: `${operationId} ${status} ${mediaType}`, operationId, content })),
  ]
})

test('every operation has an example of its request and of its first good answer in every media type', () => {
  expect(operations.length).toBeGreaterThan(50)
  expect(media.length).toBeGreaterThan(80)
  const without = media.filter(({ operationId, content }) => content.examples?.[operationId] === undefined)
  expect(without.map(({ place }) => place)).toEqual([])
})

test('every example is as its schema says', () => {
  const misfits = media.flatMap(({ place, content }) =>
    Object.values<Document>(content.examples ?? {})
      .map(({ value }) => misfit(content.schema, value))
      .filter((reason) => reason !== undefined)
      .map((reason) => `${place}: ${reason}`),
  )
  expect(misfits).toEqual([])
})

test('the examples match the responses of a gateway; if not, run `npm run examples`', () => {
  const known = parse(readFileSync(EXAMPLES, 'utf8'))
  expect(Object.keys(known)).toEqual(Object.keys(recorded))
  for (const [operationId, example] of Object.entries(recorded)) expect(known[operationId]).toEqual(example)
})

test('no example holds a secret', () => {
  const text = JSON.stringify(document)
  expect(text).toContain(`dpp_li_${'0'.repeat(32)}`)
  expect(text.match(/dpp_(?:li|auth|key)_(?!0{32})\w{20,}/g)).toBeNull()
  expect(text).not.toContain(workspace.key)
})
