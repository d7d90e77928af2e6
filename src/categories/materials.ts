import { clamped } from '../domain/paging.ts'
import entries from './materials.json' with { type: 'json' }

/** Entry kinds; `crm` is an EU critical raw material. */
export const MATERIAL_KINDS = ['chemistry', 'crm', 'fiber', 'hazard', 'material', 'substance'] as const
type MaterialKind = (typeof MATERIAL_KINDS)[number]

interface MaterialTerm {
  readonly id: string
  readonly name: string
  readonly kind: MaterialKind
  readonly casNumber: string | null
  readonly description: string | null
}

interface CuratedMaterial extends MaterialTerm {
  readonly synonyms: readonly string[]
}

/**
 * Fibres follow Annex I of Regulation (EU) No 1007/2011, hazard statements Annex III of Regulation (EC) No 1272/2008, critical raw
 * materials Annex II of Regulation (EU) 2024/1252.
 */
const ENTRIES: Readonly<Record<MaterialKind, readonly Entry[]>> = entries

interface Entry {
  readonly name: string
  readonly casNumber?: string
  readonly description?: string
  readonly synonyms?: readonly string[]
}

export const MATERIALS: readonly CuratedMaterial[] = MATERIAL_KINDS.flatMap((kind) =>
  ENTRIES[kind]
    .map(({ name, casNumber = null, description = null, synonyms = [] }) => ({
      id: `${kind}:${slug(name)}`,
      name,
      kind,
      casNumber,
      description,
      synonyms,
    }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en')),
)

export function findMaterials(query: { kind?: string; search?: string; limit?: string }): CuratedMaterial[] {
  const isKind = MATERIAL_KINDS.some((kind) => kind === query.kind)
  const searchText = query.search?.trim().toLowerCase() ?? ''
  return MATERIALS.filter(
    ({ kind, name }) => (!isKind || kind === query.kind) && name.toLowerCase().includes(searchText),
  ).slice(0, clamped(query.limit, 1000, 1000))
}

function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
