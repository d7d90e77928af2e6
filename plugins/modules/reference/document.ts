import type { Explained } from './words.ts'

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its own rules, checked by swagger-parser.
export type Node = any

export interface Source {
  readonly document: Node
  readonly explained: Explained
}

export const nameOf = ({ $ref }: Node): string | undefined => $ref?.split('/').at(-1)

/** Returns nodes that are not references unchanged. */
export function follow(document: Node, node: Node): Node {
  if (node?.$ref === undefined) return node
  const [, , kind, name] = node.$ref.split('/')
  return document.components[kind][name]
}

export function schemasIn(document: Node, part: Node, found = new Set<string>()): Set<string> {
  if (part === null || typeof part !== 'object') return found
  if (typeof part.$ref === 'string') {
    if (part.$ref.startsWith('#/components/schemas/')) found.add(nameOf(part) as string)
    else schemasIn(document, follow(document, part), found)
  }
  for (const [key, value] of Object.entries(part)) {
    // Examples are data: `$ref` may be a plain member.
    if (key !== 'examples' && key !== 'example') schemasIn(document, value, found)
  }
  return found
}
