import { afterAll, expect, test } from 'vitest'
import { dictionary } from '../../src/domain/record.ts'
import type { Operation } from '../../src/http/contract.ts'
import { cachingFaults, originFaults } from './answer-rules.ts'
import type { Answer, Exchange } from './contract-client.ts'
import { createWorkspace, startTestGateway, type TestGateway } from './gateway.ts'
import { sendAll } from './odd-requests.ts'
import { NO_REGISTRY } from './registrable.ts'
import { type Call, givenSubjects, promisedRows, type Subjects, sampleCalls } from './sample-calls.ts'
import { testPlugins } from './test-plugins.ts'

/** Labels per response; more become a job. */
const LABELS_AT_ONCE = 3

/** Modifies a sample call: another call, headers, or a raw body. */
type Prepare = (
  call: Call,
  operationId: string,
  mediaType: string,
) => { call?: Call; headers?: Record<string, string>; raw?: string }

/** Host suffix of workspaces. */
export const SUFFIX = '.workspaces.example.test'

/** Rows of the core's contract that only a module fulfils: batches, and the search of the front door. */
const OF_MODULES: ReadonlySet<string> = new Set(['resolveGs1GtinQualifier 302 -', 'showAccessRequest 303 -'])

/** True if the operation resolves a GS1 Digital Link, which also returns links. */
export const isLink = (operationId: string) => operationId.startsWith('resolveGs1')
export const withLinkType = (call: Call, type: string): Call => ({ ...call, path: `${call.path}?linkType=${type}` })

/** Starts a gateway to request and record all promised rows `operation × status × media type`. */
export async function useSweep() {
  const gateway = await startTestGateway(
    { WORKSPACE_HOST_SUFFIX: SUFFIX, ...(testPlugins() === undefined ? NO_REGISTRY : {}) },
    { bounds: { labelsAtOnce: LABELS_AT_ONCE, idempotencyWait: 100 } },
  )
  afterAll(() => gateway.close())
  const exchanges: Exchange[] = []
  gateway.client.onAnswer = (exchange) => exchanges.push(exchange)
  const hasModules = gateway.container.cradle.plugins.modules.length > 0
  const isOffered = (row: string) => hasModules || !OF_MODULES.has(row)
  const workspace = await createWorkspace(gateway)
  const subjects = await givenSubjects(gateway, workspace)

  function callOf(operationId: string, on = subjects): Call {
    const call = sampleCalls(on)[operationId]
    if (call === undefined) throw new Error(`test/support/sample-calls.ts has no call of ${operationId}.`)
    return call
  }

  /** Calls every operation that promises `status`, once per promised media type. */
  async function sweep(
    status: number,
    prepare: Prepare,
    options: { of?: TestGateway; on?: Subjects; only?: (operationId: string) => boolean } = {},
  ): Promise<void> {
    const { of = gateway, on = subjects, only = () => true } = options
    const rows = promisedRows(of.client, (row) => row.status === status && only(row.operationId)).filter(
      ({ operationId, mediaType }) => isOffered(`${operationId} ${status} ${mediaType}`),
    )
    const answers = await sendAll(rows, ({ operationId, mediaType }) => {
      const sample = callOf(operationId, on)
      const { call = sample, headers = {}, raw } = prepare(sample, operationId, mediaType)
      const accept: Record<string, string> = mediaType === '-' ? {} : { accept: mediaType }
      const { json, form, file } = call
      return of.request(call.method, call.path, {
        headers: { origin: 'https://app.example', ...accept, ...headers },
        ...(raw === undefined ? { json, form, file } : { raw }),
      })
    })
    for (const [{ operationId, mediaType }, answer] of answers)
      expect([operationId, mediaType, answer.status, answer.text]).toEqual([
        operationId,
        mediaType,
        status,
        answer.text,
      ])
  }

  /** Prepares calls with ids that do not exist. */
  const sought =
    (on: Subjects, prepare: () => { headers?: Record<string, string> } = () => ({})): Prepare =>
    (call, operationId) => {
      const paths = dictionary<string>({
        getFrontPage: `/?q=${on.gtin}`,
        showAccessRequest: hasModules && on === subjects ? `/request-access?q=${on.gtin}` : call.path,
        getCodeReader: '/code-reader/none.js',
        getApiReferencePage: '/docs/nothing',
        getApiReferenceSchema: '/docs/schemas/Nothing',
      })
      return { ...prepare(), call: { ...call, path: paths[operationId] ?? call.path } }
    }

  const send = (method: string, path: string, json?: unknown): Promise<Answer> =>
    gateway.request(method, path, { headers: workspace.as, json })

  async function given(json: object): Promise<{ id: string; productId: string }> {
    const { body, status, text } = await send('POST', '/api/v1/passports', json)
    expect([status, text]).toEqual([201, text])
    return body.passport
  }

  return {
    gateway,
    hasModules,
    workspace,
    subjects,
    callOf,
    sweep,
    sought,
    send,
    given,
    asOwner: () => ({ headers: workspace.as }),
    tooManyAtOnce: <Item>(item: Item): Item[] => Array(LABELS_AT_ONCE + 1).fill(item),
    /** Adds the tests that check the recording for completeness. */
    testRecording(isOurs: (status: number) => boolean): void {
      const faultsBy = (rule: (exchange: Exchange, operation: Operation) => string[]) => {
        const { operations } = gateway.container.cradle.contract
        const faults = exchanges.flatMap((exchange) =>
          rule(exchange, operations.get(exchange.operationId) as Operation),
        )
        return [...new Set(faults)]
      }

      test('everything that the contract promises has been seen', () => {
        const { seen } = gateway.client
        const promised = gateway.client.promised().filter((row) => isOurs(Number(row.split(' ')[1])) && isOffered(row))
        expect(promised.length).toBeGreaterThan(150)
        expect(promised.filter((row) => !seen.has(row))).toEqual([])
      })

      test('every answer says how it may be stored', () => expect(faultsBy(cachingFaults)).toEqual([]))

      test('every answer is given to pages of other origins if the operation is shared, else to none', () =>
        expect(faultsBy(originFaults)).toEqual([]))

      test('every answer has a request id', () =>
        expect(exchanges.filter(({ headers }) => !/^[0-9a-f-]{36}$/.test(String(headers['x-request-id'])))).toEqual([]))
    },
  }
}
