import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function exportPassports({ passportTables }: Cradle): Handler<'exportPassports'> {
  return async ({ query: { format = 'csv', category, originCountry }, principal }) => {
    const { body, ...file } = passportTables.exported(principal, format, { category, originCountry })
    return { status: 200, ...file, body: await begun(body) }
  }
}

/** The same pieces, the first of which is there: what fails until then is answered as an error. */
async function begun(pieces: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    if (!first.done) yield first.value
    yield* { [Symbol.asyncIterator]: () => iterator }
  })()
}
