import type pg from 'pg'

export const DENIED = '42501'

/** SQLSTATE of a statement's failure, or its row count. */
export const outcome = (client: pg.Client, text: string): Promise<string | number> =>
  client.query(text).then(
    ({ rowCount }) => rowCount ?? 0,
    ({ code }) => code,
  )
