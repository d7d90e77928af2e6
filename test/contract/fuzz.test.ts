import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Operation } from '../../src/http/contract.ts'
import type { Answer } from '../support/contract-client.ts'
import { type FuzzRequest, fuzzRequests, type Value } from '../support/fuzz-requests.ts'
import { bearer, createWorkspace } from '../support/gateway.ts'
import { givenSubjects, sampleCalls } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

// FUZZ_REQUESTS and FUZZ_SEED ask for more, or for other, requests; a failure prints its seed and the request.
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 3000)
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121)
let credentials: Record<FuzzRequest['credential'], Record<string, string>>
/** What is there to be named in an address, the last ones, by what stands before it there. */
const known = new Map<string, string[]>()
const MOST_KNOWN = 40

const { gateway, workspace } = await useGateway()

beforeAll(async () => {
  const { workspaces } = gateway.container.cradle
  const session = { workspaceId: workspace.id, user: 'fuzz', role: 'TENANT_ADMIN', mfa: true }
  const { cookie, csrf } = await workspaces.createSession(session)
  credentials = {
    owner: workspace.as,
    auditor: bearer((await workspaces.createKey({ workspaceId: workspace.id, role: 'AUDITOR' })).key),
    other: (await createWorkspace(gateway)).as,
    session: { cookie, 'x-csrf-token': csrf },
    invalid: bearer('dpp_key_invalid'),
    none: {},
  }
  const calls = sampleCalls(await givenSubjects(gateway, workspace))
  for (const { operationId, path } of gateway.container.cradle.contract.operations.values()) {
    const values = calls[operationId]?.path.split('/') ?? []
    for (const [index, segment] of path.split('/').entries()) {
      const value = values[index]?.split('?')[0]
      if (segment.startsWith('{') && value) know(collectionOf(path, index), decodeURIComponent(value))
    }
  }
})

/** "passports" for the id of `/api/v1/passports/{id}` and that of `/passport/{id}`. */
function collectionOf(path: string, index: number): string {
  const [before = '', own = ''] = path.split('/').slice(index - 1, index + 1)
  if (before.startsWith('{')) return own
  return /^(?:passport|unit)$/.test(before) ? `${before}s` : before
}

function know(collection: string, value: string): void {
  const values = known.get(collection) ?? []
  known.set(collection, [...values.filter((other) => other !== value), value].slice(-MOST_KNOWN))
}

function textOf({ path }: Operation, index: number, value: Value | undefined): string {
  if (value === undefined || 'text' in value) return value?.text ?? ''
  const values = known.get(collectionOf(path, index)) ?? known.get('passports') ?? []
  return values[value.known % values.length] ?? ''
}

// Half of a surrogate pair has no escape; U+FFFD stands for it.
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

async function send({ operation, path, query, headers, body, credential }: FuzzRequest): Promise<Answer> {
  let at = 0
  const segments = operation.path.split('/').map((segment, index) => {
    return segment.startsWith('{') ? encoded(textOf(operation, index, path[at++])) || '%20' : segment
  })
  const address = segments.join('/')
  const asked: [string, string][] = address === '/request-access' ? [['passport', textOf(operation, 0, path[0])]] : []
  const search = [...asked, ...query].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')
  return gateway.request(operation.method, search === '' ? address : `${address}?${search}`, {
    headers: { ...headers, ...(body && { 'content-type': body.contentType }), ...credentials[credential] },
    raw: body?.text,
  })
}

function remember({ body }: Answer): void {
  for (const kind of [
    'passport',
    'operator',
    'facility',
    'grant',
    'unit',
    'batch',
    'link',
    'handover',
    'subscription',
  ]) {
    const collection = { facility: 'facilities', batch: 'batches' }[kind] ?? `${kind}s`
    for (const name of [body?.[kind]?.id, body?.[kind]?.productId]) {
      if (typeof name === 'string' && name !== '') know(collection, name)
    }
  }
}

test(
  `${REQUESTS} requests with seed ${SEED} get documented answers, and none is a failure`,
  async () => {
    console.log(`fuzz: ${REQUESTS} requests, seed ${SEED}`)
    const { document, operations } = gateway.container.cradle.contract
    const requests = fc.sample(fuzzRequests(document, [...operations.values()]), { seed: SEED, numRuns: REQUESTS })
    const statuses = new Map<number, number>()
    const findings: string[] = []
    for (const [index, request] of requests.entries()) {
      try {
        const answer = await send(request)
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        if (answer.status >= 500) throw new Error(`${answer.status}: ${answer.text}`)
        remember(answer)
      } catch (error) {
        const { operation, ...rest } = request
        findings.push(`#${index} ${operation.operationId} ${JSON.stringify(rest)}\n${(error as Error).message}`)
      }
    }
    console.log(
      `fuzz: ${[...statuses]
        .sort()
        .map((pair) => pair.join(' × '))
        .join(', ')}`,
    )
    expect(findings).toEqual([])
    // Requests that are refused at the door test nothing behind it.
    expect((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0)).toBeGreaterThan(REQUESTS / 5)
  },
  30_000 + REQUESTS * 20,
)
