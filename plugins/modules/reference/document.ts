import type { Explained } from './words.ts'

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its own rules, checked by swagger-parser.
export type Node = any

/** The document, as those who write pages about it ask it. */
export interface Source {
  readonly document: Node
  readonly explained: Explained
}

/** The name of what a reference leads to; undefined where the node is no reference. */
export const nameOf = ({ $ref }: Node): string | undefined => $ref?.split('/').at(-1)

/** What a reference leads to, or the node itself. */
export function follow(document: Node, node: Node): Node {
  if (node?.$ref === undefined) return node
  const [, , kind, name] = node.$ref.split('/')
  return document.components[kind][name]
}

/** The names of the schemas that a part of the document mentions, those behind references to other components included. */
export function schemasIn(document: Node, part: Node, found = new Set<string>()): Set<string> {
  if (part === null || typeof part !== 'object') return found
  if (typeof part.$ref === 'string') {
    if (part.$ref.startsWith('#/components/schemas/')) found.add(nameOf(part) as string)
    else schemasIn(document, follow(document, part), found)
  }
  for (const [key, value] of Object.entries(part)) {
    // Examples are somebody's data, where `$ref` may be a member.
    if (key !== 'examples' && key !== 'example') schemasIn(document, value, found)
  }
  return found
}
