import { dictionary } from '../../../src/plugin/index.ts'
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
  if (body !== undefined) parts.push(...bodyParts(body, path))
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

/** Lists that give the variables of a shell an id of the caller's own: path, and where the id stands in the answer. */
const SOURCES: Readonly<Record<string, readonly [path: string, id: string]>> = dictionary({
  PASSPORT_ID: ['/api/v1/passports?limit=1', '.passports[0].id'],
  OPERATOR_ID: ['/api/v1/operators', '.operators[0].id'],
  FACILITY_ID: ['/api/v1/facilities', '.facilities[0].id'],
  GRANT_ID: ['/api/v1/grants', '.grants[0].id'],
  SUBSCRIPTION_ID: ['/api/v1/webhooks/subscriptions', '.subscriptions[0].id'],
})

/** Values of variables that no list gives. */
const GIVEN: Readonly<Record<string, string>> = dictionary({
  EXPIRES_AT: `$(jq -rn 'now + 30 * 86400 | todate')`,
  RECEIVER_URL: 'https://example.com/events',
})

/** Only a request that nobody has decided on can be approved or denied. */
const PENDING_GRANT = '[.grants[] | select(.status == "PENDING")][0].id'

/** Lines that set the variables of a command: the first id of a list, as far as there is a list, and a day that is to come. They need jq. */
export function settingsOf(command: string): string[] {
  const names = [...new Set([...command.matchAll(/\$([A-Z_]+)/g)].map(([, name = '']) => name))]
  return names.flatMap((name) => {
    const given = GIVEN[name]
    if (given !== undefined) return [`${name}=${given}`]
    const source = SOURCES[name]
    if (source === undefined) return []
    const [path, first] = source
    const id = name === 'GRANT_ID' && /\/(approve|deny)"/.test(command) ? PENDING_GRANT : first
    return [`${name}=$(curl -sS "$BASE${path}" -H "Authorization: Bearer $KEY" | jq -r '${id}')`]
  })
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

function bodyParts({ mediaType, example }: NonNullable<Call['body']>, path: string): string[] {
  if (/^(image|application\/pdf)/.test(mediaType)) {
    return [
      `-H 'Content-Type: ${mediaType}'`,
      `--data-binary @${mediaType.startsWith('image') ? 'picture' : 'document'}.${mediaType.split('/')[1]}`,
    ]
  }
  if (mediaType === 'application/x-www-form-urlencoded') {
    return Object.entries<Node>(example ?? {}).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`)
  }
  // A file is sent as it is.
  if (typeof example === 'string') {
    return [`-H 'Content-Type: ${mediaType}'`, `--data-binary ${quoted(example.replaceAll('\r\n', '\n'))}`]
  }
  return [`-H 'Content-Type: ${mediaType}'`, `-d ${withOwn(quoted(JSON.stringify(example ?? {}, null, 2)), path)}`]
}

/** A quoted JSON example with variables in place of what is the caller's own: ids, and the address of a receiver. */
function withOwn(example: string, path: string): string {
  return example
    .replace(
      /"(\w+)": "00000000-0000-4000-8000-[0-9a-f]{12}"/g,
      (_, name: string) => `"${name}": ${spliced(ownName(name))}`,
    )
    .replace(
      /"ids": \[[\s\w",-]{0,9999}\]/,
      `"ids": [${spliced(path.includes('/units/') ? 'UNIT_ID' : 'PASSPORT_ID')}]`,
    )
    .replace(/"url": "[^"]*"/, (given) => (path.includes('/webhooks/') ? `"url": ${spliced('RECEIVER_URL')}` : given))
    .replace(/"expiresAt": "[^"]*"/g, `"expiresAt": ${spliced('EXPIRES_AT')}`)
}

const ownName = (member: string): string => variable(member === 'batteryUnitId' ? 'unitId' : member)
const spliced = (name: string): string => `"'"$${name}"'"`

/** Nothing has a meaning within single quotes, but for their end. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Answers that no terminal shows, with the file that they go to. */
const FILES: readonly (readonly [RegExp, string])[] = [
  [/^image\//, 'picture'],
  [/zip$/, 'answer.zip'],
  [/^application\/pdf$/, 'answer.pdf'],
  [/^application\/(zip|pdf)$/, 'answer'],
]
