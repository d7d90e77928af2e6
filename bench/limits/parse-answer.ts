import { answer, serve, withBody } from './serve.ts'

export interface ParseAnswerOptions {
  /** Headers of the answer, names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** The limit of a check that stores nothing: the body parsed, and a finished answer over node:http. */
serve(({ headers, body }: ParseAnswerOptions) => (req, res) => {
  withBody(req, res, (sent) => {
    JSON.parse(sent.toString())
    answer(res, 200, headers, body)
  })
})
