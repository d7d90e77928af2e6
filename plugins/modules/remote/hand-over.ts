import { writeFile } from 'node:fs/promises'
import { notWritten, type Options, type Outcome, text, UsageError } from '../../../src/plugin/command.ts'

/** @throws UsageError for binary data on a terminal */
export async function handedOver(document: object | string | Uint8Array, options: Options): Promise<Outcome> {
  const out = text(options, 'out')
  const isJson = typeof document !== 'string' && !(document instanceof Uint8Array)
  if (out === undefined) {
    if (document instanceof Uint8Array) throw new UsageError(`--out is missing. The output is binary: set a file.`)
    return {
      json: isJson ? document : { document },
      lines: [isJson ? JSON.stringify(document, null, 2) : String(document).trimEnd()],
    }
  }
  const content = isJson ? `${JSON.stringify(document, null, 2)}\n` : document
  await writeFile(out, content).catch((error) => {
    throw notWritten('--out', out, error)
  })
  const bytes = Buffer.byteLength(content)
  return { json: { file: out, bytes }, lines: [`${out}: ${bytes} bytes.`] }
}
