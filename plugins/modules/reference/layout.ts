import type { Block, OperationRow, ReferenceView, ReferenceWords as Words } from '../../../src/plugin/index.ts'
import { type Contract, ERRORS, HOME, nodeOf, type OperationFacts, SCHEMAS } from './contract.ts'
import { follow, type Node, type Source } from './document.ts'
import { between, prose } from './words.ts'

type Link = ReferenceView['trail'][number]

export const CONTRACT_NAME = 'API reference'

/** Trail below the first page. */
export const below = (...links: readonly Link[]): Link[] => [{ href: HOME, text: CONTRACT_NAME }, ...links]

/** Lists the pages of the contract; `current` is the address of a page or of its parent. */
export function navigation({ operationsByTag }: Contract, current?: string): ReferenceView['navigation'][number] {
  const link = (address: string, text: string) => ({ href: `${HOME}/${address}`, text, isCurrent: current === address })
  return {
    title: CONTRACT_NAME,
    links: [
      { href: HOME, text: 'Overview', isCurrent: current === undefined },
      ...[...operationsByTag.keys()].map((tag) => link(tag, tag)),
      link(ERRORS, 'Errors'),
      link(SCHEMAS, 'Schemas'),
    ],
  }
}

export function operationRow({ document }: Contract, operation: OperationFacts): OperationRow {
  const { operationId: name, method, path } = operation
  return { method, path, name, href: `${HOME}/${name}`, summary: nodeOf(document, operation).summary }
}

export function description({ document, explained }: Source, node: Node): Block[] {
  const text = node.description ?? follow(document, node).description
  return text === undefined ? [] : prose(text, explained)
}

export const filter = (label: string): Block => ({ kind: 'filter', label })

export const fold = (summary: string, blocks: readonly Block[]): Block[] =>
  blocks.length === 0 ? [] : [{ kind: 'fold', summary, blocks }]

export const example = (label: string, value: unknown): Block[] =>
  value === undefined
    ? []
    : fold(label, [{ kind: 'code', label, text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }])

export const mediaTypes = (content: readonly (readonly [string, Node])[]): Words =>
  between(
    content.map(([text]) => [{ text, isCode: true }]),
    ' · ',
  )
