import { loadContexts } from '../../../../src/plugin/module.ts'
import { type Run, type RunOptions, runChecks } from '../run.ts'
import { GRANT } from './clean-documents.ts'
import type { RunningService } from './clean-service.ts'

const contexts = loadContexts([])

/** Runs the checks against the clean service, or the one with a fault. */
export const runAgainst = ({ base, documents }: RunningService, more: Partial<RunOptions> = {}): Promise<Run> =>
  runChecks({
    url: documents.link,
    api: `${base}/v1`,
    grant: GRANT,
    allowLocalhost: true,
    isWriting: true,
    contexts,
    tell: () => {},
    ...more,
  })
