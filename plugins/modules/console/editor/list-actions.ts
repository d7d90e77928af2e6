import { type FormValues, keysName } from './form-values.ts'
import { keysOf } from './read-form.ts'

const ACTIONS = ['add', 'remove', 'up', 'down'] as const

/**
 * Applies a button of a list, such as `add fiberComposition` or `remove fiberComposition 2`; undefined for another button.
 * Entries keep their keys, so that their stored values stay theirs.
 */
export function afterButton(
  values: FormValues,
  button: string,
): { readonly values: FormValues; readonly focus: string } | undefined {
  const [action, name = '', key = ''] = button.split(' ')
  const keys = name === '' ? undefined : keysOf(values, name)
  if (keys === undefined || !ACTIONS.some((known) => known === action)) return undefined
  const changed = changedKeys(action as (typeof ACTIONS)[number], keys, key)
  const focus = action === 'add' ? `${name}.${changed.at(-1)}` : action === 'remove' ? name : `${name}.${key}`
  return { values: { ...values, [keysName(name)]: changed.join() }, focus }
}

function changedKeys(action: (typeof ACTIONS)[number], keys: readonly string[], key: string): readonly string[] {
  if (action === 'add') {
    const used = keys.map((one) => (one.startsWith('n') ? Number(one.slice(1)) : 0))
    return [...keys, `n${Math.max(0, ...used) + 1}`]
  }
  const at = keys.indexOf(key)
  if (at < 0) return keys
  const others = keys.toSpliced(at, 1)
  if (action === 'remove') return others
  return others.toSpliced(action === 'up' ? Math.max(0, at - 1) : at + 1, 0, key)
}
