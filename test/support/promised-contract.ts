// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its own rules, checked by swagger-parser.
type Node = any

const METHODS = ['get', 'put', 'post', 'patch', 'delete']
/** Members whose own members are named by us and mean no keyword. */
const NAMED = new Set([
  'properties',
  'patternProperties',
  'paths',
  'webhooks',
  'content',
  'headers',
  'responses',
  'parameters',
  'requestBodies',
  'schemas',
])
/** What says nothing that a program goes by; so do `x-` members. */
const WORDS = new Set(['description', 'summary', 'title', 'example', 'examples', 'tags', 'default', 'contentEncoding'])

/**
 * What a document promises, without its words: operations, webhooks and the components that they need. What is provisional may still
 * change and is left out.
 */
export function promisedBy({ paths, webhooks, components }: Node): Node {
  const promised = bare({ paths, webhooks })
  for (const items of [promised.paths, promised.webhooks]) {
    for (const [name, item] of Object.entries<Node>(items))
      if (!METHODS.some((method) => item[method])) delete items[name]
  }
  const needed: Record<string, Record<string, Node>> = {}
  const waiting: Node[] = [promised]
  for (const node of waiting) {
    for (const ref of refsIn(node)) {
      const [kind = '', name = ''] = ref.split('/').slice(-2)
      needed[kind] ??= {}
      if (needed[kind][name] !== undefined) continue
      needed[kind][name] = bare(components[kind][name])
      waiting.push(needed[kind][name])
    }
  }
  return { ...promised, components: needed }
}

function bare(node: Node, isNamed = false): Node {
  if (Array.isArray(node)) return node.filter((each) => each?.['x-provisional'] !== true).map((each) => bare(each))
  if (node === null || typeof node !== 'object') return node
  const kept = Object.entries<Node>(node).filter(
    ([key, value]) => (isNamed || !(WORDS.has(key) || key.startsWith('x-'))) && value?.['x-provisional'] !== true,
  )
  const result = Object.fromEntries(kept.map(([key, value]) => [key, bare(value, !isNamed && NAMED.has(key))]))
  const { properties = {}, required } = node
  if (isNamed || !Array.isArray(required)) return result
  return { ...result, required: required.filter((name) => properties[name]?.['x-provisional'] !== true) }
}

const refsIn = (node: Node): string[] =>
  [...JSON.stringify(node).matchAll(/"\$ref":"(#[^"]{1,200})"/g)].map(([, ref = '']) => ref)
