import entries from './materials.json' with { type: 'json' }
import { clamped } from './paging.ts'

/** What kind of thing a name of the vocabulary stands for; `crm` is a critical raw material of the EU. */
export const MATERIAL_KINDS = ['chemistry', 'crm', 'fiber', 'hazard', 'material', 'substance'] as const
type MaterialKind = (typeof MATERIAL_KINDS)[number]

/** One entry of the vocabulary. */
interface MaterialTerm {
  readonly id: string
  readonly name: string
  readonly kind: MaterialKind
  /** CAS Registry Number, where the entry is one substance. */
  readonly casNumber: string | null
  readonly description: string | null
}

/** An entry with what else people call it, in English. */
interface CuratedMaterial extends MaterialTerm {
  readonly synonyms: readonly string[]
}

/**
 * Names are what labels and data sheets use: fibres by Annex I of Regulation (EU) No 1007/2011, hazard statements by
 * Annex III of Regulation (EC) No 1272/2008, critical raw materials by Annex II of Regulation (EU) 2024/1252.
 */
const ENTRIES: Readonly<Record<MaterialKind, readonly Entry[]>> = entries

interface Entry {
  readonly name: string
  readonly casNumber?: string
  readonly description?: string
  readonly synonyms?: readonly string[]
}

/** The vocabulary by kind, then by name. */
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

/** Entries of a kind whose name contains `search`, in any case. An unknown kind is ignored. */
export function findMaterials(query: { kind?: string; search?: string; limit?: string }): CuratedMaterial[] {
  const isKind = MATERIAL_KINDS.some((kind) => kind === query.kind)
  const wanted = query.search?.trim().toLowerCase() ?? ''
  return MATERIALS.filter(
    ({ kind, name }) => (!isKind || kind === query.kind) && name.toLowerCase().includes(wanted),
  ).slice(0, clamped(query.limit, 1000, 1000))
}

function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
