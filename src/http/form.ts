import { Problem } from '../domain/problem.ts'

export interface Form {
  readonly mediaType: string
  /** Without the dot. */
  readonly extension: string
}

/**
 * Undefined if absent or the operation has no formats.
 * @throws Problem 400 for an unknown format
 */
export function formOf(forms: ReadonlyMap<string, Form>, format: unknown): Form | undefined {
  if (typeof format !== 'string' || forms.size === 0) return undefined
  const form = forms.get(format)
  if (form === undefined) {
    throw new Problem(400, `Unknown format. Supported formats: ${[...forms.keys()].join(', ')}.`, {
      title: 'Bad Request',
    })
  }
  return form
}

const MAX_NAME_CHARACTERS = 60

/** Omits characters unsafe in file systems or RFC 6266. */
export function attachmentOf(path: string, { extension }: Form): string {
  const last = path.slice(path.lastIndexOf('/') + 1)
  const name = last.replaceAll(/[^A-Za-z0-9_-]/g, '-').slice(0, MAX_NAME_CHARACTERS)
  return `attachment; filename="passport-${name}.${extension}"`
}
