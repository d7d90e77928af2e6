import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Operation } from '../../src/http/contract.ts'
import type { Answer } from '../support/contract-client.ts'
import { type FuzzRequest, fuzzRequests, type Value } from '../support/fuzz-requests.ts'
import { bearer, createWorkspace } from '../support/gateway.ts'
import { givenSubjects } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

// FUZZ_REQUESTS and FUZZ_SEED ask for more, or for other, requests; a failure prints its seed and the request.
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 3000)
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121)
let credentials: Record<FuzzRequest['credential'], Record<string, string>>
/** Where in an address each kind of thing is named that is created; of the last ones the ids are known, and product ids of passports. */
const PLACES = {
  passport: '/passports',
  operator: '/operators',
  facility: '/facilities',
  grant: '/grants',
  unit: '/unit',
  batch: '/batch',
} as const
const KINDS = Object.keys(PLACES) as (keyof typeof PLACES)[]
const known = Object.fromEntries(KINDS.map((kind) => [kind, [] as string[]])) as Record<keyof typeof PLACES, string[]>

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
  const { passportId, gtin, grai, operatorId, facilityId, grantId, serial, unitId, batchId } = await givenSubjects(
    gateway,
    workspace,
  )
  known.passport.push(passportId, gtin, grai, serial)
  known.operator.push(operatorId)
  known.facility.push(facilityId)
  known.grant.push(grantId)
  known.unit.push(unitId)
  known.batch.push(batchId)
})

function textOf({ path }: Operation, value: Value | undefined): string {
  if (value === undefined || 'text' in value) return value?.text ?? ''
  const kind = KINDS.find((name) => path.includes(PLACES[name])) ?? 'passport'
  const names = known[kind]
  return names[value.known % names.length] ?? ''
}

// Half of a surrogate pair has no escape; U+FFFD stands for it.
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

async function send({ operation, path, query, headers, body, credential }: FuzzRequest): Promise<Answer> {
  let at = 0
  const address = operation.path.replace(/\{[^}]+\}/g, () => encoded(textOf(operation, path[at++])) || '%20')
  const asked: [string, string][] = address === '/request-access' ? [['passport', textOf(operation, path[0])]] : []
  const search = [...asked, ...query].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')
  return gateway.request(operation.method, search === '' ? address : `${address}?${search}`, {
    headers: { ...headers, ...(body && { 'content-type': body.contentType }), ...credentials[credential] },
    raw: body?.text,
  })
}

function remember({ body }: Answer): void {
  for (const kind of KINDS) {
    const made = [body?.[kind], body?.units?.[0], body?.batches?.[0]][['unit', 'batch'].indexOf(kind) + 1]
    for (const name of [made?.id, made?.productId]) {
      if (typeof name === 'string' && name !== '') known[kind].push(name)
    }
    if (known[kind].length > 40) known[kind].splice(0, known[kind].length - 40)
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
