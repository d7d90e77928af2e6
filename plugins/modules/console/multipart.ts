import { assertCleanText, badRequest } from '../../../src/plugin/module.ts'
import type { PageRequest, UploadedFile } from './site.ts'

type Fields = Record<string, string | undefined>

/** Trims fields; a name occurs once. */
export function formOf(body: unknown): Fields {
  const form: Fields = Object.create(null)
  for (const [name, value] of Object.entries(body ?? {})) if (typeof value === 'string') form[name] = value.trim()
  return form
}

/** Parses a form with files (RFC 7578). Its boundary is the first line. @throws Problem 400 */
export async function readMultipart(bytes: Uint8Array): Promise<Pick<PageRequest, 'form' | 'files'>> {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const [, boundary] = /^--([\w'()+,./:=?-]{1,70})\r\n/.exec(start) ?? []
  if (boundary === undefined) throw badRequest('The form with files is malformed. Choose the file again.')
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
  const data = await new Response(Buffer.from(bytes), { headers }).formData().catch((cause) => {
    throw badRequest(`The form with files is malformed: ${(cause as Error).message}. Choose the file again.`)
  })
  const form: Fields = Object.create(null)
  const files: Record<string, UploadedFile | undefined> = Object.create(null)
  for (const [name, value] of data) {
    assertClean(name, typeof value === 'string' ? value : value.name)
    if (typeof value === 'string') form[name] ??= value.trim()
    else if (value.size > 0) {
      files[name] ??= { name: value.name, type: value.type, bytes: new Uint8Array(await value.arrayBuffer()) }
    }
  }
  return { form, files }
}

/** @throws Problem 400 for characters that no form of the gateway accepts */
function assertClean(name: string, text: string): void {
  try {
    assertCleanText(name, 'body')
    assertCleanText(text, `body/${name}`)
  } catch (error) {
    throw badRequest((error as Error).message)
  }
}
