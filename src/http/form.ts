import { Problem } from '../domain/problem.ts'

/** A form in which an answer is taken away as a file. */
export interface Form {
  readonly mediaType: string
  /** Of the file's name, without a dot at its beginning. */
  readonly extension: string
}

/**
 * The form that the parameter `format` names; undefined where it is absent, or there is nothing to choose from.
 * @param forms those of the operation, by name
 * @throws Problem 400 for a form that the operation does not have
 */
export function formOf(forms: ReadonlyMap<string, Form>, format: unknown): Form | undefined {
  if (typeof format !== 'string' || forms.size === 0) return undefined
  const form = forms.get(format)
  if (form === undefined) {
    throw new Problem(400, `There is no such format. The formats are ${[...forms.keys()].join(', ')}.`, {
      title: 'Bad Request',
    })
  }
  return form
}

const MAX_NAME_CHARACTERS = 60

/**
 * `Content-Disposition` of a form: a file that is named after the last part of the address, by which the passport was asked
 * for. Letters that file systems or RFC 6266 take for something else are left out.
 */
export function attachmentOf(path: string, { extension }: Form): string {
  const last = path.slice(path.lastIndexOf('/') + 1)
  const name = last.replaceAll(/[^A-Za-z0-9_-]/g, '-').slice(0, MAX_NAME_CHARACTERS)
  return `attachment; filename="passport-${name}.${extension}"`
}
