/** One page of a list; the first is 1. */
export interface Page {
  readonly page: number
  readonly limit: number
}

/** A page number of thirty digits is still a number; it must not become a fraction or Infinity in SQL. */
const MOST_PAGES = 1_000_000

/**
 * The page that a query asks for, clamped. Whatever is not a whole number counts as what is usual; where it is an error
 * instead, the document says so.
 */
export const pageOf = (
  query: { readonly page?: string; readonly limit?: string },
  { usual, most }: { readonly usual: number; readonly most: number },
): Page => ({ page: wholeNumber(query.page, MOST_PAGES, 1), limit: wholeNumber(query.limit, most, usual) })

const wholeNumber = (text: string | undefined, most: number, usual: number): number =>
  text === undefined || !/^-?\d+$/.test(text) ? usual : Math.min(most, Math.max(1, Number(text)))
