import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../root.ts'

/** IRIs of the semantic repository (Regulation (EU) 2026/1778, Article 12) by our terms. Empty until it opens. */
export const SEMANTIC_REPOSITORY: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(ROOT, 'contexts/semantic-repository.json'), 'utf8'),
)
