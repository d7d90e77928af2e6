import type { Cradle } from '../cradle.ts'
import type { Metadata } from '../domain/metadata.ts'
import type { Change, ModuleTransaction } from '../plugin/contracts.ts'

declare module '../cradle.ts' {
  interface Cradle {
    moduleHooks: ReturnType<typeof moduleHooks>
  }
}

export default function moduleHooks(cradle: Cradle) {
  const listening = cradle.plugins.modules.filter(({ onChange }) => onChange !== undefined)

  return { changed, validated }

  /** Runs every `onChange`, in the order of `PLUGINS`. */
  async function changed(tx: ModuleTransaction, change: Change): Promise<void> {
    if (change.ids.length === 0) return
    for (const module of listening) await module.onChange?.(tx, change, cradle)
  }

  /** Returns the members of every `onValidate`. */
  function validated(metadata: Metadata, lang: string): object {
    return Object.assign({}, ...cradle.plugins.modules.map(({ onValidate }) => onValidate?.(metadata, lang, cradle)))
  }
}
