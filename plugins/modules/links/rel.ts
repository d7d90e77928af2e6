import type { LinkView } from '../../../src/plugin/index.ts'

type ShownRel = LinkView['rel']

/** Relation between passports (Regulation (EU) 2024/1781, Article 11(d); Regulation (EU) 2023/1542, Article 77(7)). */
export type Rel = 'replaces' | 'derivedFrom' | 'hasPart' | 'partOf'

const INVERSES = {
  replaces: 'replacedBy',
  derivedFrom: 'sourceOf',
  hasPart: 'partOf',
  partOf: 'hasPart',
} as const satisfies Readonly<Record<Rel, ShownRel>>

export const inverseOf = (rel: Rel): ShownRel => INVERSES[rel]
