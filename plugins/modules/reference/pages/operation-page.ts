import type { Block, Entry, ReferenceView, ReferenceWords as Words } from '../../../../src/plugin/index.ts'
import {
  type Contract,
  HOME,
  isProvisional,
  nodeOf,
  type OperationFacts,
  parametersOf,
  requiredQuery,
} from '../contract.ts'
import { settingsOf, variablesOf } from '../curl.ts'
import { follow, type Node } from '../document.ts'
import { below, description, example, fold, mediaTypes, navigation } from '../layout.ts'
import { operationCommand } from '../operation-command.ts'
import { treeOf, typeOf } from '../schema-tree.ts'
import { heading, plain, prose, sentence } from '../words.ts'

export function operationPage(contract: Contract, operation: OperationFacts): ReferenceView {
  const { document, explained, operationsByTag } = contract
  const { operationId, method, path } = operation
  const node = nodeOf(document, operation)
  const [tag] = node.tags
  return {
    title: operationId,
    lead: node.summary,
    trail: below({ href: `${HOME}/${tag}`, text: tag }),
    call: { method, path },
    chips: chipsOf(operation, node),
    navigation: [
      {
        title: tag,
        links: (operationsByTag.get(tag) ?? []).map((one) => ({
          href: `${HOME}/${one.operationId}`,
          text: one.operationId,
          isCurrent: one === operation,
        })),
      },
      navigation(contract, tag),
    ],
    blocks: [
      ...prose(node.description, explained),
      ...commandBlocks(contract, operation),
      ...parameterBlocks(contract, operation),
      ...bodyBlocks(contract, operationId, node),
      heading('Answers'),
      {
        kind: 'entries',
        entries: Object.entries<Node>(node.responses).map(([status, response]) =>
          answerEntry(contract, operationId, status, follow(document, response)),
        ),
      },
    ],
  }
}

function chipsOf(operation: OperationFacts, node: Node): string[] {
  const { permissions, isPublic, bodyType, bodyLimit, gates } = operation
  const needed = [...new Set([...permissions.values()].flat())]
  return [
    ...(permissions.size === 0 ? ['no credential'] : isPublic ? ['credential optional'] : []),
    ...(isPublic ? [] : needed.length === 0 ? ['any credential'] : needed.map((name) => `permission ${name}`)),
    ...(bodyType === undefined ? [] : [`body up to ${sizeOf(bodyLimit)}`]),
    ...[...gates].map((gate) => (gate.endsWith('-limit') ? `rate limit ${gate}` : `gate ${gate}`)),
    ...(operation.isIdempotent ? ['idempotent with Idempotency-Key'] : []),
    ...(operation.isInPublicLane ? ['served from stored renditions'] : []),
    ...(operation.isShared ? ['readable from other origins'] : []),
    ...(operation.maxAge === undefined ? [] : [`cacheable for ${operation.maxAge} s`]),
    ...(isProvisional(node) ? ['provisional'] : []),
  ]
}

const KIB = 1024
const sizeOf = (bytes: number): string =>
  bytes >= KIB * KIB ? `${bytes / KIB / KIB} MiB` : bytes >= KIB ? `${bytes / KIB} KiB` : `${bytes} bytes`

function commandBlocks(contract: Contract, operation: OperationFacts): Block[] {
  const { document, explained } = contract
  const command = operationCommand(contract, operation)
  const settings = settingsOf(command)
  const parameters = parametersOf(document, operation)
  const variables = [...variablesOf(operation.path, requiredQuery(document, operation))].map(
    ([name, variable]): Words => [
      { text: `$${variable}`, isCode: true },
      { text: ': ' },
      ...sentence(parameters.find((one) => one.name === name)?.description ?? name, explained),
    ],
  )
  return [
    heading('Command'),
    ...(settings.length === 0
      ? []
      : [{ kind: 'code', label: 'Your values, in the same shell', text: settings.join('\n') } as const]),
    { kind: 'code', label: 'curl', text: command },
    ...(variables.length === 0 ? [] : [{ kind: 'list', items: variables } as const]),
  ]
}

function parameterBlocks(contract: Contract, operation: OperationFacts): Block[] {
  const parameters = parametersOf(contract.document, operation)
  if (parameters.length === 0) return []
  return [
    heading('Parameters'),
    { kind: 'entries', entries: parameters.map((parameter) => parameterEntry(contract, parameter)) },
  ]
}

export function parameterEntry(contract: Contract, parameter: Node): Entry {
  const facts = [
    `in ${parameter.in}`,
    ...(parameter.required === true ? ['required'] : []),
    ...(isProvisional(parameter) ? ['provisional'] : []),
  ]
  return {
    name: [{ text: parameter.name, isCode: true }],
    facts: [{ text: `${facts.join(' · ')} · ` }, ...typeOf(parameter.schema ?? {}, contract)],
    blocks: description(contract, parameter),
  }
}

function bodyBlocks(contract: Contract, operationId: string, { requestBody }: Node): Block[] {
  const body = follow(contract.document, requestBody)
  if (body === undefined) return []
  const content = Object.entries<Node>(body.content)
  const [, { schema = {}, examples = {} }] = content[0] as [string, Node]
  return [
    heading('Body'),
    {
      kind: 'text',
      words: [
        ...plain(body.required === true ? 'Required: ' : 'Optional: '),
        ...mediaTypes(content),
        ...(Object.keys(schema).length === 0 ? [] : [{ text: ', ' }, ...typeOf(schema, contract)]),
      ],
    },
    ...description(contract, schema),
    ...treeOf(schema, contract),
    ...example('Example of a body', examples[operationId]?.value),
  ]
}

function answerEntry(contract: Contract, operationId: string, status: string, response: Node): Entry {
  const content = Object.entries<Node>(response.content ?? {})
  const bySchema = Map.groupBy(content, ([, { schema }]) => JSON.stringify(schema ?? {}))
  const headers = Object.entries<Node>(response.headers ?? {}).filter(([name]) => name !== 'X-Request-Id')
  const headerEntries = headers.map(([name, header]) => headerEntry(contract, name, header))
  return {
    id: `answer-${status}`,
    name: [{ text: status, isCode: true }],
    facts: mediaTypes(content),
    blocks: [
      ...prose(response.description, contract.explained),
      ...[...bySchema.values()].flatMap((media): Block[] => {
        const [[mediaType, { schema }]] = media as [[string, Node]]
        if (schema === undefined || !/json/.test(mediaType)) return []
        const members = Number(status) >= 400 ? [] : treeOf(schema, contract)
        const type: Block = { kind: 'text', words: typeOf(schema, contract) }
        return [type, ...fold(bySchema.size === 1 ? 'Members' : `Members of ${mediaType}`, members)]
      }),
      ...fold('Headers', headerEntries.length === 0 ? [] : [{ kind: 'entries', entries: headerEntries }]),
      ...content.flatMap(([mediaType, { examples }]) =>
        example(`Example of ${mediaType}`, examples?.[operationId]?.value),
      ),
    ],
  }
}

function headerEntry(contract: Contract, name: string, node: Node): Entry {
  const header = follow(contract.document, node)
  return {
    name: [{ text: name, isCode: true }],
    facts: typeOf(header.schema ?? {}, contract),
    blocks: description(contract, header),
  }
}
