export type Kind = 'category' | 'representation' | 'signer' | 'module'

/**
 * Includes a working test for `node --test`.
 * @param name lower-case letters, digits and hyphens
 */
export function skeletonOf(kind: Kind, name: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(SKELETONS[kind](name)))
}

const SKELETONS: Readonly<Record<Kind, (name: string) => Record<string, string>>> = {
  category: (name) => ({
    'index.ts': `import type { CategoryPlugin } from 'dpp-gateway/plugin'

export default {
  kind: 'category',
  name: '${name}',
  /** Rules that the schema cannot express. */
  *check({ weightKg, packagingWeightKg }) {
    if (Number(packagingWeightKg) > Number(weightKg)) yield { path: 'packagingWeightKg', code: 'tooHeavy' }
  },
} satisfies CategoryPlugin
`,
    [`schemas/${name}.json`]: `${json({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `urn:example:schema:${name}`,
      title: name,
      allOf: [{ $ref: 'urn:dpp-gateway:schema:common' }],
      properties: {
        weightKg: {
          type: 'number',
          minimum: 0,
          description: 'Weight of the product with its packaging, in kg.',
          'x-section': 'technical',
          'x-unit': 'kilogram',
        },
        packagingWeightKg: {
          type: 'number',
          minimum: 0,
          description: 'Weight of the packaging, in kg.',
          'x-section': 'technical',
          'x-unit': 'kilogram',
        },
      },
    })}`,
    'locales/en.json': `${json({
      category: name,
      field: { weightKg: 'Weight', packagingWeightKg: 'Weight of the packaging' },
      issue: { tooHeavy: 'The packaging is heavier than the product with its packaging.' },
    })}`,
    [`${name}.test.ts`]: test(
      'the packaging must not be heavier than the product',
      `  const issues = [...plugin.check({ weightKg: 1, packagingWeightKg: 2 })]
  deepEqual(issues, [{ path: 'packagingWeightKg', code: 'tooHeavy' }])
  deepEqual([...plugin.check({ weightKg: 2, packagingWeightKg: 1 })], [])`,
    ),
  }),

  representation: (name) => ({
    'index.ts': `import type { PassportView, RepresentationPlugin } from 'dpp-gateway/plugin'

export default {
  kind: 'representation',
  name: '${name}',
  mediaTypes: ['application/vnd.${name}+json'],
  /** The view has only values that the reader may see. */
  render: ({ productId, status, metadata }: Pick<PassportView, 'productId' | 'status' | 'metadata'>) => ({
    body: JSON.stringify({ productId, status, metadata }),
  }),
} satisfies RepresentationPlugin
`,
    [`${name}.test.ts`]: test(
      'renders the product, its status and its data',
      `  const { body } = plugin.render({ productId: 'A-1', status: 'ACTIVE', metadata: { category: 'textiles' } })
  deepEqual(JSON.parse(body), { productId: 'A-1', status: 'ACTIVE', metadata: { category: 'textiles' } })`,
    ),
  }),

  signer: (name) => ({
    'index.ts': `import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { SignerPlugin } from 'dpp-gateway/plugin'

/** Keeps keys in memory: replace it by calls to your key store, which never returns a private key. */
export default {
  kind: 'signer',
  name: '${name}',
  async open() {
    const keys = new Map<string, { publicKey: KeyObject; privateKey: KeyObject }>()
    const keyOf = (id: string) => {
      const key = keys.get(id)
      if (key === undefined) throw new Error(\`Key \${id} not found.\`)
      return key
    }
    return {
      async createKey(label) {
        const id = \`\${label}-\${keys.size}\`
        keys.set(id, generateKeyPairSync('ec', { namedCurve: 'P-256' }))
        return id
      },
      publicJwk: async (id) => keyOf(id).publicKey.export({ format: 'jwk' }),
      sign: async (id, data) => sign('sha256', data, { key: keyOf(id).privateKey, dsaEncoding: 'ieee-p1363' }),
    }
  },
} satisfies SignerPlugin
`,
    [`${name}.test.ts`]: test(
      'signs with ES256',
      `  const signer = await plugin.open()
  const id = await signer.createKey('test')
  const key = createPublicKey({ key: await signer.publicJwk(id), format: 'jwk' })
  const data = Buffer.from('data')
  const signature = await signer.sign(id, data)
  deepEqual(verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature), true)`,
      `import { createPublicKey, verify } from 'node:crypto'\n`,
    ),
  }),

  module: (name) => {
    const operation = `get${name.replace(/(^|-)(.)/g, (_, __, letter: string) => letter.toUpperCase())}`
    return {
      'index.ts': `import type { ModulePlugin } from 'dpp-gateway/plugin'

export default { kind: 'module', name: '${name}' } satisfies ModulePlugin
`,
      'openapi.yaml': `paths:
  /api/v1/${name}:
    get:
      operationId: ${operation}
      tags: [service]
      summary: A greeting
      x-provisional: true
      security: [{ bearer: [] }]
      responses:
        '200':
          description: The greeting.
          content:
            application/json:
              schema:
                type: object
                required: [success, greeting]
                properties: { success: { const: true }, greeting: { type: string } }
        '401': { $ref: '#/components/responses/Unauthorized' }
`,
      [`operations/${operation}.ts`]: `import type { Handler } from 'dpp-gateway/plugin/module'
// Made by: dpp plugin types FOLDER
import type { operations } from '../generated.ts'

export default function ${operation}(): Handler<'${operation}', operations> {
  return async () => ({ status: 200, body: { greeting: 'Hello from ${name}.' } })
}
`,
      [`${name}.test.ts`]: `import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import ${operation} from './operations/${operation}.ts'

test('greets', async () => {
  const answer = await ${operation}()({} as never)
  deepEqual(answer, { status: 200, body: { greeting: 'Hello from ${name}.' } })
})
`,
    }
  },
}

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`

const test = (title: string, body: string, imports = '') => `import { deepEqual } from 'node:assert/strict'
${imports}import { test } from 'node:test'
import plugin from './index.ts'

test('${title}', async () => {
${body}
})
`
