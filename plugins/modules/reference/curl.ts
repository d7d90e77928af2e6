import { dictionary } from '../../../src/plugin/index.ts'
import type { Node } from './document.ts'

interface Call {
  readonly method: string
  /** Path template with `{name}` for parameters. */
  readonly path: string
  readonly query: readonly string[]
  readonly needsCredential: boolean
  readonly body?: { readonly mediaType: string; readonly example: unknown }
  readonly answers: readonly string[]
}

/**
 * Returns a curl command for POSIX shells (IEEE Std 1003.1-2024, 2.2). Variables: `$BASE` (gateway address), `$KEY` (API key) and one per
 * parameter.
 */
export function curlOf({ method, path, query, needsCredential, body, answers }: Call): string {
  const queryText = query.map((name, index) => `${index === 0 ? '?' : '&'}${name}=$${variable(name)}`).join('')
  const parts = [`curl -sS "$BASE${withVariables(path)}${queryText}"`]
  const isFetched = method === 'GET'
  if (!isFetched && !(method === 'POST' && body !== undefined)) parts.push(`-X ${method}`)
  if (needsCredential) parts.push('-H "Authorization: Bearer $KEY"')
  if (body !== undefined) parts.push(...bodyParts(body, path))
  const file = answers.length === 0 ? undefined : FILES.find(([type]) => answers.every((one) => type.test(one)))
  if (file !== undefined) parts.push(`-o ${file[1]}`)
  return parts.join(' \\\n  ')
}

export function variablesOf(path: string, query: readonly string[]): ReadonlyMap<string, string> {
  const inPath = [...path.matchAll(PARAMETERS)].map(([, before = '', name = '']): [string, string] => [
    name,
    pathVariable(before, name),
  ])
  return new Map([...inPath, ...query.map((name): [string, string] => [name, variable(name)])])
}

const SOURCES: Readonly<Record<string, readonly [path: string, id: string]>> = dictionary({
  PASSPORT_ID: ['/api/v1/passports?limit=1', '.passports[0].id'],
  OPERATOR_ID: ['/api/v1/operators', '.operators[0].id'],
  FACILITY_ID: ['/api/v1/facilities', '.facilities[0].id'],
  GRANT_ID: ['/api/v1/grants', '.grants[0].id'],
  SUBSCRIPTION_ID: ['/api/v1/webhooks/subscriptions', '.subscriptions[0].id'],
})

const GIVEN: Readonly<Record<string, string>> = dictionary({
  EXPIRES_AT: `$(jq -rn 'now + 30 * 86400 | todate')`,
  RECEIVER_URL: 'https://example.com/events',
})

const PENDING_GRANT = '[.grants[] | select(.status == "PENDING")][0].id'

/** Returns lines that set the variables of a command, from list endpoints or as dates. They require jq. */
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
  if (typeof example === 'string') {
    return [`-H 'Content-Type: ${mediaType}'`, `--data-binary ${quoted(example.replaceAll('\r\n', '\n'))}`]
  }
  return [`-H 'Content-Type: ${mediaType}'`, `-d ${withOwn(quoted(JSON.stringify(example ?? {}, null, 2)), path)}`]
}

/** Replaces IDs and receiver addresses in a quoted JSON example with variables. */
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

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const FILES: readonly (readonly [RegExp, string])[] = [
  [/^image\//, 'picture'],
  [/zip$/, 'answer.zip'],
  [/^application\/pdf$/, 'answer.pdf'],
  [/^application\/(zip|pdf)$/, 'answer'],
]
