import { setTimeout as sleep } from 'node:timers/promises'
import { writeXlsx } from '../../plugins/modules/imports/tables/xlsx-writer.ts'
import { answersOf, type Bench, type Case } from '../bench.ts'
import { BULK_ROWS, textile } from '../data.ts'
import { makeRequest } from '../http.ts'
import { residentMegabytes, type Server } from '../processes.ts'

/** Rows of a file. */
const ROWS = 100_000
const QUICK_ROWS = 200
const BULKS = 50
const QUICK_BULKS = 1
const POLL_MS = 200

const imports: Case = {
  name: 'import',
  figures: [
    { name: 'bulk-by-import-csv', unit: 'x' },
    { name: 'bulk-by-import-xlsx', unit: 'x' },
    { name: 'memory-importing', unit: 'MB' },
  ],
  async run(bench) {
    const gateway = await bench.startGateway()
    const rows = bench.isQuick ? QUICK_ROWS : ROWS
    const bulks = bench.isQuick ? QUICK_BULKS : BULKS
    const start = performance.now()
    const requests = Array.from({ length: bulks }, (_, index) => bulkOf(bench, index))
    await answersOf(gateway, requests, 201)
    const bulkRate = (bulks * BULK_ROWS) / (performance.now() - start)
    const csv = Buffer.from(
      tableOf('C', rows)
        .map((row) => `${row.join(',')}\n`)
        .join(''),
    )
    const [csvRate, peak] = await importFile(bench, gateway, csv, 'text/csv', rows)
    const pieces: Uint8Array[] = []
    for await (const piece of writeXlsx({ rows: tableOf('X', rows) })) pieces.push(piece)
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    const [xlsxRate, xlsxPeak] = await importFile(bench, gateway, Buffer.concat(pieces), type, rows)
    return [bulkRate / csvRate, bulkRate / xlsxRate, Math.max(peak, xlsxPeak)]
  },
}

const METADATA = {
  category: textile.category,
  originCountry: textile.originCountry,
  materialComposition: textile.materialComposition.map(({ material, percentage }) => ({ material, percentage })),
}

function bulkOf({ data }: Bench, batch: number) {
  const passports = Array.from({ length: BULK_ROWS }, (_, row) => ({
    productId: `B-${batch}-${row}`,
    metadata: METADATA,
  }))
  const json = { Authorization: data.authorization, 'Content-Type': 'application/json' }
  return makeRequest('POST', '/api/v1/passports/bulk', json, JSON.stringify({ passports }))
}

/** Returns the same passports as rows of a table. */
function tableOf(prefix: string, count: number): string[][] {
  const material = METADATA.materialComposition.flatMap((_, place) => [
    `materialComposition.${place + 1}.material`,
    `materialComposition.${place + 1}.percentage`,
  ])
  const shares = METADATA.materialComposition.flatMap((entry) => [entry.material, String(entry.percentage)])
  const head = ['productId', 'category', 'originCountry', ...material]
  const row = [METADATA.category, METADATA.originCountry, ...shares]
  return [head, ...Array.from({ length: count }, (_, index) => [`${prefix}-${index}`, ...row])]
}

/** Imports a file. @returns rows per millisecond, and the gateway's peak memory in MB */
async function importFile(
  bench: Bench,
  gateway: Server,
  file: Buffer,
  type: string,
  rows: number,
): Promise<[number, number]> {
  const as = { Authorization: bench.data.authorization }
  const start = performance.now()
  const url = `http://127.0.0.1:${gateway.port}/api/v1/imports`
  const added = await fetch(url, {
    method: 'POST',
    headers: { ...as, 'Content-Type': type },
    body: new Uint8Array(file),
  })
  if (added.status !== 202) throw new Error(await added.text())
  let found = ((await added.json()) as { import: { id: string; status: string; rows: { created: number } } }).import
  let peak = 0
  while (found.status === 'waiting' || found.status === 'working') {
    await sleep(POLL_MS)
    peak = Math.max(peak, residentMegabytes(gateway.pid) ?? Number.NaN)
    const [answer] = await answersOf(gateway, [makeRequest('GET', `/api/v1/imports/${found.id}`, as)], 200)
    found = JSON.parse(String(answer?.body)).import
  }
  if (found.rows.created !== rows) throw new Error(`Import: ${JSON.stringify(found)}`)
  return [rows / (performance.now() - start), peak]
}

export default [imports]
