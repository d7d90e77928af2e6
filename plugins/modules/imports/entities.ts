import { defineEntity, type InferEntity } from '@mikro-orm/core'

export const Import = defineEntity({
  name: 'Import',
  tableName: 'import',
  properties: (p) => ({
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    operatorId: p.uuid().nullable(),
    actor: p.text(),
    role: p.text(),
    format: p.text().$type<'csv' | 'xlsx' | 'jsonl' | 'aasx'>(),
    options: p.json().columnType('json'),
    fileHash: p.blob(),
    bytes: p.integer(),
    status: p.text().$type<'waiting' | 'working' | 'done' | 'failed'>(),
    attempt: p.integer(),
    rowsTotal: p.integer().nullable(),
    rowsRead: p.integer(),
    created: p.integer(),
    refused: p.integer(),
    errorBytes: p.integer(),
    headings: p.json().columnType('json').nullable(),
    errors: p.json().columnType('json'),
    remarks: p.json().columnType('json'),
    passports: p.json().columnType('json'),
    failure: p.text().nullable(),
    createdAt: p.string().columnType('timestamptz(3)'),
    finishedAt: p.string().columnType('timestamptz(3)').nullable(),
    expiresAt: p.string().columnType('timestamptz(3)'),
    begun: p.smallint(),
  }),
})
export type Import = InferEntity<typeof Import>

export const ImportPiece = defineEntity({
  name: 'ImportPiece',
  tableName: 'import_piece',
  properties: (p) => ({
    importId: p.uuid().primary(),
    tenantId: p.uuid(),
    place: p.integer().primary(),
    bytes: p.blob(),
  }),
})
export type ImportPiece = InferEntity<typeof ImportPiece>

/** CSV lines by the number of their first row. */
export const ImportError = defineEntity({
  name: 'ImportError',
  tableName: 'import_error',
  properties: (p) => ({
    importId: p.uuid().primary(),
    tenantId: p.uuid(),
    place: p.integer().primary(),
    lines: p.text(),
  }),
})
export type ImportError = InferEntity<typeof ImportError>
