import type {
  Block,
  Entry,
  OperationRow,
  Piece,
  ReferenceView,
  ReferenceWords as Words,
} from '../../../src/plugin/index.ts'
import { curlOf, settingsOf, variablesOf } from './curl.ts'
import { follow, type Node, nameOf, type Source, schemasIn } from './document.ts'
import { treeOf, typeOf } from './schema-tree.ts'
import { heading, itemsOf, plain, prose, sentence, wordOf } from './words.ts'

interface OperationFacts {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly bodyType: string | undefined
  readonly bodyLimit: number
  readonly gates: ReadonlySet<string>
  readonly isIdempotent: boolean
  readonly isPublic: boolean
  readonly permissions: ReadonlyMap<string, readonly string[]>
  readonly isInPublicLane: boolean
  readonly isShared: boolean
  readonly maxAge: number | undefined
}

interface ParsedReference {
  readonly document: Node
  readonly operations: ReadonlyMap<string, OperationFacts>
}

export interface Reference {
  /** Page addresses relative to the first page. */
  readonly addresses: readonly string[]
  /** @returns undefined if the page does not exist */
  page(address: string): ReferenceView | undefined
}

const HOME = '/docs'
const ERRORS = 'errors'
const SCHEMAS = 'schemas'
const CONTRACT_NAME = 'API reference'

/**
 * Builds pages from the merged document: one per tag, operation and schema, one for errors and one for all schemas.
 * @param baseUrl of the gateway, for commands
 * @throws Error if two pages have the same address
 */
export function referenceOf({ document, operations }: ParsedReference, baseUrl: string): Reference {
  const { tags, components } = document
  const byTag = new Map<string, OperationFacts[]>(tags.map(({ name }: Node) => [name, []]))
  for (const operation of operations.values()) byTag.get(written(operation).tags[0])?.push(operation)
  const schemaNames: readonly string[] = Object.keys(components.schemas).toSorted()
  const codes = new Set<string>([...components.schemas.ErrorCode.enum, ...components.schemas.FrameworkCode.enum])
  const source: Source = { document, explained: hrefOf }
  const usersOf = usersOfSchemas()

  const makers = new Map<string, () => ReferenceView>([
    ['', homePage],
    [ERRORS, errorsPage],
    [SCHEMAS, schemasPage],
  ])
  for (const [tag] of byTag) add(tag, () => tagPage(tag))
  for (const operation of operations.values()) add(operation.operationId, () => operationPage(operation))
  for (const name of schemaNames) add(`${SCHEMAS}/${name}`, () => schemaPage(name))

  return { addresses: [...makers.keys()], page: (address) => makers.get(address)?.() }

  function add(address: string, make: () => ReferenceView): void {
    if (makers.has(address))
      throw new Error(`openapi.yaml: two pages of the reference have the address ${HOME}/${address}.`)
    makers.set(address, make)
  }

  function written({ path, method }: OperationFacts): Node {
    return document.paths[path][method.toLowerCase()]
  }

  function hrefOf(word: string): string | undefined {
    if (operations.has(word)) return `${HOME}/${word}`
    if (Object.hasOwn(components.schemas, word)) return `${HOME}/${SCHEMAS}/${word}`
    return codes.has(word) ? `${HOME}/${ERRORS}#${word}` : undefined
  }

  function homePage(): ReferenceView {
    const { info } = document
    return {
      title: CONTRACT_NAME,
      lead: info.summary,
      trail: [],
      chips: [`${info.title} ${info.version}`, `OpenAPI ${document.openapi}`],
      navigation: [navigation()],
      blocks: [
        heading('First call'),
        {
          kind: 'text',
          words: [
            { text: 'Commands on these pages call ' },
            { text: '$BASE', isCode: true },
            { text: ' with the key ' },
            { text: '$KEY', isCode: true },
            { text: '. Create a key on the command line: ' },
            { text: 'dpp key create', isCode: true },
            { text: '.' },
          ],
        },
        {
          kind: 'code',
          label: 'Shell variables',
          text: `export BASE=${baseUrl}\nexport KEY=dpp_key_…`,
        },
        { kind: 'code', label: 'Test the key', text: commandOf(operations.get('whoami') as OperationFacts) },
        heading('Operations'),
        filter('Filter operations'),
        ...tags.flatMap(({ name, description }: Node): Block[] => [
          {
            kind: 'fold',
            summary: `${name}: ${description}`,
            blocks: [{ kind: 'operations', operations: (byTag.get(name) ?? []).map((operation) => rowOf(operation)) }],
          },
        ]),
        heading('Credentials'),
        { kind: 'entries', entries: credentials() },
        heading('The contract'),
        {
          kind: 'list',
          items: [
            [{ text: 'OpenAPI document as JSON', href: '/openapi.json' }],
            [{ text: 'OpenAPI document as YAML', href: '/openapi.yaml' }],
            [{ text: 'Errors: formats and codes', href: `${HOME}/${ERRORS}` }],
            [{ text: 'Webhooks: events and signature', href: `${HOME}/webhooks` }],
            [{ text: 'All schemas', href: `${HOME}/${SCHEMAS}` }],
          ],
        },
        ...prose(info.description, hrefOf),
      ],
    }
  }

  function credentials(): Entry[] {
    const schemes = Object.entries<Node>(components.securitySchemes).map(
      ([name, { type, scheme, ...rest }]): Entry => ({
        name: plain(name === 'bearer' ? 'API key or session token' : 'Console session'),
        facts: [{ text: scheme === 'bearer' ? 'Authorization: Bearer …' : `Cookie: ${rest.name}=…`, isCode: true }],
        blocks: prose(rest.description, hrefOf),
      }),
    )
    const { grant } = components.parameters
    return [
      ...schemes,
      {
        name: plain('Capability token'),
        facts: [{ text: `?${grant.name}=…`, isCode: true }],
        blocks: prose(grant.description, hrefOf),
      },
      {
        name: plain('None'),
        facts: [],
        blocks: [{ kind: 'text', words: plain('Public operations are marked; a credential may show more there.') }],
      },
    ]
  }

  function tagPage(tag: string): ReferenceView {
    const { description } = tags.find(({ name }: Node) => name === tag)
    const events = tag === 'webhooks' ? eventBlocks() : []
    return {
      title: tag,
      lead: description,
      trail: [{ href: HOME, text: CONTRACT_NAME }],
      chips: [],
      navigation: [navigation(tag)],
      blocks: [
        {
          kind: 'operations',
          operations: (byTag.get(tag) ?? []).map((one) => ({ ...rowOf(one), id: one.operationId })),
        },
        ...events,
      ],
    }
  }

  function eventBlocks(): Block[] {
    const events = Object.entries<Node>(document.webhooks ?? {})
    if (events.length === 0) return []
    const entries = events.map(([name, { post }]): Entry => {
      const [{ schema }] = Object.values<Node>(follow(document, post.requestBody).content) as [Node]
      return {
        id: name,
        name: [{ text: name, isCode: true }],
        facts: [...plain(post.summary), ...(post['x-provisional'] === true ? plain(' · provisional') : [])],
        blocks: [
          ...prose(post.description, hrefOf),
          { kind: 'text', words: [{ text: 'Body: ' }, ...typeOf(schema, source)] },
          ...foldOf('Members of the body', treeOf(schema, source)),
        ],
      }
    })
    const headers: readonly Node[] = events[0]?.[1].post.parameters ?? []
    return [
      heading('Events'),
      { kind: 'entries', entries },
      heading('Headers of an event'),
      { kind: 'entries', entries: headers.map((header) => parameterEntry(follow(document, header))) },
    ]
  }

  function operationPage(operation: OperationFacts): ReferenceView {
    const { operationId, method, path } = operation
    const { tags: names, summary, description, responses } = written(operation)
    const [tag] = names
    const variables = variablesOf(path, requiredQuery(operation))
    const parameters = parametersOf(operation)
    return {
      title: operationId,
      lead: summary,
      trail: [
        { href: HOME, text: CONTRACT_NAME },
        { href: `${HOME}/${tag}`, text: tag },
      ],
      call: { method, path },
      chips: chipsOf(operation),
      navigation: [
        {
          title: tag,
          links: (byTag.get(tag) ?? []).map((one) => ({
            href: `${HOME}/${one.operationId}`,
            text: one.operationId,
            isCurrent: one === operation,
          })),
        },
        navigation(tag),
      ],
      blocks: [
        ...prose(description, hrefOf),
        heading('Command'),
        ...settingBlocks(commandOf(operation)),
        { kind: 'code', label: 'curl', text: commandOf(operation) },
        ...variableBlocks(variables, parameters),
        ...(parameters.length === 0
          ? []
          : [heading('Parameters'), { kind: 'entries', entries: parameters.map(parameterEntry) } as const]),
        ...bodyBlocks(operation),
        heading('Answers'),
        {
          kind: 'entries',
          entries: Object.entries<Node>(responses).map(([status, response]) =>
            answerEntry(status, follow(document, response), operationId),
          ),
        },
      ],
    }
  }

  function settingBlocks(command: string): Block[] {
    const lines = settingsOf(command)
    return lines.length === 0 ? [] : [{ kind: 'code', label: 'Your values, in the same shell', text: lines.join('\n') }]
  }

  function variableBlocks(variables: ReadonlyMap<string, string>, parameters: readonly Node[]): Block[] {
    if (variables.size === 0) return []
    const items = [...variables].map(
      ([name, variable]): Words => [
        { text: `$${variable}`, isCode: true },
        { text: ': ' },
        ...sentence(parameters.find((one) => one.name === name)?.description ?? name, hrefOf),
      ],
    )
    return [{ kind: 'list', items }]
  }

  function bodyBlocks(operation: OperationFacts): Block[] {
    const body = follow(document, written(operation).requestBody)
    if (body === undefined) return []
    const content = Object.entries<Node>(body.content)
    const [, { schema = {}, examples = {} }] = content[0] as [string, Node]
    const example = examples[operation.operationId]?.value
    return [
      heading('Body'),
      {
        kind: 'text',
        words: [
          ...plain(body.required === true ? 'Required: ' : 'Optional: '),
          ...separated(content.map(([mediaType]) => ({ text: mediaType, isCode: true }))),
          ...(Object.keys(schema).length === 0 ? [] : [{ text: ', ' }, ...typeOf(schema, source)]),
        ],
      },
      ...descriptionOf(schema),
      ...treeOf(schema, source),
      ...(example === undefined ? [] : exampleOf('Example of a body', example)),
    ]
  }

  function descriptionOf(schema: Node): Block[] {
    const text = schema.description ?? follow(document, schema).description
    return text === undefined ? [] : prose(text, hrefOf)
  }

  function answerEntry(status: string, response: Node, operationId: string): Entry {
    const content = Object.entries<Node>(response.content ?? {})
    const bySchema = Map.groupBy(content, ([, { schema }]) => JSON.stringify(schema ?? {}))
    const headers = Object.entries<Node>(response.headers ?? {}).filter(([name]) => name !== 'X-Request-Id')
    return {
      id: `answer-${status}`,
      name: [{ text: status, isCode: true }],
      facts: separated(content.map(([mediaType]) => ({ text: mediaType, isCode: true }))),
      blocks: [
        ...prose(response.description, hrefOf),
        ...[...bySchema.values()].flatMap((media): Block[] => {
          const [[mediaType, { schema }]] = media as [[string, Node]]
          if (schema === undefined || !/json/.test(mediaType)) return []
          const members = Number(status) >= 400 ? [] : treeOf(schema, source)
          const type: Block = { kind: 'text', words: typeOf(schema, source) }
          return [type, ...foldOf(bySchema.size === 1 ? 'Members' : `Members of ${mediaType}`, members)]
        }),
        ...foldOf('Headers', headers.length === 0 ? [] : [{ kind: 'entries', entries: headers.map(headerEntry) }]),
        ...content.flatMap(([mediaType, { examples }]) => {
          const value = examples?.[operationId]?.value
          return value === undefined ? [] : exampleOf(`Example of ${mediaType}`, value)
        }),
      ],
    }
  }

  function headerEntry([name, node]: readonly [string, Node]): Entry {
    const header = follow(document, node)
    return {
      name: [{ text: name, isCode: true }],
      facts: typeOf(header.schema ?? {}, source),
      blocks: descriptionOf(header),
    }
  }

  function parameterEntry(parameter: Node): Entry {
    const facts = [
      `in ${parameter.in}`,
      ...(parameter.required === true ? ['required'] : []),
      ...(parameter['x-provisional'] === true ? ['provisional'] : []),
    ]
    return {
      name: [{ text: parameter.name, isCode: true }],
      facts: [{ text: `${facts.join(' · ')} · ` }, ...typeOf(parameter.schema ?? {}, source)],
      blocks: descriptionOf(parameter),
    }
  }

  function parametersOf(operation: OperationFacts): Node[] {
    const shared: readonly Node[] = document.paths[operation.path].parameters ?? []
    return [...shared, ...(written(operation).parameters ?? [])].map((one) => follow(document, one))
  }

  function requiredQuery(operation: OperationFacts): string[] {
    return parametersOf(operation)
      .filter((one) => one.in === 'query' && one.required === true)
      .map(({ name }) => name)
  }

  function commandOf(operation: OperationFacts): string {
    const { operationId, method, path, bodyType } = operation
    const { requestBody, responses } = written(operation)
    const media = bodyType === undefined ? undefined : follow(document, requestBody).content[bodyType]
    const good = Object.entries<Node>(responses).find(([status]) => status.startsWith('2'))?.[1]
    return curlOf({
      method,
      path,
      query: requiredQuery(operation),
      needsCredential: !operation.isPublic,
      ...(bodyType === undefined
        ? {}
        : { body: { mediaType: bodyType, example: media.examples?.[operationId]?.value } }),
      answers: Object.keys(good === undefined ? {} : (follow(document, good).content ?? {})),
    })
  }

  function chipsOf(operation: OperationFacts): string[] {
    const { permissions, isPublic, bodyType, bodyLimit, gates } = operation
    const needed = [...new Set([...permissions.values()].flat())]
    const node = written(operation)
    return [
      ...(permissions.size === 0 ? ['no credential'] : isPublic ? ['credential optional'] : []),
      ...(isPublic ? [] : needed.length === 0 ? ['any credential'] : needed.map((name) => `permission ${name}`)),
      ...(bodyType === undefined ? [] : [`body up to ${sizeOf(bodyLimit)}`]),
      ...[...gates].map((gate) => (gate.endsWith('-limit') ? `rate limit ${gate}` : `gate ${gate}`)),
      ...(operation.isIdempotent ? ['idempotent with Idempotency-Key'] : []),
      ...(operation.isInPublicLane ? ['served from stored renditions'] : []),
      ...(operation.isShared ? ['readable from other origins'] : []),
      ...(operation.maxAge === undefined ? [] : [`cacheable for ${operation.maxAge} s`]),
      ...(node['x-provisional'] === true ? ['provisional'] : []),
    ]
  }

  function errorsPage(): ReferenceView {
    return {
      title: 'Errors',
      lead: 'Error formats of this gateway, the operations that use each format, and the meaning of each code.',
      trail: [{ href: HOME, text: CONTRACT_NAME }],
      chips: [],
      navigation: [navigation(ERRORS)],
      blocks: [
        ...underHeading(prose(document.info.description, hrefOf), 'Errors'),
        ...formsOfErrors(),
        heading('Codes'),
        filter('Filter codes'),
        ...codeBlocks('ErrorCode'),
        heading('Codes of the format Framework'),
        ...codeBlocks('FrameworkCode'),
      ],
    }
  }

  /** Returns the schemas of responses with status 400 or above, most frequent first, with their operations. */
  function formsOfErrors(): Block[] {
    const byForm = new Map<string, Map<string, OperationFacts[]>>()
    for (const operation of operations.values()) {
      for (const [status, response] of Object.entries<Node>(written(operation).responses)) {
        const { schema } = follow(document, response).content?.['application/json'] ?? {}
        if (Number(status) < 400 || schema === undefined) continue
        for (const one of schema.anyOf ?? schema.oneOf ?? [schema]) {
          const name = nameOf(one)
          if (name === undefined) continue
          const byStatus = byForm.get(name) ?? new Map<string, OperationFacts[]>()
          byForm.set(name, byStatus.set(status, [...(byStatus.get(status) ?? []), operation]))
        }
      }
    }
    const answers = (byStatus: ReadonlyMap<string, readonly OperationFacts[]>) =>
      [...byStatus.values()].reduce((sum, all) => sum + all.length, 0)
    return [...byForm]
      .toSorted(([, one], [, other]) => answers(other) - answers(one))
      .flatMap(([name, byStatus]): Block[] => [
        heading(name),
        ...prose(components.schemas[name].description, hrefOf),
        ...treeOf(components.schemas[name], source, [name]),
        {
          kind: 'fold',
          summary: `Used by: ${[...byStatus].map(([status, all]) => `${status} (${all.length})`).join(', ')}`,
          blocks: [
            {
              kind: 'entries',
              entries: [...byStatus].map(([status, all]) => ({
                name: [{ text: status, isCode: true }],
                facts: plain(`${all.length} of ${operations.size} operations`),
                blocks: [
                  {
                    kind: 'text',
                    words: separated(
                      all.map(({ operationId }) => wordOf(operationId, hrefOf)),
                      ', ',
                    ),
                  },
                ],
              })),
            },
          ],
        },
      ])
  }

  function codeBlocks(name: string): Block[] {
    const { description, enum: values } = components.schemas[name]
    const lines: readonly string[] = description.split('\n').map((line: string) => line.trim())
    const first = lines.findIndex((line) => line.startsWith('- '))
    if (first === -1) return [...prose(description, hrefOf)]
    const meanings = new Map(
      itemsOf(lines.slice(first)).map((item) => {
        const [, code = '', status = '', meaning = ''] = /^`([^`]+)` \(([^)]*)\): (.*)$/s.exec(item) ?? []
        return [code, { status, meaning }]
      }),
    )
    const entries = values.map(
      (value: string): Entry => ({
        id: value,
        name: [{ text: value, isCode: true }],
        facts: plain(meanings.get(value)?.status ?? ''),
        blocks: [{ kind: 'text', words: sentence(meanings.get(value)?.meaning ?? '', hrefOf) }],
      }),
    )
    return [...prose(lines.slice(0, first).join('\n'), hrefOf), { kind: 'entries', entries }]
  }

  function schemasPage(): ReferenceView {
    return {
      title: 'Schemas',
      lead: `The ${schemaNames.length} schemas of the contract.`,
      trail: [{ href: HOME, text: CONTRACT_NAME }],
      chips: [],
      navigation: [navigation(SCHEMAS)],
      blocks: [
        filter('Filter schemas'),
        {
          kind: 'entries',
          entries: schemaNames.map((name) => ({
            id: name,
            name: [wordOf(name, hrefOf)],
            facts: [],
            blocks: descriptionOf(components.schemas[name]).slice(0, 1),
          })),
        },
      ],
    }
  }

  function schemaPage(name: string): ReferenceView {
    const schema = components.schemas[name]
    const users = usersOf.get(name) ?? { operations: [], schemas: [] }
    const listOf = (title: string, words: readonly string[]): Block[] =>
      words.length === 0 ? [] : [heading(title), { kind: 'list', items: words.map((word) => [wordOf(word, hrefOf)]) }]
    const isCodes = name === 'ErrorCode' || name === 'FrameworkCode'
    const values: readonly string[] = schema.enum ?? []
    return {
      title: name,
      lead: 'A schema of the contract.',
      trail: [
        { href: HOME, text: CONTRACT_NAME },
        { href: `${HOME}/${SCHEMAS}`, text: 'Schemas' },
      ],
      chips: schema['x-provisional'] === true ? ['provisional'] : [],
      navigation: [navigation(SCHEMAS)],
      blocks: [
        ...(isCodes ? codeBlocks(name) : descriptionOf(schema)),
        heading('Shape'),
        { kind: 'text', words: typeOf(schema, source) },
        ...(values.length > 0 && !isCodes
          ? [
              {
                kind: 'list',
                items: values.map((value): Words => [{ text: JSON.stringify(value), isCode: true }]),
              } as const,
            ]
          : []),
        ...treeOf(schema, source, [name]),
        ...listOf('Used by operations', users.operations),
        ...listOf('Used by schemas', users.schemas),
      ],
    }
  }

  function usersOfSchemas() {
    const users = new Map<string, { readonly operations: string[]; readonly schemas: string[] }>(
      schemaNames.map((name) => [name, { operations: [], schemas: [] }]),
    )
    for (const operation of operations.values()) {
      const { parameters, requestBody, responses } = written(operation)
      for (const name of schemasIn(document, { parameters, requestBody, responses })) {
        users.get(name)?.operations.push(operation.operationId)
      }
    }
    for (const user of schemaNames) {
      for (const name of schemasIn(document, components.schemas[user])) users.get(name)?.schemas.push(user)
    }
    return users
  }

  function rowOf(operation: OperationFacts): OperationRow {
    const { operationId: name, method, path } = operation
    return { method, path, name, href: `${HOME}/${name}`, summary: written(operation).summary }
  }

  function navigation(current?: string): ReferenceView['navigation'][number] {
    const link = (address: string, text: string) => ({
      href: `${HOME}/${address}`,
      text,
      isCurrent: current === address,
    })
    return {
      title: CONTRACT_NAME,
      links: [
        { href: HOME, text: 'Overview', isCurrent: current === undefined },
        ...[...byTag.keys()].map((tag) => link(tag, tag)),
        link(ERRORS, 'Errors'),
        link(SCHEMAS, 'Schemas'),
      ],
    }
  }
}

const filter = (label: string): Block => ({ kind: 'filter', label })

const foldOf = (summary: string, blocks: readonly Block[]): Block[] =>
  blocks.length === 0 ? [] : [{ kind: 'fold', summary, blocks }]

const exampleOf = (label: string, value: unknown): Block[] => [
  {
    kind: 'fold',
    summary: label,
    blocks: [{ kind: 'code', label, text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }],
  },
]

const separated = (pieces: readonly Piece[], separator = ' · '): Words =>
  pieces.flatMap((piece, index) => (index === 0 ? [piece] : [{ text: separator }, piece]))

function underHeading(blocks: readonly Block[], title: string): readonly Block[] {
  const start = blocks.findIndex((block) => block.kind === 'heading' && block.text === title)
  if (start === -1) return []
  const rest = blocks.slice(start + 1)
  const end = rest.findIndex(({ kind }) => kind === 'heading')
  return end === -1 ? rest : rest.slice(0, end)
}

const KIB = 1024
const sizeOf = (bytes: number): string =>
  bytes >= KIB * KIB ? `${bytes / KIB / KIB} MiB` : bytes >= KIB ? `${bytes / KIB} KiB` : `${bytes} bytes`
