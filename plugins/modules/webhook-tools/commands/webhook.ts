import { setTimeout as sleep } from 'node:timers/promises'
import { type Commands, printable, required, text, UsageError } from '../../../../src/plugin/command.ts'
import type { Outgoing } from '../../../../src/plugin/installation.ts'
import type { ModuleCradle } from '../../../../src/plugin/module.ts'

type Services = Pick<ModuleCradle, 'boss' | 'webhookDeliveries'>

export default {
  'webhook replay': {
    summary: 'Replay finished webhook deliveries with the same webhook-id',
    options: {
      delivery: { value: 'ID', meaning: 'One delivery' },
      workspace: { value: 'ID', meaning: 'Workspace of the deliveries, with --from and --to' },
      from: { value: 'ISO', meaning: 'Start of the period' },
      to: { value: 'ISO', meaning: 'End of the period' },
      subscription: { value: 'ID', meaning: 'Subscription of the deliveries' },
    },
    async run({ options, open }) {
      const delivery = text(options, 'delivery')
      const target =
        delivery === undefined
          ? {
              workspace: required(options, 'workspace'),
              from: required(options, 'from'),
              to: required(options, 'to'),
              subscription: text(options, 'subscription'),
            }
          : { delivery }
      const { cradle } = await open<Services>()
      await cradle.boss.start()
      const deliveries = await cradle.webhookDeliveries.replayAll(target)
      return { json: { deliveries }, lines: [`Deliveries queued again: ${deliveries.length}.`, ...deliveries] }
    },
  },
  'webhook listen': {
    summary: 'Show the events of a workspace live and forward them, for development',
    options: {
      workspace: { value: 'ID', needed: true, meaning: 'Workspace' },
      forward: { value: 'URL', meaning: 'Address to forward to, such as http://localhost:4000/hook' },
      secret: { value: 'whsec_…', meaning: 'Signing secret', default: 'generated and printed' },
    },
    async run({ options, open, print }) {
      const workspace = required(options, 'workspace')
      const forward = text(options, 'forward')
      const installation = await import('../../../../src/plugin/installation.ts')
      const secret = text(options, 'secret') ?? installation.newSecret()
      if (forward !== undefined && !/^https?:\/\//.test(forward)) {
        throw new UsageError('--forward must be an http or https address.')
      }
      if (!installation.isSecret(secret))
        throw new UsageError('--secret must be whsec_ and the Base64 of 24 to 64 bytes.')
      const { cradle } = await open<Services>()
      const ending = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
      const events = cradle.webhookDeliveries.listen(workspace, ending.signal, () =>
        pause(LOOKED_EVERY_MS, ending.signal),
      )
      const { ANYWHERE, Outgoing } = installation
      const outgoing = new Outgoing(ANYWHERE)
      let heard = 0
      print({ listening: workspace, secret }, `Listening. Forwarded events are signed with ${secret}`)
      for await (const { id, type, body } of events) {
        heard += 1
        const outcome = forward === undefined ? undefined : await forwarded(outgoing, forward, { id, body }, secret)
        const line = [new Date().toISOString(), id, type.padEnd(23), outcome ?? ''].join('  ').trimEnd()
        print({ id, outcome, ...JSON.parse(body) }, line)
      }
      return { json: { heard }, lines: [`Events: ${heard}.`] }
    },
  },
} satisfies Commands

const LOOKED_EVERY_MS = 500
const FORWARDED_WITHIN_MS = 15_000

const pause = (milliseconds: number, signal: AbortSignal): Promise<unknown> =>
  sleep(milliseconds, undefined, { signal }).catch(() => {})

/** @returns the response, for people */
async function forwarded(
  outgoing: Outgoing,
  url: string,
  message: { readonly id: string; readonly body: string },
  secret: string,
): Promise<string> {
  const { signedHeaders } = await import('../../../../src/plugin/installation.ts')
  const headers = { 'Content-Type': 'application/json; charset=utf-8', ...signedHeaders(message, [secret], new Date()) }
  const request = { url, headers, body: message.body, withinMs: FORWARDED_WITHIN_MS, maxBytes: 65_536 }
  return outgoing.notify(request).then(
    ({ status }) => `HTTP ${status}`,
    (error) => printable(error.message || error.code),
  )
}
