import { describe, expect, test } from 'vitest'
import { CHECKS } from './checks/index.ts'

/** Criteria of the public validator (OwnYourData/dpp-criteria, October 2026) and the checks that cover them. */
const COVERED: Readonly<Record<string, string[]>> = {
  'API-007': ['en18222-search.not-json', 'en18222-search.wrong-type'],
  'API-013': ['en18222.read-by-id', 'en18222.read-by-id-identifier'],
  'API-014': ['en18222.read-by-product', 'en18222.read-by-product-identifier'],
  'API-015': ['en18222-search.finds', 'en18222-search.list-body'],
  'API-016': ['en18222-writes.update', 'en18222-writes.update-anonymously'],
  'API-019': ['en18222-versions.now', 'en18222-versions.identifier'],
  'API-020': ['en18222.version-prefix'],
  'API-021': ['en18222-elements.read', 'en18222-elements.not-a-path'],
  'API-022': ['en18222-errors.unknown-passport', 'en18222-errors.message'],
  'API-023': ['en18222.default-form', 'en18222.compressed-form', 'en18222.full-form', 'en18222.unknown-form'],
  'CAR-002': ['en18219.address', 'en18219.gs1-syntax'],
  'CFG-005': ['en18223.granularity-of-link'],
  'DAT-003': ['en18216.passport-json', 'en18216.default-json'],
  'DAT-011': ['en18223.compressed-resources', 'en18223.resources-respond'],
  'DAT-014': ['en18223.digitalProductPassportId', 'en18223.lastUpdated', 'en18223.names', 'en18223.status-values'],
  'DAT-015': ['en18223.granularity-values', 'en18223.granularity-case'],
  'DAT-016': ['en18216.html', 'http.vary', 'en18216.any-type-json', 'http.quality-values'],
  'DEX-002': ['en18216.certificate', 'en18216.no-plain-http'],
  'DEX-003': ['en18216.tls-1.2', 'en18216.no-old-tls', 'en18216.tls-1.3'],
  'DEX-004': ['en18216.json'],
  'DEX-005': ['en18216.http-2'],
  'DEX-006': ['en18216.no-http-1.0', 'en18216.no-http-1.1'],
  'ID-001': ['en18219.resolves', 'en18219.attribute'],
  'ID-009': ['en18219.economicOperatorId-scheme'],
  'ID-010': ['en18219.facilityId-scheme'],
  'ID-013': ['en18219.without-credentials', 'http.get'],
  'ID-014': ['en18219.address'],
  'ID-016': ['en18219.economicOperatorId-did', 'en18219.facilityId-did'],
  'INT-005': ['en18223.object-types', 'en18223.value-types', 'en18223.unique-ids'],
  'ROL-016': ['en18223.economicOperatorId'],
  'SEC-001': ['en18222-writes.update-anonymously', 'en18222-writes.create-anonymously', 'en18222-writes.unchanged'],
  'SEC-002': ['seals.verifiable'],
  'SEC-013': ['seals.operator'],
}

/** Criteria that one run from outside cannot decide. */
const NOT_COVERED: Readonly<Record<string, string>> = {
  'BAT-002': 'The shapes of Annex XIII are of one implementer.',
  'CRT-003': 'No shapes are published.',
  'DAT-006': 'No semantic catalogue is published.',
  'ID-002': 'Needs runs on several days.',
  'OPS-006': 'Self-declared.',
  'PCDS-008': 'The structure of ISO 59040 is not public.',
}

describe('the catalogue of checks', () => {
  test('has at least 120 checks with unique identifiers', () => {
    const ids = CHECKS.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(120)
    expect(ids.filter((id) => !/^[a-z][a-z0-9-]*\.[A-Za-z0-9.-]+$/.test(id))).toEqual([])
  })

  test('names a standard and a section for each check', () => {
    expect(CHECKS.filter(({ clause }) => !/^\S.*(?:, |\d)\S*/.test(clause)).map(({ id }) => id)).toEqual([])
    expect(new Set(CHECKS.map(({ title }) => title.at(-1)))).not.toContain('.')
  })

  test('covers the criteria of the public validator, except six', () => {
    const ids = CHECKS.map(({ id }) => id)
    expect(
      Object.values(COVERED)
        .flat()
        .filter((id) => !ids.includes(id)),
    ).toEqual([])
    expect(Object.keys(COVERED).length + Object.keys(NOT_COVERED).length).toBe(39)
  })
})
