import type { Node } from './document.ts'

/** A request as a command needs it. */
interface Call {
  readonly method: string
  /** With `{name}` where a parameter stands. */
  readonly path: string
  /** Names of the parameters that its query must have. */
  readonly query: readonly string[]
  readonly needsCredential: boolean
  readonly body?: { readonly mediaType: string; readonly example: unknown }
  /** Media types of what it answers. */
  readonly answers: readonly string[]
}

/**
 * The command that sends the request, for any shell that knows POSIX (IEEE Std 1003.1-2024, 2.2). What differs from caller to
 * caller is a variable: `$BASE` the address of the gateway, `$KEY` an API key, and one for each parameter.
 */
export function curlOf({ method, path, query, needsCredential, body, answers }: Call): string {
  const asked = query.map((name, index) => `${index === 0 ? '?' : '&'}${name}=$${variable(name)}`).join('')
  const parts = [`curl -sS "$BASE${withVariables(path)}${asked}"`]
  const isFetched = method === 'GET'
  // What is sent makes it POST.
  if (!isFetched && !(method === 'POST' && body !== undefined)) parts.push(`-X ${method}`)
  if (needsCredential) parts.push('-H "Authorization: Bearer $KEY"')
  if (body !== undefined) parts.push(...bodyParts(body))
  const file = answers.length === 0 ? undefined : FILES.find(([type]) => answers.every((one) => type.test(one)))
  if (file !== undefined) parts.push(`-o ${file[1]}`)
  return parts.join(' \\\n  ')
}

/** Variables of {@link curlOf} beside `BASE` and `KEY`, by the name of the parameter. */
export function variablesOf(path: string, query: readonly string[]): ReadonlyMap<string, string> {
  const inPath = [...path.matchAll(PARAMETERS)].map(([, before = '', name = '']): [string, string] => [
    name,
    pathVariable(before, name),
  ])
  return new Map([...inPath, ...query.map((name): [string, string] => [name, variable(name)])])
}

const PARAMETERS = /(?<=^|[/}])([^/{}]*)\/\{([^/{}]+)\}/g

const withVariables = (path: string): string =>
  path.replace(PARAMETERS, (_, before: string, name: string) => `${before}/$${pathVariable(before, name)}`)

/** `passports/{id}` is a PASSPORT_ID. */
const pathVariable = (before: string, name: string): string => variable(name === 'id' ? `${singular(before)}_id` : name)

const singular = (word: string): string =>
  word
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|x)es$/, '$1')
    .replace(/s$/, '')

const variable = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()

function bodyParts({ mediaType, example }: NonNullable<Call['body']>): string[] {
  if (/^(image|application\/pdf)/.test(mediaType)) {
    return [
      `-H 'Content-Type: ${mediaType}'`,
      `--data-binary @${mediaType.startsWith('image') ? 'picture' : 'document'}.${mediaType.split('/')[1]}`,
    ]
  }
  if (mediaType === 'application/x-www-form-urlencoded') {
    return Object.entries<Node>(example ?? {}).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`)
  }
  return [`-H 'Content-Type: ${mediaType}'`, `-d ${quoted(JSON.stringify(example ?? {}, null, 2))}`]
}

/** Nothing has a meaning within single quotes, but for their end. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Answers that no terminal shows, with the file that they go to. */
const FILES: readonly (readonly [RegExp, string])[] = [
  [/^image\//, 'picture'],
  [/zip$/, 'answer.zip'],
  [/^application\/pdf$/, 'answer.pdf'],
  [/^application\/(zip|pdf)$/, 'answer'],
]
