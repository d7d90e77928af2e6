// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its own rules, checked by swagger-parser.
type Node = any

const METHODS = ['get', 'put', 'post', 'patch', 'delete']
/** Members with custom names instead of keywords. */
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
/** Keywords without effect on programs, like `x-` members. */
const WORDS = new Set(['description', 'summary', 'title', 'example', 'examples', 'tags', 'default', 'contentEncoding'])

/**
 * Promised part of a document without descriptions: operations, webhooks and their components. Provisional parts may
 * change and are omitted.
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
  const relevant = Object.entries<Node>(node).filter(
    ([key, value]) => (isNamed || !(WORDS.has(key) || key.startsWith('x-'))) && value?.['x-provisional'] !== true,
  )
  const result = Object.fromEntries(relevant.map(([key, value]) => [key, bare(value, !isNamed && NAMED.has(key))]))
  const { properties = {}, required } = node
  if (isNamed || !Array.isArray(required)) return result
  return { ...result, required: required.filter((name) => properties[name]?.['x-provisional'] !== true) }
}

const refsIn = (node: Node): string[] =>
  [...JSON.stringify(node).matchAll(/"\$ref":"(#[^"]{1,200})"/g)].map(([, ref = '']) => ref)
