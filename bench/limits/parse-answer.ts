import { answer, serve, withBody } from './serve.ts'

export interface ParseAnswerOptions {
  /** Alternating names and values. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** Baseline of a validation without storage: the body parsed, and a finished response over node:http. */
serve(({ headers, body }: ParseAnswerOptions) => (req, res) => {
  withBody(req, res, (sent) => {
    JSON.parse(sent.toString())
    answer(res, 200, headers, body)
  })
})
