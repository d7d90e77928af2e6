import type { Cradle } from '../cradle.ts'
import { audienceOf, type Reader, tierOf } from '../domain/audience.ts'
import { notAcceptable, Problem } from '../domain/problem.ts'
import type { Choice } from '../renditions/negotiated-format.ts'
import type { WireRendition } from '../renditions/rendition.ts'
import { kindOf, type SubjectKind } from '../renditions/rendition-statements.ts'
import type { Candidate } from './candidates.ts'
import type { Caller, Viewer } from './viewer.ts'

export interface RenditionResult {
  readonly rendition: WireRendition
  readonly isPublic: boolean
  readonly reader?: Reader
  /** Passports and units that it shows. */
  readonly ids?: readonly string[]
  /** True if the format has languages. */
  readonly isLocalised?: boolean
}

/** Public response for a recycled unit. */
export interface CeasedUnit {
  readonly ceased: WireRendition
}

/** Records the read. @throws Problem 404 without a rendition */
export function toResult(
  { accessAudit, protectedReadAudit }: Pick<Cradle, 'accessAudit' | 'protectedReadAudit'>,
  candidate: Candidate,
  { reader, actor }: Viewer,
  choice: Choice,
  rendition: WireRendition | undefined,
  { ip }: Caller,
): RenditionResult {
  if (rendition === undefined) throw hidden(kindOf(candidate))
  const { id: passportId, tenantId, unit, category } = candidate
  const { name: representation } = choice.plugin
  accessAudit.record({ passportId, unitId: unit?.id ?? null, category }, representation, tierOf(reader), ip)
  const audience = audienceOf(reader)
  if (audience !== 'public') {
    const auditedRead = {
      action: unit === undefined ? 'passport.read' : 'batteryunit.read',
      representation,
      audience,
    } as const
    protectedReadAudit.record({ tenantId, actor, subjectId: unit?.id ?? passportId, ...auditedRead })
  }
  const isLocalised = !choice.isSigned && choice.plugin.localised === true
  const ids = [passportId, ...(unit === undefined ? [] : [unit.id])]
  return { rendition, isPublic: reader === 'public', reader, ids, isLocalised }
}

export const noRepresentation = () => notAcceptable('Representation not available on this gateway.')

// Bare even with credentials, like the public resolver (specification 4.1).
export const hidden = (kind: SubjectKind) =>
  new Problem(404, `No public ${kind === 'unit' ? 'battery unit' : kind} at this address.`, {
    title: 'Not Found',
    isBare: true,
  })
