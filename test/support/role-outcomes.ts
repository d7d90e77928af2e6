import type pg from 'pg'

/** The SQLSTATE `insufficient_privilege`. */
export const DENIED = '42501'

/** The SQLSTATE of a statement's failure, or the number of its rows. */
export const outcome = (client: pg.Client, text: string): Promise<string | number> =>
  client.query(text).then(
    ({ rowCount }) => rowCount ?? 0,
    ({ code }) => code,
  )
