import { afterEach, expect, test } from 'vitest'
import { type AttemptJob, WEBHOOK_DELIVERIES } from '../../src/jobs/outbox.ts'
import { DeliveryQueue, type Ending } from '../../src/webhooks/delivery-queue.ts'
import { expireHeartbeats } from '../support/jobs.ts'
import { useGateway } from '../support/use-gateway.ts'

// Scheduling of jobs, with the real queue and controlled receivers.

const { gateway } = await useGateway()
const { boss, log, webhookDelivery } = gateway.container.cradle
await webhookDelivery.stop(0)

let queue: DeliveryQueue | undefined
afterEach(async () => {
  await queue?.stop(0)
  await boss.deleteAllJobs(WEBHOOK_DELIVERIES)
})

/** Jobs of receivers, interleaved: the first of each, the second of each, and so on. */
async function given(receivers: readonly string[], each: number): Promise<void> {
  const jobs = Array.from({ length: each }, (_, number) =>
    receivers.map((id) => ({ data: { tenantId: '', deliveryId: `${id} ${number}`, attemptCount: 0 }, group: { id } })),
  )
  await boss.insert(WEBHOOK_DELIVERIES, jobs.flat())
  queue?.wake()
}
const names = (kind: string, count: number) => Array.from({ length: count }, (_, index) => `${kind}${index}`)
const receiverOf = ({ deliveryId }: AttemptJob) => deliveryId.split(' ')[0] as string

/** Starts a queue; `answer` determines the result of an attempt, undefined if it hangs until the queue is stopped. */
function start(answer: (receiver: string) => Ending | undefined) {
  const running = new Map<string, number>()
  const maxRunning = new Map<string, number>()
  const ended: string[] = []
  const givenUp: string[] = []
  queue = new DeliveryQueue({
    boss,
    log,
    work: {
      attempt: async (job, signal) => {
        const receiver = receiverOf(job)
        running.set(receiver, (running.get(receiver) ?? 0) + 1)
        maxRunning.set(receiver, Math.max(maxRunning.get(receiver) ?? 0, running.get(receiver) ?? 0))
        await new Promise(setImmediate)
        const ending = answer(receiver)
        if (ending === undefined) {
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          return 'lost'
        }
        running.set(receiver, (running.get(receiver) ?? 0) - 1)
        ended.push(receiver)
        return ending
      },
      giveUp: async (job) => {
        givenUp.push(receiverOf(job))
        return 'nothing'
      },
    },
  })
  queue.start()
  return { maxRunning, ended, givenUp, hanging: () => [...running.values()].filter((count) => count > 0).length }
}
const left = async () => {
  const [row] = await gateway.sql<{ count: number }>(
    `select count(*)::int as count from pgboss.job where name = $1 and state < 'completed'`,
    [WEBHOOK_DELIVERIES],
  )
  return row?.count
}

test('one hundred that hang of a thousand receivers keep none of the others waiting', async () => {
  await given([...names('hangs', 100), ...names('answers', 900)], 3)
  const { ended, hanging } = start((receiver) => (receiver.startsWith('hangs') ? undefined : 'taken'))
  await expect.poll(() => ended.length, { timeout: 20_000 }).toBe(2700)
  expect(hanging()).toBe(100)
  // Each hanging receiver has one attempt in flight; the others wait.
  await expect.poll(left).toBe(300)
})

test('more that hang than there are places share a part of them, once they have shown it', async () => {
  const bad = names('hangs', 200)
  await given(bad, 1)
  let isFirst = true
  const { ended, hanging } = start((receiver) => {
    if (!receiver.startsWith('hangs')) return 'taken'
    return isFirst ? 'refused' : undefined
  })
  await expect.poll(() => ended.length, { timeout: 20_000 }).toBe(200)
  isFirst = false
  await given(bad, 2)
  await expect.poll(hanging, { timeout: 20_000 }).toBe(32)
  await given(names('answers', 300), 2)
  await expect.poll(() => ended.length, { timeout: 20_000 }).toBe(200 + 600)
  expect(hanging()).toBe(32)
})

test('a receiver gets one attempt at a time until it has answered, then sixteen; after a refusal one again', async () => {
  await given(['one'], 1)
  const { maxRunning, ended } = start(() => 'taken')
  await expect.poll(() => ended.length).toBe(1)
  expect(maxRunning.get('one')).toBe(1)
  await given(['one', 'new'], 60)
  await expect.poll(() => ended.length, { timeout: 10_000 }).toBe(121)
  expect(maxRunning.get('one')).toBe(16)
  await queue?.stop(1000)
  await given(['bad'], 20)
  const refusing = start(() => 'refused')
  await expect.poll(() => refusing.ended.length, { timeout: 10_000 }).toBe(20)
  expect(refusing.maxRunning.get('bad')).toBe(1)
})

test('pending deliveries of a silent receiver fail with it, and no others', async () => {
  await given(['dead', 'alive'], 20)
  const { ended, givenUp } = start((receiver) => (receiver === 'dead' ? 'unreachable' : 'taken'))
  await expect.poll(left, { timeout: 10_000 }).toBe(0)
  expect(ended.filter((receiver) => receiver === 'alive')).toHaveLength(20)
  expect(new Set(givenUp)).toEqual(new Set(['dead']))
  expect(givenUp.length + ended.filter((receiver) => receiver === 'dead').length).toBe(20)
})

test('a job whose end is not known comes back, and one that was taken and not begun is given back', async () => {
  await given(['one'], 1)
  let isLost = true
  const { ended } = start(() => {
    const ending = isLost ? 'lost' : 'taken'
    isLost = false
    return ending
  })
  await expect.poll(() => ended.length).toBe(1)
  await expireHeartbeats(gateway, WEBHOOK_DELIVERIES)
  await expect.poll(() => ended.length).toBe(2)
  await queue?.stop(1000)
  await given(['hangs'], 5)
  const hanging = start((receiver) => (receiver === 'hangs' ? undefined : 'taken'))
  await expect.poll(hanging.hanging).toBe(1)
  await queue?.stop(0)
  const other = start(() => 'taken')
  await expect.poll(() => other.ended.length, { timeout: 10_000 }).toBe(5)
})
