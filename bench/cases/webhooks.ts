import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { answersOf, type Bench, type Case } from '../bench.ts'
import { BULK_ROWS, bulkOf, makeWorkspaces, textileCreation, withServices } from '../data.ts'
import { type BenchRequest, makeRequest, numbered } from '../http.ts'
import type { Server } from '../processes.ts'

/** Maximum of subscriptions per workspace. */
const OF_WORKSPACE = 25
const DELIVERIES_PER_SECOND = 50
/** Connections of the baseline: the gateway's limit per receiver. */
const LOOP_CONNECTIONS = 16
const ARRIVED_WITHIN_MS = 120_000
/** Workspaces, hanging subscriptions, bulks of 200 events, duration of the events, subscriptions per workspace. */
const SIZE = { workspaces: 40, hanging: 100, bulks: 5, seconds: 20, each: OF_WORKSPACE }
const QUICK_SIZE = { workspaces: 2, hanging: 2, bulks: 1, seconds: 0.2, each: 5 }
/** Differs from the product numbers of other cases. */
let product = 500_000_000

/** Receiver that responds with 204, never on `/hang`, and records the arrivals. */
class Receiver {
  readonly #server = createServer((req, res) => this.#take(req, res))
  arrivals: { readonly product: string; readonly at: number }[] = []

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** @throws Error if fewer events arrive in time */
  async until(count: number): Promise<void> {
    const end = performance.now() + ARRIVED_WITHIN_MS
    while (this.arrivals.length < count) {
      if (performance.now() > end) throw new Error(`Only ${this.arrivals.length} of ${count} events have arrived.`)
      await sleep(20)
    }
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #take(req: IncomingMessage, res: ServerResponse): void {
    if (req.url === '/hang') return
    let text = ''
    req.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    req.on('end', () => {
      res.writeHead(204).end()
      this.arrivals.push({ product: JSON.parse(text).data.productId, at: performance.now() })
    })
  }
}

interface Sender {
  readonly tenantId: string
  readonly authorization: string
  readonly operatorId: string
  readonly subscriptions: readonly string[]
}

const json = (
  method: BenchRequest['method'],
  path: string,
  { authorization }: Pick<Sender, 'authorization'>,
  body: object,
): BenchRequest =>
  makeRequest(method, path, { Authorization: authorization, 'Content-Type': 'application/json' }, JSON.stringify(body))

/** Creates `count` workspaces with an operator and `each` subscriptions. */
async function sendersTo(bench: Bench, gateway: Server, url: string, count: number, each: number): Promise<Sender[]> {
  const senders: Sender[] = []
  for (const workspace of await makeWorkspaces(bench.database.url, count)) {
    const operator = json('POST', '/api/v1/operators', workspace, { name: 'Bench', regId: 'HRB 2' })
    const subscribe = json('POST', '/api/v1/webhooks/subscriptions', workspace, { url, events: ['passport.ingested'] })
    const answers = await answersOf(gateway, [operator, ...Array.from({ length: each }, () => subscribe)], 201)
    const [made, ...subscribed] = answers.map(({ body }) => JSON.parse(String(body)))
    senders.push({
      tenantId: workspace.tenantId,
      authorization: workspace.authorization,
      operatorId: made.operator.id,
      subscriptions: subscribed.map(({ subscription }) => subscription.id),
    })
  }
  return senders
}

/**
 * Creates passports in all workspaces in turn.
 * @param arriving expected deliveries per event, by workspace
 * @returns the 95th percentile of the seconds from a response to the first delivery attempt
 */
async function delayOf(
  bench: Bench,
  gateway: Server,
  receiver: Receiver,
  senders: readonly Sender[],
  seconds: number,
  arriving: readonly number[],
): Promise<number> {
  receiver.arrivals = []
  const committed = new Map<string, number>()
  const running: Promise<void>[] = []
  const perSecond =
    (DELIVERIES_PER_SECOND * senders.length) / senders.reduce((sum, { subscriptions }) => sum + subscriptions.length, 0)
  let expected = 0
  const start = performance.now()
  for (let index = 0; index < seconds * perSecond; index += 1) {
    // At random times, because the gateway polls for events at a fixed interval.
    await sleep(Math.max(0, start + ((index + Math.random()) * 1000) / perSecond - performance.now()))
    product += 1
    const request = numbered(textileCreation({ ...bench.data, ...senders[index % senders.length] }), product)
    expected += arriving[index % senders.length] ?? 0
    running.push(
      answersOf(gateway, [request], 201).then(([answer]) => {
        committed.set(JSON.parse(String(answer?.body)).passport.productId, performance.now())
      }),
    )
  }
  await Promise.all(running)
  await receiver.until(expected)
  const delays = receiver.arrivals.map(({ product, at }) => (at - (committed.get(product) ?? Number.NaN)) / 1000)
  return delays.toSorted((a, b) => a - b)[Math.ceil(delays.length * 0.95) - 1] ?? Number.NaN
}

/** Replays the events of a catalogue to one receiver. @returns deliveries per second */
async function drained(
  bench: Bench,
  gateway: Server,
  receiver: Receiver,
  sender: Sender,
  bulks: number,
): Promise<number> {
  receiver.arrivals = []
  for (let bulk = 0; bulk < bulks; bulk += 1) {
    product += 1
    await answersOf(gateway, [numbered(bulkOf({ ...bench.data, ...sender }), product)], 201)
  }
  await receiver.until(bulks * BULK_ROWS)
  receiver.arrivals = []
  const replayed = await withServices(bench.database.url, async ({ boss, webhookDeliveries }) => {
    await boss.start()
    return webhookDeliveries.replayAll({ workspace: sender.tenantId, from: '2000-01-01', to: '2100-01-01' })
  })
  await receiver.until(replayed.length)
  const [first, last] = [receiver.arrivals[0], receiver.arrivals.at(-1)]
  return ((replayed.length - 1) * 1000) / ((last?.at ?? 0) - (first?.at ?? 0))
}

/** Sends as many POSTs without queue and signature. @returns requests per second */
async function posted(url: string, count: number): Promise<number> {
  const body = JSON.stringify({ type: 'passport.ingested', data: { productId: 'loop', text: 'x'.repeat(6000) } })
  const start = performance.now()
  let left = count
  await Promise.all(
    Array.from({ length: LOOP_CONNECTIONS }, async () => {
      while (left > 0) {
        left -= 1
        await fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })
      }
    }),
  )
  return (count * 1000) / (performance.now() - start)
}

const webhooks: Case = {
  name: 'webhooks',
  figures: [
    { name: 'webhook-first-attempt-p95', unit: 's' },
    { name: 'webhook-loop-by-drained', unit: 'x' },
    { name: 'webhook-1000-p95', unit: 's' },
    { name: 'webhook-100-of-1000-hanging', unit: 'x' },
  ],
  async run(bench) {
    const { workspaces, hanging, bulks, seconds, each } = bench.isQuick ? QUICK_SIZE : SIZE
    const gateway = await bench.startGateway()
    const receiver = new Receiver()
    try {
      const url = await receiver.open()
      const [single] = await sendersTo(bench, gateway, url, 1, 1)
      const one = [single as Sender]
      await delayOf(bench, gateway, receiver, one, Math.min(seconds, 1), [1])
      const delay = await delayOf(bench, gateway, receiver, one, seconds, [1])
      const rate = await drained(bench, gateway, receiver, single as Sender, bulks)
      const loop = await posted(url, bulks * BULK_ROWS)

      const many = await sendersTo(bench, gateway, url, workspaces, each)
      const whole = many.map(() => each)
      const before = await delayOf(bench, gateway, receiver, many, seconds, whole)
      // Distributed over all workspaces.
      const stopped = Array.from({ length: hanging }, (_, index) => ({
        sender: many[index % many.length] as Sender,
        place: Math.floor(index / many.length),
      }))
      for (const { sender, place } of stopped) {
        const path = `/api/v1/webhooks/subscriptions/${sender.subscriptions[place]}`
        await answersOf(gateway, [json('PATCH', path, sender, { url: `${url}/hang` })], 200)
      }
      const left = many.map((sender) => each - stopped.filter((one) => one.sender === sender).length)
      const after = await delayOf(bench, gateway, receiver, many, seconds, left)
      return [delay, loop / rate, before, after / before]
    } finally {
      receiver.close()
    }
  },
}

export default [webhooks]
