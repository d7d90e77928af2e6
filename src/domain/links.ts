/** What a passport may say of another (Regulation (EU) 2024/1781, Article 11(d), and Regulation (EU) 2023/1542, Article 77(7)). */
export type Rel = 'replaces' | 'derivedFrom' | 'hasPart' | 'partOf'

/** What is shown of a link, on either of its sides. */
export type ShownRel = Rel | 'replacedBy' | 'sourceOf'

const INVERSES = {
  replaces: 'replacedBy',
  derivedFrom: 'sourceOf',
  hasPart: 'partOf',
  partOf: 'hasPart',
} as const satisfies Readonly<Record<Rel, ShownRel>>

/** What the passport at the other end of a link says of it. */
export const inverseOf = (rel: Rel): ShownRel => INVERSES[rel]
