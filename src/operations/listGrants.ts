import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function listGrants({ grants }: Cradle): Handler<'listGrants'> {
  return async ({ principal, query }) => ({
    status: 200,
    body: {
      ...(await grants.list(principal, {
        page: clamped(query.page, 1, 1_000_000, 1),
        limit: clamped(query.limit, 1, 200, 100),
      })),
    },
  })
}

/** What is no whole number counts as the default. */
const clamped = (text: string | undefined, low: number, high: number, fallback: number) =>
  text === undefined || !/^-?\d+$/.test(text) ? fallback : Math.min(high, Math.max(low, Number(text)))
