import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../root.ts'

/**
 * Our terms and the IRIs that the semantic repository of Regulation (EU) 2026/1778, Article 12, has for the same: the one
 * place where they are named. It is empty until that repository is open.
 */
export const SEMANTIC_REPOSITORY: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(ROOT, 'contexts/semantic-repository.json'), 'utf8'),
)
