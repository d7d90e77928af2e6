import type { Cradle } from '../cradle.ts'
import type { Metadata } from '../domain/metadata.ts'
import type {
  AccessRequestEvent,
  Change,
  Letter,
  ModuleTransaction,
  NewNotification,
  SearchResult,
  SubjectSearch,
} from '../plugin/contracts.ts'

declare module '../cradle.ts' {
  interface Cradle {
    moduleHooks: ReturnType<typeof moduleHooks>
  }
}

/** Calls the hooks of modules, in the order of `PLUGINS`. */
export default function moduleHooks(cradle: Cradle) {
  const { modules, notificationTypes } = cradle.plugins
  const sender = modules.find(({ letters }) => letters !== undefined)?.letters
  const listening = modules.filter(({ onChange }) => onChange !== undefined)

  return {
    ...{ changed, validated, notify, accessRequested, findSubject, mailsDecisions },
    sendsLetters: () => sender?.isOn(cradle) === true,
    /** Does nothing unless `sendsLetters`. */
    sendLetter: async (tx: ModuleTransaction, letter: Letter) => sender?.send(tx, letter, cradle),
  }

  async function changed(tx: ModuleTransaction, change: Change): Promise<void> {
    if (change.ids.length === 0) return
    for (const module of listening) await module.onChange?.(tx, change, cradle)
  }

  /** Returns the members of every `onValidate`. */
  function validated(metadata: Metadata, lang: string): object {
    return Object.assign({}, ...modules.map(({ onValidate }) => onValidate?.(metadata, lang, cradle)))
  }

  /** @throws Error for a type that neither the gateway nor a module declares */
  function notify(tx: ModuleTransaction, notification: NewNotification): void {
    const { type } = notification
    if (!notificationTypes.has(type)) throw new Error(`The type ${type} of a notification is not declared.`)
    for (const module of modules) module.onNotification?.(tx, notification, cradle)
  }

  async function accessRequested(tx: ModuleTransaction, event: AccessRequestEvent): Promise<void> {
    for (const module of modules) await module.onAccessRequest?.(tx, event, cradle)
  }

  /** Undefined if no module searches. */
  async function findSubject(search: SubjectSearch): Promise<SearchResult | undefined> {
    return modules.find((module) => module.findSubject !== undefined)?.findSubject?.(search, cradle)
  }

  function mailsDecisions(): boolean {
    return modules.some((module) => module.mailsDecisions?.(cradle) === true)
  }
}
