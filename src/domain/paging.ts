export interface PageQuery {
  readonly page?: string | undefined
  readonly limit?: string | undefined
}

/** Non-integers select the defaults. */
export function pageOf({ page, limit }: PageQuery, size: { readonly usual: number; readonly max: number }) {
  return { page: clamped(page, 1_000_000, 1), limit: clamped(limit, size.max, size.usual) }
}

/** Thirty digits must not become a fraction or Infinity in SQL. */
export function clamped(text: string | undefined, max: number, usual: number): number {
  return text !== undefined && /^-?\d+$/.test(text) ? Math.min(max, Math.max(1, Number(text))) : usual
}
