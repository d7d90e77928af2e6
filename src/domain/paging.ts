/** A page of a list, as a caller asks for it. */
export interface PageQuery {
  readonly page?: string | undefined
  readonly limit?: string | undefined
}

/** Page and page size within their bounds; what is not a whole number counts as the first page and the usual size. */
export function pageOf({ page, limit }: PageQuery, size: { readonly usual: number; readonly most: number }) {
  return { page: clamped(page, 1_000_000, 1), limit: clamped(limit, size.most, size.usual) }
}

/**
 * The number from 1 to `most` that is nearest to the one that `text` names; `usual` if it is not a number. A number of
 * thirty digits is still a number; it must not become a fraction or Infinity in SQL.
 */
export function clamped(text: string | undefined, most: number, usual: number): number {
  return text !== undefined && /^-?\d+$/.test(text) ? Math.min(most, Math.max(1, Number(text))) : usual
}
