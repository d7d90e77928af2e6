import { serve } from './serve.ts'

export interface BareHttpOptions {
  readonly answers: readonly { readonly status: number; readonly headers: readonly string[]; readonly body: Buffer }[]
}

/** Baseline of a cache: finished responses in turn over node:http, for any request. */
serve(({ answers }: BareHttpOptions) => {
  let index = 0
  return (_req, res) => {
    const { status, headers, body } = answers[index] as BareHttpOptions['answers'][number]
    index = index + 1 === answers.length ? 0 : index + 1
    res.writeHead(status, headers as string[])
    res.end(body)
  }
})
