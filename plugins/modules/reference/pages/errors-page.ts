import type { Block, Entry, ReferenceView } from '../../../../src/plugin/index.ts'
import { type Contract, ERRORS, nodeOf, type OperationFacts } from '../contract.ts'
import { follow, type Node, nameOf } from '../document.ts'
import { below, filter, fold, navigation } from '../layout.ts'
import { treeOf } from '../schema-tree.ts'
import { between, heading, itemsOf, plain, prose, sentence, wordOf } from '../words.ts'

export function errorsPage(contract: Contract): ReferenceView {
  const { document, explained } = contract
  return {
    title: 'Errors',
    lead: 'Error formats of this gateway, the operations that use each format, and the meaning of each code.',
    trail: below(),
    chips: [],
    navigation: [navigation(contract, ERRORS)],
    blocks: [
      ...underHeading(prose(document.info.description, explained), 'Errors'),
      ...errorFormats(contract),
      heading('Codes'),
      filter('Filter codes'),
      ...codeBlocks(contract, 'ErrorCode'),
      heading('Codes of the format Framework'),
      ...codeBlocks(contract, 'FrameworkCode'),
    ],
  }
}

function underHeading(blocks: readonly Block[], title: string): readonly Block[] {
  const start = blocks.findIndex((block) => block.kind === 'heading' && block.text === title)
  if (start === -1) return []
  const rest = blocks.slice(start + 1)
  const end = rest.findIndex(({ kind }) => kind === 'heading')
  return end === -1 ? rest : rest.slice(0, end)
}

type OperationsByStatus = Map<string, OperationFacts[]>

function errorFormats(contract: Contract): Block[] {
  const count = (byStatus: OperationsByStatus) => [...byStatus.values()].flat().length
  return [...operationsByFormat(contract)]
    .toSorted(([, one], [, other]) => count(other) - count(one))
    .flatMap(([name, byStatus]) => formatBlocks(contract, name, byStatus))
}

/** Collects the schemas of responses with status 400 or above. */
function operationsByFormat({ document, operations }: Contract): Map<string, OperationsByStatus> {
  const byFormat = new Map<string, OperationsByStatus>()
  for (const operation of operations.values()) {
    for (const [status, response] of Object.entries<Node>(nodeOf(document, operation).responses)) {
      const { schema } = follow(document, response).content?.['application/json'] ?? {}
      if (Number(status) < 400 || schema === undefined) continue
      for (const one of schema.anyOf ?? schema.oneOf ?? [schema]) {
        const name = nameOf(one)
        if (name === undefined) continue
        const byStatus: OperationsByStatus = byFormat.get(name) ?? new Map()
        byFormat.set(name, byStatus.set(status, [...(byStatus.get(status) ?? []), operation]))
      }
    }
  }
  return byFormat
}

function formatBlocks(contract: Contract, name: string, byStatus: OperationsByStatus): Block[] {
  const { document, operations, explained } = contract
  const schema = document.components.schemas[name]
  const entries = [...byStatus].map(
    ([status, users]): Entry => ({
      name: [{ text: status, isCode: true }],
      facts: plain(`${users.length} of ${operations.size} operations`),
      blocks: [
        {
          kind: 'text',
          words: between(
            users.map(({ operationId }) => [wordOf(operationId, explained)]),
            ', ',
          ),
        },
      ],
    }),
  )
  const summary = `Used by: ${[...byStatus].map(([status, users]) => `${status} (${users.length})`).join(', ')}`
  return [
    heading(name),
    ...prose(schema.description, explained),
    ...treeOf(schema, contract, [name]),
    ...fold(summary, [{ kind: 'entries', entries }]),
  ]
}

/** Lists the values of a schema with their meanings, which are a list in its description. */
export function codeBlocks({ document, explained }: Contract, name: string): Block[] {
  const { description, enum: values } = document.components.schemas[name]
  const lines: readonly string[] = description.split('\n').map((line: string) => line.trim())
  const first = lines.findIndex((line) => line.startsWith('- '))
  if (first === -1) return prose(description, explained)
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
      blocks: [{ kind: 'text', words: sentence(meanings.get(value)?.meaning ?? '', explained) }],
    }),
  )
  return [...prose(lines.slice(0, first).join('\n'), explained), { kind: 'entries', entries }]
}
