import type { Row } from './table.ts'

export interface MergedRows {
  readonly reference: string
  readonly from: number
  readonly to: number
}

export function mergedRows(references: readonly string[]): MergedRows[] {
  const rows: MergedRows[] = []
  let until = 0
  const ranges = references.map((reference) => {
    const [from = 0, to = from] = reference.split(':').map((end) => Number(/^[A-Z]{1,3}(\d{1,7})$/.exec(end)?.[1]))
    return { reference, from, to }
  })
  for (const { reference, from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    if (to > until) rows.push({ reference, from: Math.max(from, until + 1), to })
    until = Math.max(until, to)
  }
  return rows
}

export function createMergeCheck(merges: readonly MergedRows[]): (row: Row) => Row {
  let next = 0
  return (row) => {
    while (next < merges.length && (merges[next] as MergedRows).to < row.number) next += 1
    const merged = merges[next]
    if (merged === undefined || merged.from > row.number) return row
    return { ...row, fault: `The cells ${merged.reference} are merged. Unmerge them and fill in each cell.` }
  }
}
