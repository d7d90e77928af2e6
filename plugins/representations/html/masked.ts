import type { PassportView, Superseded } from '../../../src/plugin/index.ts'
import { codeOf, withLanguage } from './own-links.ts'
import type { Label, Texts } from './texts.ts'

export interface Masked {
  readonly text: string
  readonly note: string | undefined
  readonly labels: readonly Label[]
  /** Access request page; undefined if no grant can reveal a key. */
  readonly accessUrl: string | undefined
}

export function maskedOf(view: PassportView, texts: Texts, superseded: Superseded | null): Masked | undefined {
  if (view.maskedKeys.length === 0) return undefined
  return {
    text: texts.t('masked.text'),
    note: texts.category.maskedNote,
    labels: view.maskedKeys.map((key) => texts.label(key)),
    // Grants open only the current version.
    accessUrl: superseded === null ? accessUrlOf(view, texts) : undefined,
  }
}

const accessUrlOf = ({ status, grantableKeys, baseUrl, id }: PassportView, texts: Texts): string | undefined =>
  status !== 'DRAFT' && grantableKeys.length > 0
    ? withLanguage(`${baseUrl}/request-access?passport=${encodeURIComponent(id)}`, codeOf(texts))
    : undefined
