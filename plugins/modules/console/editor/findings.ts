import type { IssueText } from '../../../../src/plugin/module.ts'
import type { FieldError, Translate } from '../site.ts'
import type { FormFault } from './read-form.ts'

/** Control of a finding: of its path, or of the nearest group or list around it. */
export function controlOf(path: string, names: ReadonlyMap<string, string>): string | undefined {
  for (let at = path; at !== ''; at = at.replace(/(?:\.[^.[\]]+|\[\d+\]|^[^.[\]]+)$/, '')) {
    const name = names.get(at)
    if (name !== undefined) return name
    if (!/[.[]/.test(at)) return undefined
  }
  return undefined
}

/** Errors of fields: unreadable texts, then findings of the rules about other fields. */
export function errorsOf(
  faults: readonly FormFault[],
  findings: readonly IssueText[],
  names: ReadonlyMap<string, string>,
  t: Translate,
  labelOf: (name: string) => string,
): readonly FieldError[] {
  const errors = new Map<string, FieldError>()
  for (const { name, code, params } of faults) {
    const message = t('editor.fault.of', { field: labelOf(name), text: t(`editor.fault.${code}`, params) })
    if (!errors.has(name)) errors.set(name, { field: name, message })
  }
  const general: FieldError[] = []
  for (const { path, message, friendlyMessage = message } of findings) {
    const field = controlOf(path, names)
    if (field === undefined) general.push({ field: '', message: friendlyMessage })
    else if (!errors.has(field)) errors.set(field, { field, message: friendlyMessage })
  }
  return [...errors.values(), ...general]
}

/** True if the finding is about a value that is not stated. */
export function isAbsence(path: string, metadata: unknown): boolean {
  let at = metadata
  for (const step of path.split(/[.[\]]+/).filter((one) => one !== '')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return true
    at = (at as Record<string, unknown>)[step]
  }
  return false
}
