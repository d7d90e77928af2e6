import type { Block, Entry, ReferenceView } from '../../../../src/plugin/index.ts'
import { type Contract, isProvisional } from '../contract.ts'
import { follow, type Node } from '../document.ts'
import { below, fold, navigation, operationRow } from '../layout.ts'
import { treeOf, typeOf } from '../schema-tree.ts'
import { heading, plain, prose } from '../words.ts'
import { parameterEntry } from './operation-page.ts'

export function tagPage(contract: Contract, tag: string): ReferenceView {
  const { document, operationsByTag } = contract
  return {
    title: tag,
    lead: document.tags.find(({ name }: Node) => name === tag).description,
    trail: below(),
    chips: [],
    navigation: [navigation(contract, tag)],
    blocks: [
      {
        kind: 'operations',
        operations: (operationsByTag.get(tag) ?? []).map((one) => ({
          ...operationRow(contract, one),
          id: one.operationId,
        })),
      },
      ...(tag === 'webhooks' ? webhookEvents(contract) : []),
    ],
  }
}

function webhookEvents(contract: Contract): Block[] {
  const { document } = contract
  const events = Object.entries<Node>(document.webhooks ?? {})
  if (events.length === 0) return []
  const headers: readonly Node[] = events[0]?.[1].post.parameters ?? []
  return [
    heading('Events'),
    { kind: 'entries', entries: events.map(([name, { post }]) => eventEntry(contract, name, post)) },
    heading('Headers of an event'),
    { kind: 'entries', entries: headers.map((header) => parameterEntry(contract, follow(document, header))) },
  ]
}

function eventEntry(contract: Contract, name: string, post: Node): Entry {
  const { document, explained } = contract
  const [{ schema }] = Object.values<Node>(follow(document, post.requestBody).content) as [Node]
  return {
    id: name,
    name: [{ text: name, isCode: true }],
    facts: [...plain(post.summary), ...(isProvisional(post) ? plain(' · provisional') : [])],
    blocks: [
      ...prose(post.description, explained),
      { kind: 'text', words: [{ text: 'Body: ' }, ...typeOf(schema, contract)] },
      ...fold('Members of the body', treeOf(schema, contract)),
    ],
  }
}
