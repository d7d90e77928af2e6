import type { Cradle } from '../cradle.ts'
import { isUuid } from '../domain/identifiers.ts'
import type { LevelName } from '../domain/product-level.ts'
import type { SubjectKind } from '../renditions/rendition-statements.ts'
import { type Candidate, recordCandidates } from './candidates.ts'
import { hidden, type RenditionResult } from './rendition-result.ts'
import { resolveCurrent, resolveUnit } from './resolve-current.ts'
import { resolveOwn } from './resolve-own.ts'
import { resolveVersion } from './resolve-version.ts'
import type { Caller } from './viewer.ts'

/** Any representation, or only credentials. */
type Form = 'any' | 'credential'

declare module '../cradle.ts' {
  interface Cradle {
    resolution: ReturnType<typeof resolution>
  }
}

/** Specification 4.5 and 5.10. */
export default function resolution(services: Cradle) {
  const { database, renditions, plugins } = services
  const recordsAt = new Map(plugins.levels.map((level) => [level.name, recordCandidates(level)]))

  return {
    answer,
    answerRecord,
    answerUnit,
    answerVersion: resolveVersion.bind(null, services),
    resolveOwn: resolveOwn.bind(null, services),
  }

  /** @throws Problem 404 if absent or hidden */
  function answer(candidate: Candidate | undefined, caller: Caller, form: Form = 'any'): Promise<RenditionResult> {
    return resolveCurrent(services, candidate, caller, choose(form, 'passport', caller))
  }

  async function answerRecord(level: LevelName, id: string, caller: Caller): Promise<RenditionResult> {
    const candidate = isUuid(id) ? await recordsAt.get(level)?.byId(database, id) : undefined
    if (candidate === undefined) throw hidden(level)
    return resolveCurrent(services, candidate, caller, choose('any', level, caller))
  }

  function answerUnit(candidate: Candidate | undefined, caller: Caller, form: Form = 'any') {
    return resolveUnit(services, candidate, caller, () => choose(form, 'unit', caller))
  }

  function choose(form: Form, kind: SubjectKind, caller: Caller) {
    return form === 'credential' ? renditions.chooseCredential(caller.accept, kind) : renditions.choose(caller, kind)
  }
}
