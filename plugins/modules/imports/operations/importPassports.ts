import { isRecord } from '../../../../src/plugin/index.ts'
import { badRequest, type Handler, parseGuardedJson } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

const FORMATS = {
  'text/csv': 'csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/x-ndjson': 'jsonl',
  'application/jsonl': 'jsonl',
  'application/aas+zip': 'aasx',
  'application/asset-administration-shell-package': 'aasx',
  'application/asset-administration-shell-package+xml': 'aasx',
} as const

export default function importPassports({ imports }: Cradle): Handler<'importPassports', operations> {
  return async ({ query, body, bodyType, principal, lang }) => {
    const { dryRun, anew, draft, operatorId, category, charset, columns } = query
    const format = FORMATS[bodyType as keyof typeof FORMATS]
    const answer = await imports.add(principal, {
      ...{ format, file: body, category, operatorId, charset, lang },
      columns: columns === undefined ? undefined : columnsIn(columns),
      dryRun: dryRun === 'true',
      draft: draft === 'true',
      isForced: anew === 'true',
    })
    return answer.isRepeated
      ? { status: 200, body: answer }
      : { status: 202, body: answer, headers: { Location: answer.import.url } }
  }
}

/** @throws Problem 400 */
function columnsIn(text: string): Readonly<Record<string, string>> {
  const columns = jsonOf(text)
  if (isRecord(columns) && Object.values(columns).every((key) => typeof key === 'string')) {
    return columns as Readonly<Record<string, string>>
  }
  throw badRequest('columns must be a JSON object from headings to keys, such as {"Article":"productId"}.')
}

function jsonOf(text: string): unknown {
  try {
    return parseGuardedJson(Buffer.from(text))
  } catch {
    return undefined
  }
}
