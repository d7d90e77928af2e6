import type { ModuleTransaction, QueuedMessage } from '../../../../src/plugin/index.ts'
import { ANYWHERE, type ModuleCradle, Outgoing } from '../../../../src/plugin/module.ts'
import type { CdnSettings } from '../settings.ts'

export const PURGES = 'cdn-purge'
/** Name of every public rendition. */
const ALL = 'dpp'
const ANSWERED_WITHIN_MS = 10_000
const MAX_ANSWER_BYTES = 65_536

interface Purge {
  readonly names: readonly string[]
}

/** Removes changed renditions from shared caches. */
export default function purger({
  cdnSettings,
  outbox,
}: Pick<ModuleCradle, 'outbox'> & { readonly cdnSettings: CdnSettings }) {
  const outgoing = new Outgoing({ ...ANYWHERE, keepAlive: true })

  return { isOn: cdnSettings !== undefined, plan, attempt }

  /** Queues the purge in the transaction of the change. */
  async function plan(tx: ModuleTransaction, changed: readonly string[]): Promise<void> {
    if (cdnSettings === undefined) return
    const { maxNames } = cdnSettings.format
    const names = changed.length === 0 ? [ALL] : [...new Set(changed)]
    const messages: { data: Purge }[] = []
    for (let at = 0; at < names.length; at += maxNames)
      messages.push({ data: { names: names.slice(at, at + maxNames) } })
    await outbox.send(tx, PURGES, messages)
  }

  /** @throws Error to retry */
  async function attempt({ data, signal }: QueuedMessage<Purge>): Promise<void> {
    if (cdnSettings === undefined) return
    const { address, format, token } = cdnSettings
    const request = { url: address, withinMs: ANSWERED_WITHIN_MS, maxBytes: MAX_ANSWER_BYTES }
    const { status } = await outgoing.notify({ ...request, ...format.request(data.names, token) }, signal)
    if (status < 200 || status > 299) throw new Error(`The shared cache answered the purge with ${status}.`)
  }
}
